// Files that are no traces, or not quite: said in place, with a way out, and nothing else changes.
import { writeFile } from "node:fs/promises";
import { expect, open, test } from "./page.mjs";
import { failure, numbers, openFile, paste, pick, text, trace, type } from "./notebook.mjs";

const part = (page, heading) => failure(page).locator(".what", { has: page.getByRole("heading", { name: heading, exact: true }) });
const button = (page, name) => failure(page).getByRole("button", { name });
const files = (page) => trace(page).locator("optgroup[label='Your files'] option");

// The notebook stands as it stood, and its cells go on working.
async function unharmed(page, before) {
  expect(await text(page)).toBe(before);
  const numbersBefore = await numbers(page, "A");
  await type(page, "G", "5/2");
  await expect.poll(() => numbers(page, "A")).not.toEqual(numbersBefore);
}

test.beforeEach(({ page }) => open(page));

test.describe("a row that is short", () => {
  // Line 38 lacks its delay; a delay of 99 ms marks the neighbours.
  const rows = Array.from({ length: 60 }, (_, i) => (i === 36 ? `${i},${i / 2}` : `${i},${i / 2},${i === 35 ? 98 : i === 37 ? 99 : 12}`));
  const LAB = { name: "lab-wifi.csv", bytes: `seq,sent_s,delay_ms\n${rows.join("\n")}\n` };
  let before;

  test.beforeEach(async ({ page }) => {
    before = await text(page);
    await openFile(page, LAB);
    await expect(failure(page)).toBeVisible();
  });

  test("is told: what, where, what to do", async ({ page }) => {
    await expect(failure(page).getByRole("heading", { level: 2 })).toHaveText("lab-wifi.csv: line 38 cannot be read");
    await expect(part(page, "What")).toContainText("Line 38 has two values where the heading names three.");
    const lines = (await part(page, "Where").locator("pre").innerText()).trimEnd().split("\n");
    const numbered = lines.map((line) => line.trim().split(/\s+/, 2).join(" "));
    expect(numbered, "the heading, the lines before it, the line itself, the line after")
      .toEqual(["1 seq,sent_s,delay_ms", "⋮", "36 34,17,12", "37 35,17.5,98", "38 36,18", "39 37,18.5,99"]);
    await expect(part(page, "Where").locator(".bad")).toHaveText(/38\s+36,18\s+← delay_ms is missing/);
    await expect(part(page, "What to do")).toContainText("The other 59 lines are fine.");
    await expect(part(page, "What to do")).toContainText("Your notebook has not changed.");
    await expect(files(page)).toHaveCount(0);
    await unharmed(page, before);
  });

  test("can be counted as a lost packet", async ({ page }) => {
    await button(page, "Count it as a lost packet").click();
    await expect(failure(page)).toHaveCount(0);
    await expect(files(page)).toHaveText("lab-wifi.csv, 60 packets, 1 lost");
  });

  test("can be left out", async ({ page }) => {
    await button(page, "Leave line 38 out").click();
    await expect(failure(page)).toHaveCount(0);
    await expect(files(page)).toHaveText("lab-wifi.csv, 59 packets, none lost");
  });

  test("can be mended and opened again", async ({ page }) => {
    const mended = LAB.bytes.replace("\n36,18\n", "\n36,18,12\n");
    await pick(page, () => button(page, "Open another file").click(), { name: LAB.name, bytes: mended });
    await expect(failure(page)).toHaveCount(0);
    await expect(files(page)).toHaveText("lab-wifi.csv, 60 packets, none lost");
  });

  test("can be put aside", async ({ page }) => {
    await button(page, "Dismiss").click();
    await expect(failure(page)).toHaveCount(0);
    await expect(files(page)).toHaveCount(0);
    expect(await text(page)).toBe(before);
  });
});

const column = (bad) => {
  const values = ["12.5", "11", "13.25", bad, "12", "12.75", "14"];
  return `sent_s,delay_ms\n${values.map((value, i) => `${i},${value}`).join("\n")}\n`;
};
const BAD = [
  { name: "empty.csv", bytes: "", says: /empty/ },
  { name: "zeros.bin", bytes: new Uint8Array(4096), says: /zeros/ },
  { name: "shot.png", bytes: Buffer.from("89504e470d0a1a0a0000000d4948445200000001", "hex"), says: /PNG/ },
  { name: "shot.csv", bytes: Buffer.from("89504e470d0a1a0a0000000d4948445200000001", "hex"), says: /PNG/ },
  { name: "noise.dat", bytes: Uint8Array.from({ length: 65536 }, (_, i) => (i * i * 31 + (i >> 3)) % 256), says: /text|binary|not/i },
  { name: "words.txt", bytes: "Dear reader,\n\nthere are no figures in this letter.\n", says: /./ },
  { name: "heading-only.csv", bytes: "seq,delay_ms\n", says: /table of delays/ },
  { name: "text-in-column.csv", bytes: column("n/a-ish words"), says: /“n\/a-ish words” where a delay should be/, line: 5 },
  { name: "too-large.csv", bytes: column("1e400"), says: /“1e400” where a delay should be/, line: 5 },
];

for (const { name, bytes, says, line } of BAD) {
  test(`${name} is refused in words`, async ({ page }) => {
    const before = await text(page);
    await openFile(page, { name, bytes });
    await expect(failure(page).getByRole("heading", { level: 2 })).toContainText(name);
    await expect(part(page, "What")).toContainText(says);
    await expect(part(page, "What to do").getByRole("button").first()).toBeVisible();
    if (line) await expect(part(page, "Where").locator(".bad")).toContainText(new RegExp(`^ *${line} `));
    await expect(files(page)).toHaveCount(0);
    await unharmed(page, before);
  });
}

for (const { value, counts, note } of [
  { value: "NaN", counts: "7 packets, 1 lost" },
  { value: "inf", counts: "7 packets, 1 lost" },
  { value: "-4.5", counts: "6 packets, none lost", note: /Line 5: .*negative delay/ },
]) {
  test(`a delay of ${value} is no number to reckon with, and that is said`, async ({ page }) => {
    const before = await text(page);
    await openFile(page, { name: "odd.csv", bytes: column(value) });
    await expect(files(page)).toHaveText(`odd.csv, ${counts}`);
    const opened = page.getByRole("status", { name: "Opened" });
    await expect(opened).toContainText(counts);
    if (note) await expect(opened.getByRole("listitem")).toHaveText(note);
    await unharmed(page, before);
  });
}

test("a line of fifty megabytes is refused in words", async ({ page }, info) => {
  test.slow();
  const before = await text(page);
  // The picker's own way takes no buffer of this size.
  const path = info.outputPath("long.csv");
  await writeFile(path, `seq,delay_ms\n1,12\n2,${"7".repeat(50e6)}\n3,12\n`);
  await openFile(page, path);
  await expect(failure(page)).toBeVisible({ timeout: 60_000 });
  await expect(part(page, "What")).toContainText(/Line 3 .*(long|characters|bytes|MB)/);
  const quoted = await part(page, "Where").locator("pre").innerText();
  expect(quoted.length, "only its beginning is quoted").toBeLessThan(1000);
  await unharmed(page, before);
});

test("what cannot be read is named in markup's clothes only as text", async ({ page }) => {
  const name = "<img src=x onerror=alert(1)>.csv";
  await openFile(page, { name, bytes: "<b>bold</b>,<script>\n<i>,2\n" });
  await expect(failure(page).getByRole("heading", { level: 2 })).toContainText(name);
  await expect(failure(page).locator("img, script, b > i")).toHaveCount(0);
});

test("the message is in view wherever the reader was", async ({ page }) => {
  await page.locator("#cell-ucl").scrollIntoViewIfNeeded();
  await paste(page, { text: "no figures here, only words" });
  await expect(failure(page)).toBeInViewport();
});

test("pasted nonsense is refused in words", async ({ page }) => {
  const before = await text(page);
  await paste(page, { text: "no figures here, only words" });
  await expect(failure(page)).toContainText("pasted text");
  await unharmed(page, before);
});

test("of several bad files each is told of", async ({ page }) => {
  await openFile(page, { name: "a.txt", bytes: "" }, { name: "b.txt", bytes: "" });
  await expect(failure(page)).toHaveCount(1);
  await expect(failure(page)).toContainText("a.txt cannot be read");
  await failure(page).getByRole("button", { name: "Dismiss" }).click();
  await expect(failure(page)).toContainText("b.txt cannot be read");
  await failure(page).getByRole("button", { name: "Dismiss" }).click();
  await expect(failure(page)).toHaveCount(0);
});

test("a good file after a bad one takes the message away", async ({ page }) => {
  await openFile(page, { name: "empty.csv", bytes: "" });
  await expect(failure(page)).toBeVisible();
  await openFile(page, { name: "good.csv", bytes: column("12") });
  await expect(failure(page)).toHaveCount(0);
  await expect(files(page)).toHaveText("good.csv, 7 packets, none lost");
});
