// The retransmission cell: settings, sliders, fields and estimators, and what the readout says of them.
import { expect, open, test } from "./page.mjs";
import { cell, field, numbers, row, rush, slider, tab, text, type } from "./notebook.mjs";

const SPURIOUS = 3;

test.beforeEach(({ page }) => open(page));

test("what was printed stands beside what is computed", async ({ page }) => {
  await expect(row(page, "printed").locator("th")).toHaveText("RFC 889 (15/16, 3/4, 2)");
  expect(await numbers(page, "printed")).toEqual(["670", "3", "7.5", "21", "73.3", "1150", ".69", ".87"]);
  await expect(row(page, "A").locator("th")).toHaveText("AF1 = 15/16, F2 = 3/4, G = 2");
  // The trace is rebuilt to meet these; the others come near.
  const [, lost, , , , mean, cov] = await numbers(page, "A");
  expect([lost, mean, cov]).toEqual(["3", "1150", "0.69"]);
  const faces = [row(page, "printed"), row(page, "A")].map((row) =>
    row.locator("td").first().evaluate((cell) => getComputedStyle(cell).fontFamily.split(",")[0])
  );
  expect(await Promise.all(faces), "printed words are set in the typewriter face, computed ones are not")
    .toEqual(['"Netspurt Mono"', '"Netspurt Sans"']);
});

test("three settings meet the same packets", async ({ page }) => {
  const rows = await Promise.all(["A", "B", "C"].map((letter) => numbers(page, letter)));
  for (const [, lost, , , , mean, cov] of rows) expect([lost, mean, cov]).toEqual(["3", "1150", "0.69"]);
  expect(new Set(rows.map((row) => row[SPURIOUS])).size, "and fare differently").toBe(3);
});

test("a slider moves by drag, and the readout while it moves", async ({ page }) => {
  const track = await slider(page, /delay rising/).boundingBox();
  // The thumb is 16 px wide and stays inside the track.
  const at = (part) => track.x + 8 + (track.width - 16) * part;
  const [before, other] = [await numbers(page, "A"), await numbers(page, "B")];
  await page.mouse.move(at(0.75), track.y + track.height / 2);
  await page.mouse.down();
  await page.mouse.move(at(0.5), track.y + track.height / 2, { steps: 4 });
  await expect(field(page, "F2")).toHaveValue("0.5");
  await expect(row(page, "A").locator("th")).toContainText("F2 = 1/2");
  expect(await numbers(page, "A")).not.toEqual(before);
  await page.mouse.move(at(0.25), track.y + track.height / 2, { steps: 4 });
  await page.mouse.up();
  await expect(field(page, "F2")).toHaveValue("0.25");
  expect(await numbers(page, "B"), "the other estimators stay").toEqual(other);
});

test("a slider moves by keys", async ({ page }) => {
  const value = field(page, "F2");
  await slider(page, /delay rising/).focus();
  for (const [key, expected] of [
    ["ArrowRight", 49 / 64],
    ["ArrowUp", 50 / 64],
    ["ArrowLeft", 49 / 64],
    ["ArrowDown", 48 / 64],
    ["Shift+ArrowLeft", 38 / 64],
    ["Shift+ArrowRight", 48 / 64],
    ["Home", 0],
    ["ArrowLeft", 0],
    ["End", 1],
    ["Shift+ArrowRight", 1],
    ["Delete", 3 / 4],
  ]) {
    await page.keyboard.press(key);
    await expect(value, key).toHaveValue(String(expected));
    await expect(slider(page, /delay rising/)).toHaveAttribute("aria-valuetext", new RegExp(String(expected)));
  }
  await expect(slider(page, /delay rising/)).toBeFocused();
});

test("keys that come faster than the page draws all count", async ({ page }) => {
  await rush(slider(page, /delay rising/), ...Array(16).fill("ArrowLeft"));
  await expect(field(page, "F2")).toHaveValue("0.5");
});

test("a field takes decimals, fractions and percent", async ({ page }) => {
  for (const [typed, value, fraction] of [
    ["7/8", "0.875", "7/8"],
    ["15/16", "0.9375", "15/16"],
    ["0.5", "0.5", "1/2"],
    ["93.75%", "0.9375", "15/16"],
    [" 3/4 ", "0.75", "3/4"],
  ]) {
    await type(page, "F1", typed);
    await expect(field(page, "F1"), typed).toHaveValue(value);
    await expect(cell(page).locator(".sl", { hasText: "delay falling" }).locator(".val>.frac")).toHaveText(fraction);
    // With two equal factors the readout names one, F.
    await expect(row(page, "A").locator("th")).toContainText(new RegExp(`F1? = ${fraction}`));
  }
});

test("a value out of range is refused in place and changes nothing", async ({ page }) => {
  const [before, written] = [await numbers(page, "A"), await text(page)];
  for (const [typed, says] of [["2", /from 0 to 1.*2/], ["-1/2", /from 0 to 1/], ["much", /number.*much/], ["", /number/]]) {
    await type(page, "F1", typed);
    const hint = cell(page).getByRole("alert");
    await expect(hint).toHaveText(says);
    await expect(field(page, "F1")).toHaveAttribute("aria-invalid", "true");
    await expect(field(page, "F1")).toHaveAttribute("aria-describedby", await hint.getAttribute("id"));
    await expect(field(page, "F1"), "what was typed stays to be mended").toHaveValue(typed);
  }
  expect(await numbers(page, "A")).toEqual(before);
  expect(await text(page)).toBe(written);
  await type(page, "F1", "7/8");
  await expect(cell(page).getByRole("alert")).toHaveCount(0);
  await expect(field(page, "F1")).not.toHaveAttribute("aria-invalid");
});

test("reset stands beside a slider that is off its default, and only there", async ({ page }) => {
  const reset = cell(page).getByRole("button", { name: "Reset F1 to 15/16" });
  await expect(reset).toBeHidden();
  await type(page, "F1", "1/2");
  await reset.click();
  await expect(field(page, "F1")).toHaveValue("0.9375");
  await expect(reset).toBeHidden();
});

test("the values of 1983 come back at once", async ({ page }) => {
  const before = await numbers(page, "A");
  const button = cell(page).getByRole("button", { name: "Values of 1983" });
  await expect(button).toBeDisabled();
  for (const [name, value] of [["F1", "1/2"], ["F2", "1/2"], ["G", "3"]]) await type(page, name, value);
  await button.click();
  for (const [name, value] of [["F1", "0.9375"], ["F2", "0.75"], ["G", "2"]]) {
    await expect(field(page, name)).toHaveValue(value);
  }
  expect(await numbers(page, "A")).toEqual(before);
  await expect(button).toBeDisabled();
});

test("arrow keys go through the estimators", async ({ page }) => {
  await tab(page, "A").focus();
  for (const [key, letter, name] of [
    ["ArrowRight", "B", "F1"],
    ["ArrowRight", "C", "K"],
    ["ArrowRight", "A", "F1"],
    ["ArrowLeft", "C", "K"],
    ["Home", "A", "F1"],
    ["End", "C", "K"],
  ]) {
    await page.keyboard.press(key);
    await expect(tab(page, letter)).toBeFocused();
    await expect(tab(page, letter)).toHaveAttribute("aria-selected", "true");
    await expect(cell(page).getByRole("tab", { selected: true })).toHaveCount(1);
    await expect(cell(page).getByRole("tabpanel", { name: letter })).toContainText(name);
    await expect(row(page, letter), "its row is the bold one").toHaveClass("on");
  }
});

test("sliders belong to the chosen estimator", async ({ page }) => {
  await tab(page, "B").click();
  const [a, b, c] = await Promise.all(["A", "B", "C"].map((letter) => numbers(page, letter)));
  await expect(field(page, "F2")).toHaveValue("0.875");
  await type(page, "F2", "1/2");
  await expect(row(page, "B").locator("th")).toContainText("F2 = 1/2");
  expect(await numbers(page, "B")).not.toEqual(b);
  expect([await numbers(page, "A"), await numbers(page, "C")]).toEqual([a, c]);
});

test("an estimator can be added and removed", async ({ page }) => {
  const add = cell(page).getByRole("button", { name: "Add an estimator" });
  const like = await numbers(page, "A");
  await add.click();
  await expect(tab(page, "D")).toHaveAttribute("aria-selected", "true");
  expect(await numbers(page, "D"), "it begins like the one that was chosen").toEqual(like);
  await expect(add, "four are the most").toBeDisabled();
  await type(page, "F2", "1/4");
  await expect(row(page, "D").locator("th")).toContainText("F2 = 1/4");
  expect(await numbers(page, "D")).not.toEqual(like);

  await cell(page).getByText("More", { exact: true }).click();
  await cell(page).getByRole("button", { name: "Remove D" }).click();
  await expect(cell(page).getByRole("tab")).toHaveText(["A", "B", "C"]);
  await expect(row(page, "D")).toHaveCount(0);
  await expect(add).toBeEnabled();
  expect(await text(page)).not.toMatch(/^d = /m);
});

test("an estimator can be another one", async ({ page }) => {
  const before = await numbers(page, "B");
  await tab(page, "B").click();
  await cell(page).getByText("More", { exact: true }).click();
  await cell(page).getByRole("combobox", { name: "Estimator B" }).selectOption({ label: "RFC 6298" });
  await expect(row(page, "B").locator("th")).toContainText("RFC 6298");
  await expect(cell(page).getByRole("tabpanel", { name: "B" })).toContainText("variations above");
  expect(await text(page)).toMatch(/^b = "rfc6298"$/m);
  expect(await numbers(page, "B")).not.toEqual(before);
});

test("another trace brings its own printed row", async ({ page }) => {
  const before = await numbers(page, "A");
  await cell(page).getByRole("combobox", { name: "Trace" }).selectOption("rfc889/dcn1-local/DCN5");
  await expect(row(page, "printed").locator("td").first()).not.toHaveText("670");
  expect(await numbers(page, "A")).not.toEqual(before);
  await expect(cell(page).locator(".field", { hasText: "Trace" })).toContainText("Rebuilt from the printed summary, seed");
  expect(await text(page)).toContain('trace = "rfc889/dcn1-local/DCN5"');
});
