// Keys that act on the page as a whole.
import { expect, open, test } from "./page.mjs";
import { bar, cell, field, figure, openSource, saved, slider, text, type } from "./notebook.mjs";

const library = (page) => page.getByRole("navigation", { name: "Library" });
const keysDialog = (page) => page.getByRole("dialog", { name: "Keys" });

test.beforeEach(({ page }) => open(page));

test("L opens and closes the library, Esc closes it", async ({ page }) => {
  for (const closing of ["l", "Escape"]) {
    await page.keyboard.press("l");
    await expect(library(page)).toBeVisible();
    await expect(bar(page, "Library")).toHaveAttribute("aria-expanded", "true");
    await page.keyboard.press(closing);
    await expect(library(page)).toHaveCount(0);
  }
});

test("Esc leaves the library's search, then closes the library and gives the focus back", async ({ page }) => {
  await bar(page, "Library").click();
  const runs = library(page).locator("li.run");
  const all = await runs.count();
  await library(page).getByRole("searchbox").fill("linkabit");
  await expect.poll(() => runs.count()).toBeLessThan(all);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(library(page)).toHaveCount(0);
  await expect(bar(page, "Library")).toBeFocused();
});

test("? lists the keys, Esc closes the list", async ({ page }) => {
  await page.keyboard.press("?");
  await expect(keysDialog(page)).toBeVisible();
  for (const key of ["Ctrl+Z", "Ctrl+O", "Ctrl+S", "Home", "Delete", "Esc"]) {
    await expect(keysDialog(page).getByText(key, { exact: true }).first()).toBeVisible();
  }
  await page.keyboard.press("Escape");
  await expect(keysDialog(page)).toHaveCount(0);
  await page.keyboard.press("?");
  await expect(keysDialog(page), "it opens again").toBeVisible();
});

test("single letters can be turned off, for good", async ({ page }) => {
  await bar(page, "Keys").click();
  await keysDialog(page).getByRole("checkbox", { name: /Single letters are commands/ }).uncheck();
  await page.keyboard.press("Escape");
  for (const visit of ["this one", "the next"]) {
    if (visit === "the next") await page.reload();
    await expect(figure(page)).toBeVisible();
    await page.keyboard.press("l");
    await page.keyboard.press("?");
    await page.keyboard.press("Control+s");
    await expect(library(page), visit).toHaveCount(0);
    await expect(keysDialog(page), visit).toHaveCount(0);
  }
  await bar(page, "Keys").click();
  await expect(keysDialog(page).getByRole("checkbox", { name: /Single letters are commands/ })).not.toBeChecked();
});

test("letters typed into a field are text", async ({ page }) => {
  await field(page, "F1").fill("");
  await field(page, "F1").pressSequentially("l?");
  await expect(field(page, "F1")).toHaveValue("l?");
  await expect(library(page)).toHaveCount(0);
  await expect(keysDialog(page)).toHaveCount(0);
});

test("Up and Down go from cell to cell, Enter edits, Esc leaves", async ({ page }) => {
  for (const [key, id] of [["ArrowDown", "foe"], ["ArrowDown", "ucl"], ["ArrowDown", "ucl"], ["ArrowUp", "foe"], ["ArrowUp", "foe"]]) {
    await page.keyboard.press(key);
    await expect(cell(page, id)).toBeFocused();
    await expect(cell(page, id)).toHaveClass(/is-current/);
    await expect(cell(page, id)).toBeInViewport();
    await expect(page.locator(".is-current")).toHaveCount(1);
  }
  await page.keyboard.press("Enter");
  const source = cell(page).getByRole("textbox", { name: "Source of cell foe" });
  await expect(source).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(source, "arrows are the text's own now").toBeFocused();
  await page.keyboard.press("Escape");
  await expect(source).toHaveCount(0);
  await expect(cell(page)).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(cell(page, "ucl")).toBeFocused();
});

test("Ctrl+Z and Ctrl+Shift+Z undo and redo from the page and from a slider", async ({ page }) => {
  await type(page, "G", "3");
  for (const place of [page.locator("#nb"), slider(page, /threshold/)]) {
    await place.focus();
    await page.keyboard.press("Control+z");
    await expect(field(page, "G")).toHaveValue("2");
    await page.keyboard.press("Control+Shift+z");
    await expect(field(page, "G")).toHaveValue("3");
  }
});

test("Ctrl+S saves the notebook as it is, letter for letter", async ({ page }) => {
  await type(page, "G", "3");
  const file = await saved(page, () => page.keyboard.press("Control+s"));
  expect(file.name).toBe("one-smoothing-factor-or-two.md");
  expect(file.text).toMatch(/^# One smoothing factor, or two\?\n/);
  expect(file.text).toContain('a = "mills f1=15/16 f2=3/4 g=3"\n');
  expect(file.text).toBe(await text(page));
});

test("Ctrl+S and Ctrl+O are the page's in an editor too, not the browser's", async ({ page }) => {
  const source = await openSource(page);
  await source.focus();
  const left = await source.evaluate((source) =>
    ["s", "o"].filter((key) => source.dispatchEvent(new KeyboardEvent("keydown", { key, ctrlKey: true, bubbles: true, cancelable: true })))
  );
  expect(left, "keys left to the browser").toEqual([]);
});

test("a menu closes by Esc, which keeps the focus, and by a click elsewhere", async ({ page }) => {
  const button = cell(page).getByRole("button", { name: /More actions/ });
  const menu = cell(page).locator(".menu");
  await button.click();
  await expect(menu).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(menu).toHaveCount(0);
  await expect(button).toBeFocused();
  await button.click();
  await expect(menu).toBeVisible();
  await page.getByRole("heading", { level: 1 }).click();
  await expect(menu).toHaveCount(0);
});

test("Tab goes in reading order and reaches every control", async ({ page }) => {
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "To the notebook" })).toBeFocused();
  await page.keyboard.press("Enter");
  const order = [];
  for (let step = 0; step < 40; step += 1) {
    await page.keyboard.press("Tab");
    order.push(await page.evaluate(() => document.activeElement.getAttribute("aria-label") || document.activeElement.id || document.activeElement.textContent));
  }
  const wanted = ["Edit text", "Table", "Source", "foe-trace", "foe-tab-0", "F1, value", "p-foe-a-f1", "F2, value", "p-foe-a-g"];
  const at = wanted.map((name) => order.indexOf(name));
  expect(at, order.join(" | ")).not.toContain(-1);
  expect(at).toEqual([...at].sort((a, b) => a - b));
  expect(order.some((name) => /packets against time/.test(name)), "the figure as well").toBe(true);
});

test("what has the focus shows it", async ({ page }) => {
  for (let step = 0; step < 30; step += 1) {
    await page.keyboard.press("Tab");
    const seen = await page.evaluate(() => {
      const element = document.activeElement;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return { what: element.outerHTML.slice(0, 80), ring: `${outlineStyle} ${outlineWidth}` };
    });
    expect(seen.ring, seen.what).toBe("solid 2px");
  }
});
