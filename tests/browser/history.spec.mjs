// Undo and redo: over the whole notebook, a drag being one step.
import { expect, open, test } from "./page.mjs";
import { bar, cell, drop, field, figure, numbers, slider, text, trace, type } from "./notebook.mjs";

const undo = (page) => page.keyboard.press("Control+z");
const redo = (page) => page.keyboard.press("Control+Shift+z");

// Leaves fields, where Ctrl+Z belongs to what is typed.
const leave = (page) => page.locator("#nb").focus();

test.beforeEach(({ page }) => open(page));

test("typed values, drags, traces and estimators go back one by one", async ({ page }) => {
  const states = [];
  const note = async () => states.push({ text: await text(page), row: await numbers(page, "A") });
  await note();
  await expect(bar(page, "Undo")).toBeDisabled();

  await test.step("typed", async () => {
    await type(page, "F1", "7/8");
    await note();
    await type(page, "F1", "1/2");
    await note();
  });
  await test.step("dragged", async () => {
    const track = await slider(page, /threshold/).boundingBox();
    await page.mouse.move(track.x + 8 + (track.width - 16) / 3, track.y + track.height / 2);
    await page.mouse.down();
    for (let step = 0; step <= 20; step += 1) {
      await page.mouse.move(track.x + track.width * (0.35 + step * 0.02), track.y + track.height / 2);
    }
    await page.mouse.up();
    await note();
  });
  await test.step("another trace", async () => {
    await trace(page).selectOption("rfc889/dcn1-local/DCN6");
    await note();
  });
  await test.step("another estimator", async () => {
    await cell(page).getByRole("button", { name: "Add an estimator" }).click();
    await note();
  });
  expect(new Set(states.map((state) => state.text)).size, "each step changed the text").toBe(states.length);
  await expect(bar(page, "Redo")).toBeDisabled();

  await leave(page);
  for (const state of states.slice(0, -1).reverse()) {
    await undo(page);
    expect(await text(page)).toBe(state.text);
    expect(await numbers(page, "A")).toEqual(state.row);
  }
  await expect(bar(page, "Undo")).toBeDisabled();
  for (const state of states.slice(1)) {
    await redo(page);
    expect(await text(page)).toBe(state.text);
    expect(await numbers(page, "A")).toEqual(state.row);
  }
  await expect(bar(page, "Redo")).toBeDisabled();
});

test("two drags of one slider are two steps", async ({ page }) => {
  const track = await slider(page, /delay rising/).boundingBox();
  const at = (part) => track.x + 8 + (track.width - 16) * part;
  for (const [from, to] of [[0.75, 0.5], [0.5, 0.25]]) {
    await page.mouse.move(at(from), track.y + track.height / 2);
    await page.mouse.down();
    await page.mouse.move(at(to), track.y + track.height / 2, { steps: 5 });
    await page.mouse.up();
  }
  await expect(field(page, "F2")).toHaveValue("0.25");
  for (const value of ["0.5", "0.75"]) {
    await bar(page, "Undo").click();
    await expect(field(page, "F2")).toHaveValue(value);
  }
  await expect(bar(page, "Undo")).toBeDisabled();
});

test("a held key is one step", async ({ page }) => {
  await slider(page, /delay rising/).focus();
  for (const value of ["0.734375", "0.71875", "0.703125"]) {
    await page.keyboard.down("ArrowLeft");
    await expect(field(page, "F2")).toHaveValue(value);
  }
  await page.keyboard.up("ArrowLeft");
  await undo(page);
  await expect(field(page, "F2")).toHaveValue("0.75");
  await expect(bar(page, "Undo")).toBeDisabled();
});

test("a chosen file and the data it brings go back together", async ({ page }) => {
  const before = await text(page);
  await drop(page, { name: "lab.csv", bytes: "t_s,delay_ms\n0,12\n1,13\n2,\n" });
  await page.getByRole("button", { name: "Show it in foe" }).click();
  await expect(figure(page)).toHaveAttribute("aria-label", /of 3 packets/);
  await undo(page);
  expect(await text(page)).toBe(before);
  await redo(page);
  await expect(figure(page)).toHaveAttribute("aria-label", /of 3 packets/);
});

test("a refused value is no step", async ({ page }) => {
  await type(page, "F1", "2");
  await expect(cell(page).getByRole("alert")).toBeVisible();
  await expect(bar(page, "Undo")).toBeDisabled();
});

test("a new change forgets what could be redone", async ({ page }) => {
  await type(page, "G", "3");
  await bar(page, "Undo").click();
  await expect(bar(page, "Redo")).toBeEnabled();
  await type(page, "F1", "1/2");
  await expect(bar(page, "Redo")).toBeDisabled();
});

test("in a field Ctrl+Z is the field's own", async ({ page }) => {
  await slider(page, /threshold/).press("ArrowRight");
  await expect(field(page, "G")).toHaveValue("2.0625");
  await field(page, "F1").focus();
  await page.keyboard.type("12");
  await undo(page);
  await expect(field(page, "F1")).not.toHaveValue(/12/);
  await expect(field(page, "G")).toHaveValue("2.0625");
});
