// How the page's tests run: in the system's Chromium, against a server that xtask starts.
import { defineConfig } from "@playwright/test";
import { launchOptions } from "./chromium.mjs";

const { CHROME, NETSPURT_URL, NETSPURT_REPORT, CI } = process.env;
if (!CHROME || !NETSPURT_URL) {
  throw new Error("Run `cargo xtask test --only browser`: it builds and serves the page and finds Chromium.");
}

export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.mjs",
  outputDir: "test-results/files",
  reporter: [["list"], ...(NETSPURT_REPORT ? [["json", { outputFile: NETSPURT_REPORT }]] : [])],
  forbidOnly: Boolean(CI),
  fullyParallel: true,
  workers: 2,
  retries: 0,
  use: {
    baseURL: NETSPURT_URL,
    locale: "en-GB",
    timezoneId: "UTC",
    viewport: { width: 1280, height: 800 },
    launchOptions,
  },
});
