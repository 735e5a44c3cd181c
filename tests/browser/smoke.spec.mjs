// The page opens, and opens anywhere.
import { expect, open, test } from "./page.mjs";
import { staticHost } from "./static-host.mjs";

test("opens with few requests, and none for letters that do not stand on it", async ({ page, watch }) => {
  await open(page);
  await page.waitForLoadState("networkidle");
  expect(watch.requests.length, watch.requests.join("\n")).toBeLessThanOrEqual(10);
  expect(watch.requests.filter((url) => /letters|greek/.test(url))).toEqual([]);
  expect(new Set(watch.requests).size, "nothing is loaded twice").toBe(watch.requests.length);
});

test("has a fine clock where we serve it", async ({ page }) => {
  await open(page);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
});

test("opens in a folder of a host that knows nothing of wasm", async ({ page }) => {
  const host = await staticHost(process.env.NETSPURT_DIST, "/some/where/");
  try {
    await open(page, host.url);
    // The tests' own server is another one; nothing may lead back to it.
    expect(await page.evaluate(() => performance.getEntriesByType("resource").map((entry) => entry.name)))
      .toEqual(expect.not.arrayContaining([expect.not.stringContaining(host.url)]));
  } finally {
    await host.stop();
  }
});
