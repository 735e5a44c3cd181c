// Before the program runs: the theme, and the words when there is no program.
import { expect, open, test } from "./page.mjs";

const theme = (page) => page.evaluate(() => document.documentElement.dataset.theme);

for (const stored of ["light", "dark"]) {
  test(`a stored ${stored} theme holds before the first paint`, async ({ page }) => {
    await page.addInitScript((stored) => {
      localStorage.setItem("netspurt.theme", stored);
      // The body does not exist before the head's scripts have run.
      new MutationObserver(() => {
        if (document.body) globalThis.firstTheme ??= document.documentElement.dataset.theme ?? "none";
      }).observe(document, { childList: true, subtree: true });
    }, stored);
    await open(page);
    expect(await page.evaluate(() => globalThis.firstTheme)).toBe(stored);
  });
}

test("without a stored theme the system's holds", async ({ page }) => {
  await page.addInitScript(() => localStorage.setItem("netspurt.theme", "no such theme"));
  await open(page);
  expect(await theme(page)).toBeUndefined();
});

test("opens where storage is forbidden", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, "localStorage", {
      get() {
        throw new DOMException("forbidden", "SecurityError");
      },
    });
  });
  await open(page);
  expect(await theme(page)).toBeUndefined();
});

async function failure(page) {
  await page.goto("./");
  const alert = page.getByRole("alert");
  await expect(alert.getByRole("heading")).toHaveText("Netspurt did not start");
  await expect(page.locator("html")).toHaveAttribute("data-boot", "failed");
  return alert;
}

test("says so when the browser has no WebAssembly", async ({ page }) => {
  await page.addInitScript(() => delete globalThis.WebAssembly);
  await expect(await failure(page)).toContainText("Allow WebAssembly for this page");
});

test("says so when the program is missing", async ({ page, watch }) => {
  watch.forgive(/Failed to load resource/);
  await page.route("**/*.wasm", (route) => route.fulfill({ status: 404 }));
  await expect(await failure(page)).toContainText("status 404");
});

test("says so when the program cannot be reached", async ({ page, watch }) => {
  watch.forgive(/Failed to load resource/);
  await page.route("**/*.wasm", (route) => route.abort());
  await expect(await failure(page)).toContainText("Check the connection");
});

test("says so when the program is broken", async ({ page }) => {
  await page.route("**/*.wasm", (route) => route.fulfill({ contentType: "application/wasm", body: "not wasm" }));
  await expect(await failure(page)).toContainText("could not read the program");
});

test("says so when scripts are off", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(baseURL);
  await expect(page.locator("noscript")).toBeVisible();
  expect(await page.locator("noscript").textContent()).toContain("it needs JavaScript and WebAssembly");
  await context.close();
});
