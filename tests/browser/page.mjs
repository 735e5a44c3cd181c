// Opens the page and watches it: a test fails on a console error, an uncaught error, or a request to any
// host but its own, whatever else it checks.
import { test as base, expect } from "@playwright/test";

export { expect };

export const test = base.extend({
  // What the page asked for and what went wrong. `forgive(pattern)` lets errors pass that a test provokes.
  watch: [
    async ({ context }, use) => {
      const watch = new Watch(context);
      await use(watch);
      expect(watch.faults.filter((fault) => !watch.forgiven.some((pattern) => pattern.test(fault)))).toEqual([]);
    },
    { auto: true },
  ],
});

class Watch {
  requests = [];
  faults = [];
  forgiven = [];

  constructor(context) {
    context.on("console", (message) => {
      if (message.type() === "error") this.faults.push(`console: ${message.text()} (${message.location().url})`);
    });
    context.on("weberror", (error) => this.faults.push(`uncaught: ${error.error().stack}`));
    context.on("request", (request) => {
      const url = new URL(request.url());
      if (!url.protocol.startsWith("http")) return;
      this.requests.push(url.href);
      if (url.hostname !== "127.0.0.1") this.faults.push(`foreign request: ${url.href}`);
    });
  }

  forgive(pattern) {
    this.forgiven.push(pattern);
  }
}

// Opens the page at `address`, relative to the server's, and waits until it has started and has its fonts.
export async function open(page, address = "./") {
  await page.goto(address);
  await expect(page.locator("html")).toHaveAttribute("data-boot", /./);
  const failure = page.locator("html[data-boot=failed] #app");
  if (await failure.count()) throw new Error(`the page did not start: ${await failure.innerText()}`);
  await expect(page.locator("#app")).not.toBeEmpty();
  await page.evaluate(() => document.fonts.ready);
}
