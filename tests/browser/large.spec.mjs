// A million packets: they open, are drawn, and a slider still moves the readout.
import { writeFile } from "node:fs/promises";
import { expect, open, test } from "./page.mjs";
import { atRest, cell, field, figure, numbers, openFile, pixels, saved, slider, text } from "./notebook.mjs";

const ROWS = 1_000_000;

// Delays that wander, one packet in a thousand lost.
function million() {
  const lines = ["seq,sent_s,delay_ms"];
  for (let i = 0; i < ROWS; i += 1) {
    const noise = (Math.imul(i, 2654435761) >>> 8) / 2 ** 24;
    lines.push(`${i},${(i / 50).toFixed(2)},${i % 1000 === 999 ? "" : (40 + 20 * Math.sin(i / 9e4) + 30 * noise ** 6).toFixed(2)}`);
  }
  return `${lines.join("\n")}\n`;
}

test("a million rows open, are drawn and can be worked with", async ({ page }, info) => {
  test.setTimeout(180_000);
  await open(page);
  const before = await atRest(page);
  const path = info.outputPath("million.csv");
  await writeFile(path, million());
  await openFile(page, path);
  const opened = page.getByRole("status", { name: "Opened" });
  await expect(opened).toContainText("1000000 packets, 1000 lost", { timeout: 60_000 });
  await opened.getByRole("button", { name: "Show it in foe" }).click();
  await expect(figure(page)).toHaveAttribute("aria-label", /of 1000000 packets .*: 1000 were lost/, { timeout: 60_000 });
  await expect.poll(async () => (await pixels(page))[0]).not.toBe(before[0]);

  await test.step("a slider moves the readout and the front", async () => {
    const [row, [, front]] = [await numbers(page, "A"), await pixels(page)];
    await slider(page, /threshold/).press("Home");
    await expect(field(page, "G")).toHaveValue("1");
    await expect.poll(() => numbers(page, "A")).not.toEqual(row);
    await expect.poll(async () => (await pixels(page))[1]).not.toBe(front);
    expect(Number((await numbers(page, "A"))[3]), "with so short a wait many are sent twice").toBeGreaterThan(100_000);
  });

  await test.step("the crosshair finds a packet, the zoom a part", async () => {
    await figure(page).focus();
    await page.keyboard.press("End");
    await expect(figure(page).locator(".over")).toContainText("packet 1000000,");
    const [ground] = await atRest(page);
    await page.keyboard.press("+");
    await expect.poll(async () => (await pixels(page))[0]).not.toBe(ground);
  });

  await test.step("the table shows two hundred rows, the file has them all", async () => {
    await cell(page).getByRole("button", { name: "Table" }).click();
    await expect(cell(page).locator(".data tbody tr")).toHaveCount(200);
    const save = () => cell(page).getByRole("button", { name: "Save all rows as CSV" }).click();
    expect((await saved(page, save)).text.trimEnd().split("\n").length).toBe(ROWS + 1);
  });

  await test.step("the notebook names the file and does not hold it", async () => {
    expect(await text(page)).toMatch(/^trace = "file\/million\.csv#[0-9a-f]{12}"$/m);
  });

  await test.step("a reload has it again", async () => {
    await expect(page.locator(".doc [role=status]")).toHaveText("Saved in this browser");
    await page.reload();
    await expect(figure(page)).toHaveAttribute("aria-label", /of 1000000 packets/, { timeout: 60_000 });
  });
});

test("a long reading says how far it is, and leaves nothing when it is stopped", async ({ page }, info) => {
  await open(page);
  const before = [await text(page), await atRest(page)];
  const path = info.outputPath("long.csv");
  // The unit stands in each cell, which takes longer to read.
  const thousand = (k) => Array.from({ length: 1000 }, (_, i) => `${1000 * k + i},${20 + (i % 90)}.5 ms\n`).join("");
  await writeFile(path, `seq,delay\n${Array.from({ length: 3000 }, (_, k) => thousand(k)).join("")}`);
  await openFile(page, path);
  const reading = page.getByRole("status").filter({ hasText: "Reading long.csv" });
  const read = async () => Number(await reading.getByRole("progressbar", { name: "How much is read" }).getAttribute("value"));
  const first = await read();
  await expect.poll(read, { intervals: [50] }).toBeGreaterThan(first);
  await reading.getByRole("button", { name: "Stop" }).click();
  await expect(reading).toHaveCount(0);
  await expect(page.locator("p.vh[role=status]")).toHaveText("Reading was stopped; nothing has changed");
  await expect(page.getByRole("status", { name: "Opened" })).toHaveCount(0);
  await expect(page.getByRole("navigation", { name: "Library" }).filter({ hasText: "long.csv" })).toHaveCount(0);
  expect([await text(page), await atRest(page)]).toEqual(before);

  // Another file is read as ever.
  await openFile(page, { name: "short.csv", bytes: "seq,delay_ms\n1,12.5\n2,13\n" });
  await expect(page.getByRole("status", { name: "Opened" })).toContainText("short.csv is in the library: 2 packets, none lost");
});
