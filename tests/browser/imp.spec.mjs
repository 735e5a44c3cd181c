// Flow control of 1974: examples, disturbances, the stepper, the search, the clocked flow.
import { violations } from "./axe.mjs";
import { expect, open, test } from "./page.mjs";
import { bar, cell, figure, openSource, setSource, text } from "./notebook.mjs";

async function openCells(page, ...cells) {
  await open(page);
  const text = cells.map(([head, body]) => `\`\`\`netspurt ${head}\n${body}\`\`\`\n`).join("\n");
  // A phone's bar has no room for the button that opens.
  await page.locator("input[type=file]").setInputFiles({ name: "imp.md", mimeType: "", buffer: Buffer.from(`# IMP\n\n${text}`) });
  for (const [head] of cells) await expect(cell(page, head.split(" ")[1]).locator("table.ro").first()).toBeAttached({ timeout: 30_000 });
}

test("an example is chosen, disturbed, and stepped to where it goes wrong", async ({ page }) => {
  await openCells(page, ["imp x", "window = 2\n"]);
  const x = cell(page, "x");
  await x.getByLabel("Example").selectOption("Both tables side by side");
  await expect(x.locator(".heads .head")).toHaveText([/Current scheme.*Table 1/, /First modified scheme.*Table 2/]);
  await expect(figure(page, "x")).toHaveAttribute("aria-label", /under current 7 are rejected and 5 sent again; under modified-1 1 are/);
  await expect(x.locator(".cap")).toContainText("One disturbance, two schemes");
  const chosen = await text(page);
  expect(chosen).toContain('beside = "modified-1"');

  await x.getByRole("button", { name: "i+3 held up: 0" }).click();
  await x.getByRole("button", { name: "i+3 held up: 1" }).click();
  await x.getByRole("button", { name: "i+1 overtakes" }).click();
  await x.getByRole("button", { name: "i line error" }).click();
  await expect.poll(() => text(page)).toContain("rounds = 5\nline-errors = [0]\nheld-up = [[3, 2]]\n");
  for (let i = 0; i < 4; i++) await bar(page, "Undo").click();
  expect(await text(page), "each is a step of its own").toBe(chosen);

  const at = x.locator(".steps .at");
  await x.getByRole("button", { name: "First step" }).click();
  await x.getByLabel("Play to").selectOption("first rejection, current");
  await figure(page, "x").focus();
  await page.keyboard.press("Space");
  await expect(at).toContainText("Step 5 of ", { timeout: 10_000 });
  await page.waitForFunction(() => document.querySelector("#cell-x [aria-label=Play]"), null, { timeout: 3000 });
  await expect(x.locator(".said")).toContainText("it is early, so it is discarded");
  await expect(x.locator(".heads .is-shown")).toContainText("refused i+1");

  await bar(page, "Undo").click();
  expect(await text(page)).toContain("```netspurt imp x\nwindow = 2\n```");
});

test("a phone shows one scheme at a time", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openCells(page, ["imp x", 'beside = "modified-1"\nrounds = 5\novertakes = [1]\n'], ["imp-flow y", ""], ["imp-lockup z", "window = 2\n"]);
  const heads = cell(page, "x").locator(".heads .head:visible");
  await expect(heads).toHaveText([/Current scheme/]);
  const tall = (await figure(page, "x").boundingBox()).height;
  await cell(page, "x").getByRole("button", { name: "First modified scheme" }).click();
  await expect(heads).toHaveText([/First modified scheme/]);
  // Its table is longer.
  await expect.poll(async () => (await figure(page, "x").boundingBox()).height).toBeGreaterThan(tall + 100);
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), `at ${width}`).toBe(0);
  }
  expect(await violations(page)).toEqual([]);
});

test("a deadlock that a search finds is stepped through", async ({ page }) => {
  await openCells(page, ["imp-lockup l", 'scheme = "naive"\nwindow = 2\nbuffers = 1\n']);
  const l = cell(page, "l");
  await expect(figure(page, "l")).toHaveAttribute("aria-label", /naive locks up in 12 of 28 cases searched/, { timeout: 20_000 });
  await l.getByRole("button", { name: /Step through a deadlock, \d+ events/ }).click();
  const run = cell(page, "imp-1");
  await expect(run).toBeFocused();
  await expect(run).toContainText("nothing can move any more");
  await run.getByRole("button", { name: "First step" }).click();
  await run.getByRole("button", { name: "Last step" }).click();
  await expect(run.locator(".heads")).toContainText("stored");
  await l.locator("summary", { hasText: "RFC 626's own lock-up, as printed" }).click();
  await expect(l.locator(".aside")).toContainText("printed 'Al' (letter l) for 'A1'");
  // A case of the table is picked by key: the next window, the same buffers.
  await figure(page, "l").focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => text(page)).toContain("window = 3\nbuffers = 1\n");
});

test("the flow goes through the experiments, and says what is fitted", async ({ page }) => {
  await openCells(page, ["imp-flow f", ""]);
  const f = cell(page, "f");
  await expect(f.locator(".from").filter({ hasText: "documented" }).first()).toBeVisible();
  await expect(f.locator(".from").filter({ hasText: "fitted" }).first()).toBeVisible();
  const trap = f.getByRole("button", { name: "1 April 1974" });
  await trap.click();
  await expect(trap).toHaveAttribute("aria-pressed", "true");
  await expect(f.locator(".wide-only", { hasText: "the trap, by formula" }).locator(".let", { hasText: "by formula" })).toBeVisible();
  await expect(f.locator(".wide-only", { hasText: "RFNM and ALL" })).toContainText("B, line 3");
  await f.getByRole("button", { name: "Speech" }).click();
  await expect(f).toContainText("Messages come every 40 ms; the listener's longest gap");
  await expect(f.getByRole("textbox", { name: "input every, value" })).toHaveValue("40");
  // A run of a hundred thousand seconds tells how far it is, and is stopped.
  await setSource(page, "duration-ms = 100000000\n", "f");
  await expect(f.locator(".working")).toContainText(/\d+ of 100000 seconds/, { timeout: 20_000 });
  await f.getByRole("button", { name: "Stop here" }).click();
  await expect(f.locator(".working")).toContainText("Stopped before the end");
});

test("what cannot be is refused, and says what would work", async ({ page }) => {
  await openCells(page, ["imp x", ""], ["imp-flow y", ""]);
  for (const [id, body, says] of [
    ["x", "window = 0\n", "window must be from 1 to 64, not 0"],
    ["x", 'arrivals = ["dst MSG 7"]\n', 'item 1, "dst MSG 7", cannot happen: that is not in flight; possible are "dst MSG 0"'],
    ["x", "buffers = 0\n", "buffers must be from 1 to 1000, not 0"],
    ["x", 'total = "endless"\n', "total must be a whole number, not \"endless\""],
    ["y", "[paths]\nA = []\n", "path A must have from 1 to 32 lines, not 0"],
    ["y", "[paths]\nA = [50, 0]\n", "a line's rate must be from 0.1 to 10000000 kbs, not 0"],
    ["y", "gap-ms = -1\n", "gap-ms must be from 0 to 100000 ms, not -1"],
    ["y", "duration-ms = inf\n", "duration-ms must be from 1 to 100000000 ms, not inf"],
  ]) {
    const source = cell(page, id).getByRole("textbox", { name: `Source of cell ${id}` });
    if (!(await source.isVisible())) await openSource(page, id);
    await source.fill(body);
    await source.press("Control+Enter");
    await expect(cell(page, id)).toContainText(new RegExp(says.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/^\w/, "\\w")), { timeout: 10_000 });
  }
  await cell(page, "y").getByRole("textbox", { name: "Source of cell y" }).fill("");
  await page.keyboard.press("Control+Enter");
  await expect(cell(page, "y").locator("table.ro").first()).toBeAttached();
});
