// Files that are traces: opened by button, drop or paste, and what becomes of them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, open, test } from "./page.mjs";
import { cell, drop, figure, numbers, openFile, paste, pick, pixels, saved, text, trace } from "./notebook.mjs";

const SAMPLES = fileURLToPath(new URL("../../traces/samples/", import.meta.url));
const library = (page) => page.getByRole("navigation", { name: "Library" });
const opened = (page) => page.getByRole("status", { name: "Opened" });

// How many packets each sample holds and how many were lost, as its own list says.
function samples() {
  const lines = readFileSync(join(SAMPLES, "README.md"), "utf8").split("\n");
  const rows = lines.map((line) => line.split("|").map((cell) => cell.trim())).filter((row) => /^`.*`$/.test(row[1]));
  return rows.map(([, name, , sent, , lost]) => ({ name: name.slice(1, -1), sent: Number(sent), lost: Number(lost) }));
}

const counts = ({ sent, lost }) => `${sent} packets, ${lost === 0 ? "none" : lost} lost`;

test.beforeEach(({ page }) => open(page));

test("the list of samples is read", () => {
  expect(samples().length).toBeGreaterThanOrEqual(7);
});

for (const sample of samples()) {
  test(`${sample.name} opens and can be chosen`, async ({ page }) => {
    const before = await pixels(page);
    await openFile(page, join(SAMPLES, sample.name));
    await expect(opened(page)).toContainText(`${sample.name} is in the library: ${counts(sample)}`);
    const entry = library(page).getByRole("listitem").filter({ hasText: sample.name }).getByRole("button").first();
    await expect(entry).toContainText(counts(sample));
    await expect(trace(page).locator("optgroup[label='Your files'] option")).toHaveText(`${sample.name}, ${counts(sample)}`);

    await entry.click();
    await expect(figure(page)).toHaveAttribute("aria-label", new RegExp(`of ${sample.sent} packets .*: ${sample.lost} w`));
    expect((await numbers(page, "A"))[1]).toBe(String(sample.lost));
    await expect.poll(async () => (await pixels(page))[0]).not.toBe(before[0]);
    await expect(trace(page).locator("option:checked")).toContainText(counts(sample));
    const table = await saved(page, async () => {
      await cell(page).getByRole("button", { name: "Table" }).click();
      await cell(page).getByRole("button", { name: "Save all rows as CSV" }).click();
    });
    expect(table.text.trimEnd().split("\n").length).toBe(sample.sent + 1);
  });
}

const CSV = { name: "lab.csv", bytes: "seq,sent_s,delay_ms\n1,0,12.5\n2,1,13\n3,2,\n4,3,11.25\n" };

test.describe("every way in", () => {
  test.afterEach(async ({ page }) => {
    await opened(page).getByRole("button", { name: "Show it in ucl" }).click();
    await expect(figure(page, "ucl")).toHaveAttribute("aria-label", /of 4 packets .*: 1 was lost/);
    await expect(opened(page)).toHaveCount(0);
    expect(await text(page), "a small trace travels with the notebook").toMatch(/^```netspurt trace /m);
  });

  test("the bar's button", ({ page }) => openFile(page, CSV));

  test("Ctrl+O", ({ page }) => pick(page, () => page.keyboard.press("Control+o"), CSV));

  test("the library's button", async ({ page }) => {
    await page.keyboard.press("l");
    await pick(page, () => library(page).getByRole("button", { name: "Open", exact: true }).click(), CSV);
  });

  test("a drop", async ({ page }) => {
    await page.dispatchEvent("main", "dragover");
    await expect(page.getByText("Drop it here. It stays on this computer.")).toBeVisible();
    await drop(page, CSV);
    await expect(page.getByText("Drop it here.")).toHaveCount(0);
  });

  test("a pasted file", ({ page }) => paste(page, { files: [CSV] }));

  test("pasted lines", async ({ page }) => {
    await paste(page, { text: CSV.bytes });
    await expect(opened(page)).toContainText("4 packets, 1 lost");
  });
});

test("several files at once all come into the library", async ({ page }) => {
  const [one, two] = samples();
  await openFile(page, join(SAMPLES, one.name), join(SAMPLES, two.name));
  for (const sample of [one, two]) {
    await expect(library(page).getByRole("listitem").filter({ hasText: sample.name })).toContainText(counts(sample));
  }
});

// How many files the browser has kept.
const kept = (page) =>
  page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const request = indexedDB.open("netspurt");
        request.onerror = () => reject(request.error);
        request.onsuccess = () => {
          const count = request.result.transaction("files").objectStore("files").count();
          count.onsuccess = () => resolve(count.result);
          request.result.close();
        };
      }),
  );

test("a trace stays in the library after a reload, until it is removed", async ({ page }) => {
  await openFile(page, CSV);
  await expect(opened(page)).toBeVisible();
  await expect.poll(() => kept(page)).toBe(1);
  await page.goto("about:blank");
  await open(page);
  const option = trace(page).locator("optgroup[label='Your files'] option");
  await expect(option).toHaveText("lab.csv, 4 packets, 1 lost");
  await page.keyboard.press("l");
  await library(page).getByRole("button", { name: "Remove lab.csv" }).click();
  await expect(option).toHaveCount(0);
  await expect.poll(() => kept(page)).toBe(0);
  await page.goto("about:blank");
  await open(page);
  await expect(trace(page)).toBeVisible();
  await expect(option).toHaveCount(0);
});

test("pasting into a field is no opening", async ({ page }) => {
  const field = cell(page).getByRole("textbox", { name: "F1, value" });
  await field.evaluate((field) => {
    const data = new DataTransfer();
    data.setData("text/plain", "1,2\n3,4\n");
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(opened(page)).toHaveCount(0);
});

test("a notebook opens in place of the one before, which is kept", async ({ page }) => {
  await cell(page).getByRole("textbox", { name: "G, value" }).fill("3");
  await cell(page).getByRole("textbox", { name: "G, value" }).press("Enter");
  await openFile(page, { name: "mine.md", bytes: "# My own\n\nWords.\n\n```netspurt rto x\n```\n" });
  await expect(page.getByRole("heading", { name: "My own", level: 1 })).toBeVisible();
  await expect(cell(page, "x")).toContainText("Choose a trace");
  await expect(page).toHaveTitle("My own · Netspurt");
  await page.keyboard.press("l");
  await library(page).getByText("Your notebooks").click();
  await library(page).getByRole("listitem").filter({ hasText: "One smoothing factor, or two?" }).last().getByRole("button").click();
  await expect(cell(page).getByRole("textbox", { name: "G, value" })).toHaveValue("3");
});
