// Links: the address holds the notebook and what is looked at, and a damaged one is told.
import { expect, open, test as base } from "./page.mjs";
import { bar, cell, drop, failure, field, figure, numbers, row, settled, tab, text, type } from "./notebook.mjs";

// `other()` is a page in a browser that has never been here.
const test = base.extend({
  other: async ({ browser }, use) => {
    const contexts = [];
    await use(async (options) => {
      contexts.push(await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options }));
      return contexts.at(-1).newPage();
    });
    for (const context of contexts) await context.close();
  },
});

const REPRODUCED = "Reproduced, bit for bit: all 2 results are what the sender saw.";
const shown = (page) => Promise.all(["A", "B", "C"].map((letter) => numbers(page, letter)));
const heading = (page) => page.getByRole("heading", { level: 1 });

async function link(page) {
  await bar(page, "Share").click();
  const address = await page.getByRole("dialog").getByRole("textbox").inputValue();
  await page.keyboard.press("Escape");
  return address;
}

test.describe("a whole link", () => {
  test("shows another reader the same numbers, bit for bit", async ({ page, other }) => {
    await open(page);
    await type(page, "F1", "7/8");
    await type(page, "G", "2.5", "ucl");
    await settled(page);
    expect(page.url(), "the address is the link").toBe(await link(page));
    const there = await other();
    await open(there, page.url());
    await expect(there.locator(".note[role=status]")).toContainText(REPRODUCED);
    expect(await shown(there)).toEqual(await shown(page));
    expect(await numbers(there, "A", "ucl")).toEqual(await numbers(page, "A", "ucl"));
    expect(await text(there)).toBe(await text(page));
    await there.locator(".note[role=status]").getByRole("button", { name: "Done" }).click();
    await expect(there.locator(".note[role=status]")).toHaveCount(0);
  });

  test("shows another reader the same view", async ({ page, other }) => {
    await open(page);
    await tab(page, "B").click();
    await cell(page).getByRole("button", { name: "Table" }).click();
    await figure(page).focus();
    for (const key of ["Home", "Shift+ArrowRight", "ArrowRight", "+"]) await page.keyboard.press(key);
    await expect(cell(page).getByText("Part of the trace is shown.")).toBeVisible();
    await settled(page, { kept: false });
    const there = await other();
    await open(there, await link(page));
    await expect(tab(there, "B")).toHaveAttribute("aria-selected", "true");
    await expect(row(there, "B")).toHaveClass("on");
    await expect(figure(there).locator(".over")).toContainText("volley 12,");
    await expect(cell(there).getByText("Part of the trace is shown.")).toBeVisible();
    await expect(cell(there).getByRole("region", { name: "The figure's numbers" })).toBeVisible();
    await expect(cell(there, "ucl").getByText("Part of the trace is shown.")).toHaveCount(0);
  });

  test("carries a small trace of the reader's own", async ({ page, other }) => {
    await open(page);
    const lines = Array.from({ length: 200 }, (_, i) => `${i},${i === 50 ? "" : (40 + ((i * 7919) % 311) / 10).toFixed(1)}`);
    await drop(page, { name: "attic.csv", bytes: `t_s,delay_ms\n${lines.join("\n")}\n` });
    await page.getByRole("button", { name: "Show it in foe" }).click();
    await expect(figure(page)).toHaveAttribute("aria-label", /of 200 packets/);
    await settled(page);
    const there = await other();
    await open(there, await link(page));
    await expect(there.locator(".note[role=status]")).toContainText("Reproduced, bit for bit");
    await expect(figure(there)).toHaveAttribute("aria-label", /of 200 packets .*1 was lost/);
    expect(await shown(there)).toEqual(await shown(page));
  });

  test("says which trace it leaves out, and another reader which is wanted", async ({ page, other }) => {
    await open(page);
    const lines = Array.from({ length: 30_000 }, (_, i) => `${i},${(Math.imul(i, 2654435761) >>> 12) / 1000}`);
    await drop(page, { name: "big.csv", bytes: `t_s,delay_ms\n${lines.join("\n")}\n` });
    await page.getByRole("button", { name: "Show it in foe" }).click();
    await expect(figure(page)).toHaveAttribute("aria-label", /of 30000 packets/);
    await bar(page, "Share").click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toContainText("big.csv is not in the link.");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("button", { name: "Save the notebook as a file" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("one-smoothing-factor-or-two.md");
    const there = await other();
    await open(there, await dialog.getByRole("textbox").inputValue());
    await expect(cell(there)).toContainText("big.csv");
    await expect(figure(there, "ucl")).toHaveAttribute("aria-label", /packets/);
  });

  test("opens by pasting it onto the page", async ({ page, other }) => {
    await open(page);
    await type(page, "G", "3");
    const address = await link(page);
    const there = await other();
    await open(there);
    await drop(there, { name: "link.txt", bytes: `${address}\n` });
    await expect(field(there, "G")).toHaveValue("3");
    await expect(there.locator(".note[role=status]")).toContainText(REPRODUCED);
  });
});

test.describe("the dialog", () => {
  test("copies the link", async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await open(page);
    await type(page, "G", "3");
    await bar(page, "Share").click();
    const dialog = page.getByRole("dialog", { name: "Share this notebook" });
    await dialog.getByRole("button", { name: "Copy link" }).click();
    await expect(dialog.getByRole("button", { name: "Copied" })).toBeVisible();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(await dialog.getByRole("textbox").inputValue());
    await expect(dialog).toContainText(new RegExp(`^.*${copied.length} characters: .*short enough for chat`));
    await expect(dialog).toContainText(/Check [0-9A-F]{4}-[0-9A-F]{4}/);
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
    await expect(bar(page, "Share"), "the focus goes back to where it was").toBeFocused();
  });

  test("holds the focus while it is open", async ({ page }) => {
    await open(page);
    await bar(page, "Share").click();
    const dialog = page.getByRole("dialog");
    await expect(dialog).toBeVisible();
    for (let step = 0; step < 12; step += 1) {
      await page.keyboard.press("Tab");
      const outside = await page.evaluate(() => !document.activeElement.closest("dialog") && document.activeElement !== document.body);
      expect(outside).toBe(false);
    }
    await dialog.getByRole("button", { name: "Close" }).click();
    await expect(dialog).toHaveCount(0);
  });
});

// What became of a link on its way.
const another = (letter) => (letter === "A" ? "B" : "A");
const DAMAGE = [
  { name: "cut in half", harm: (link) => link.slice(0, link.length / 2), says: /was cut: \d+ of \d+ characters came/ },
  { name: "without its last letter", harm: (link) => link.slice(0, -1), says: /was cut: \d+ of \d+ characters came/ },
  { name: "with one letter changed", harm: (link) => link.slice(0, 400) + another(link[400]) + link.slice(401), says: /was changed/ },
  { name: "with words added", harm: (link) => `${link})`, says: /something was added/i },
  { name: "of an unknown version", harm: () => "#7:abcd", says: /version 7: it was made by a newer/ },
  { name: "that is only its beginning", harm: () => "#0:", says: /was cut/ },
];

for (const { name, harm, says } of DAMAGE) {
  test(`a link ${name} is told and opens nothing`, async ({ page, other }) => {
    await open(page);
    await type(page, "G", "3");
    await settled(page);
    const fragment = new URL(page.url()).hash;
    const there = await other();
    await open(there, `./${harm(fragment)}`);
    await expect(failure(there).getByRole("heading", { level: 2 })).toHaveText("This link cannot be opened as it is");
    await expect(failure(there)).toContainText(says);
    await expect(failure(there)).toContainText("Nothing was opened.");
    await expect(field(there, "G"), "the notebook below is not that of the link").toHaveValue("2");
    await failure(there).getByRole("button", { name: "Stay here" }).click();
    await expect(failure(there)).toHaveCount(0);
    await expect(heading(there)).toHaveText("One smoothing factor, or two?");
  });
}

test("what could be read of a link opens when asked for", async ({ page, other }) => {
  await open(page);
  await type(page, "G", "3");
  await settled(page);
  const fragment = new URL(page.url()).hash;
  const there = await other();
  await open(there, `./${fragment.slice(0, fragment.length * 0.9)}`);
  await failure(there).getByRole("button", { name: "Open what could be read" }).click();
  await expect(failure(there)).toHaveCount(0);
  await expect(field(there, "G")).toHaveValue("3");
  await expect(there.getByText("Reproduced"), "it was not checked").toHaveCount(0);
});

test("a damaged link over a notebook leaves that as it was", async ({ page }) => {
  await open(page);
  await type(page, "G", "3");
  await settled(page);
  const before = await text(page);
  await page.evaluate(() => (location.hash = "#7:abcd"));
  await expect(failure(page)).toBeVisible();
  await expect(field(page, "G")).toHaveValue("3");
  expect(await text(page)).toBe(before);
  await failure(page).getByRole("button", { name: "Stay here" }).click();
  await page.reload();
  await expect(field(page, "G")).toHaveValue("3");
});

test("a place on the page is no link to a notebook", async ({ page }) => {
  await open(page);
  await page.evaluate(() => (location.hash = "#nb"));
  await type(page, "G", "3");
  await expect(failure(page)).toHaveCount(0);
});
