// Files that are traces: opened by button, drop or paste, and what becomes of them.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { violations } from "./axe.mjs";
import { expect, open, test } from "./page.mjs";
import { atRest, cell, drop, failure, figure, numbers, openFile, paste, pick, pixels, saved, text, trace } from "./notebook.mjs";

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
    const before = await atRest(page);
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

// The files the browser has kept, or how many.
const kept = (page, what = "count") =>
  page.evaluate(
    (what) =>
      new Promise((resolve, reject) => {
        const request = indexedDB.open("netspurt");
        request.onerror = () => reject(request.error);
        request.onsuccess = () => {
          const asked = request.result.transaction("files").objectStore("files")[what]();
          asked.onsuccess = () => resolve(asked.result);
          request.result.close();
        };
      }),
    what,
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
  await library(page).getByLabel("About lab.csv").click();
  await library(page).getByRole("button", { name: "Remove lab.csv" }).click();
  await expect(option).toHaveCount(0);
  await expect.poll(() => kept(page)).toBe(0);
  await page.goto("about:blank");
  await open(page);
  await expect(trace(page)).toBeVisible();
  await expect(option).toHaveCount(0);
});

const parts = (page) => opened(page).locator(".inside tbody tr");

test("what is inside a file is listed, and one or all of it become traces", async ({ page }) => {
  const bytes = "192.0.2.1 : 9.5 - 10.5\n192.0.2.2 : 1.5 1.6 1.7\n192.0.2.3 : - - -\n";
  await openFile(page, { name: "three.txt", bytes });
  await expect(opened(page)).toContainText("three.txt is in the library: 9 packets, 4 lost. fping.");
  await expect(parts(page)).toHaveText([/192\.0\.2\.1target3 sent, 1 lost, 10\.0 ms/, /192\.0\.2\.2target3 sent, none lost, 1\.60 ms/, /192\.0\.2\.3target3 sent, 3 lost/]);
  await parts(page).nth(1).getByRole("button", { name: "Add 192.0.2.2" }).click();
  await expect(parts(page).nth(1)).toContainText("In the library");
  const rows = library(page).locator("li.file > button");
  await expect(rows).toContainText(["three.txt", "three.txt: 192.0.2.2"]);
  await opened(page).getByRole("button", { name: "Add all, each as a trace" }).click();
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(1)).toContainText("fping, 3 packets, none lost");
  await expect(rows.nth(1).locator("svg path")).toHaveAttribute("d", /^M/);

  await rows.nth(1).click();
  await expect(figure(page)).toHaveAttribute("aria-label", /of 3 packets .*: 0 were lost|none/);

  await library(page).getByLabel("About three.txt: 192.0.2.2").click();
  const name = library(page).getByRole("textbox", { name: "Name" });
  await name.fill("The near one");
  await name.press("Enter");
  await expect(rows.nth(1)).toContainText("The near one");
  await expect.poll(() => kept(page, "getAll").then(JSON.stringify)).toContain("The near one");
  await page.goto("about:blank");
  await open(page);
  await page.keyboard.press("l");
  await expect(rows).toContainText(["three.txt", "The near one", "192.0.2.1", "192.0.2.3"]);
});

test("the columns of a table are corrected, and a link reads them the same way", async ({ page }) => {
  const rows = Array.from({ length: 40 }, (_, i) => `${i};${i};${100 + i},5;${i % 7 === 6 ? "" : 12000 + 10 * i}`).join("\n");
  const LAB = { name: "lab.csv", bytes: `n;sent;there;back\n${rows}\n` };
  await openFile(page, LAB);
  await opened(page).getByRole("button", { name: "Choose the columns again" }).click();
  const panel = page.getByRole("region", { name: "lab.csv: how its columns are read" });
  const ask = (label) => panel.getByLabel(label, { exact: true });
  await expect(panel.locator("tbody tr").first()).toHaveText(/0\s*0\s*100,5\s*12000/);
  await expect(ask("Values are parted by")).toHaveValue("Semicolons");
  await ask("Delay").selectOption("back");
  await expect(ask("Unit of the delay")).toHaveValue("µs, a guess");
  await ask("Unit of the delay").selectOption("ms");
  await expect(panel).toContainText("The first packets: 12000 ms");
  await ask("Unit of the delay").selectOption("µs");
  await expect(panel).toContainText("The first packets: 12 ms, 12.01 ms, 12.02 ms");
  await expect(panel.locator("th.used", { hasText: "back" })).toContainText("delay, µs");
  expect(await violations(page)).toEqual([]);
  await panel.getByRole("button", { name: "Read it so" }).click();
  await expect(panel).toHaveCount(0);
  await expect(opened(page)).toContainText("lab.csv is in the library: 40 packets, 5 lost");
  await expect(library(page).locator("li.file")).toHaveCount(1);

  // As a document names it that does not hold it.
  const sha = createHash("sha256").update(LAB.bytes).digest("hex").slice(0, 12);
  const how = "decimal=, delay=4:us heading line=1 sep=semicolon";
  const named = { name: "named.md", bytes: `# Named\n\n\`\`\`netspurt rto x\ntrace = "file/lab.csv#${sha} ${how}"\na = "mills"\n\`\`\`\n` };
  await openFile(page, named);
  await expect(figure(page, "x")).toHaveAttribute("aria-label", /of 40 packets .*: 5 were lost/);
  await expect(library(page).locator("li.file"), "read in a second way").toHaveCount(2);
});

test("of a table without delays the column is chosen, and that of the targets", async ({ page }) => {
  const rows = Array.from({ length: 30 }, (_, i) => `${i % 3 ? "near" : "far"},blue,${i % 3 ? 5 : 90}`).join("\n");
  await openFile(page, { name: "odd.csv", bytes: `room,colour,packets\n${rows}\n` });
  await expect(failure(page)).toContainText("none of its columns looks like delays: “room”, “colour”, “packets”");
  await failure(page).getByRole("button", { name: "Choose the columns", exact: true }).click();
  const panel = page.getByRole("region", { name: "odd.csv: how its columns are read" });
  const ask = (label) => panel.getByLabel(label, { exact: true });
  await expect(ask("Delay")).toHaveValue("packets");
  await ask("Unit of the delay").selectOption("s");
  await expect(panel).toContainText("The first packets: 90000 ms");
  await ask("Unit of the delay").selectOption("ms");
  await ask("Whom it was sent to").selectOption("room");
  await expect(panel.locator("th.used", { hasText: "room" })).toContainText("whom it was sent to");
  expect(await violations(page)).toEqual([]);
  await panel.getByRole("button", { name: "Read it so" }).click();
  await expect(opened(page)).toContainText("odd.csv is in the library: 30 packets, none lost");
  await expect(parts(page)).toHaveText([/fartarget10 sent, none lost, 90\.0 ms/, /neartarget20 sent, none lost, 5\.00 ms/]);
});

test("the focus stays where it was when what had it goes", async ({ page }) => {
  const focused = () => page.evaluate(() => document.activeElement.closest("#drawer,#nb")?.id);
  await openFile(page, { name: "one.csv", bytes: "rtt_ms\n5\n6\n" });
  await opened(page).getByRole("button", { name: "Done" }).press("Enter");
  await expect(opened(page)).toHaveCount(0);
  expect(await focused()).toBe("nb");
  await library(page).getByLabel("About one.csv").press("Enter");
  await library(page).getByRole("button", { name: "Remove one.csv" }).press("Enter");
  await expect(library(page).locator("li.file")).toHaveCount(0);
  expect(await focused()).toBe("drawer");
});

test("what can be opened is listed from the importers themselves", async ({ page }) => {
  await page.keyboard.press("l");
  await library(page).getByRole("button", { name: "What can be opened?" }).click();
  const dialog = page.getByRole("dialog", { name: "What can be opened" });
  await expect(dialog.getByRole("listitem").filter({ hasText: "packet captures" }).first()).toBeVisible();
  expect(await dialog.getByRole("listitem").count()).toBeGreaterThan(30);
  expect(await violations(page)).toEqual([]);
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
