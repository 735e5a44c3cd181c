// The text of the notebook: cells' sources, errors in their place, prose, and cells that come, go and move.
import { expect, open, test } from "./page.mjs";
import { bar, cell, field, figure, numbers, openSource, row, setSource, text, type } from "./notebook.mjs";

const BROKEN = 'trace = "rfc889/dcn1-local/FOE"\na = "mills f1=15"\nb = "mills"\n';
const sections = (page) => page.locator("main > section.exp").evaluateAll((all) => all.map((one) => one.id));

async function more(page, action, id = "foe") {
  await cell(page, id).getByRole("button", { name: /More actions/ }).click();
  await cell(page, id).locator(".menu").getByRole("button", { name: action, exact: true }).click();
}

test.beforeEach(({ page }) => open(page));

test.describe("a cell's source", () => {
  test("can be edited", async ({ page }) => {
    const source = await openSource(page);
    await expect(source).toHaveValue(/^trace = "rfc889\/dcn1-local\/FOE"\n/);
    await source.fill('# mine\ntrace = "rfc889/dcn1-local/FOE"\na = "mills f1=1/2" # fast\n');
    await source.press("Control+Enter");
    await expect(row(page, "A").locator("th")).toContainText("F1 = 1/2");
    await expect(cell(page).getByRole("tab")).toHaveText(["A"]);
    await type(page, "F1", "3/4");
    await expect(source, "a slider changes one word and leaves the rest").toHaveValue(/^# mine\n.*\na = "mills f1=3\/4" # fast\n/);
    expect(await text(page)).toContain('a = "mills f1=3/4" # fast');
  });

  test("is left as it was by Esc", async ({ page }) => {
    const before = await text(page);
    const source = await openSource(page);
    await source.fill("nothing");
    await source.press("Escape");
    await expect(source).toHaveCount(0);
    expect(await text(page)).toBe(before);
  });

  test("with an error says so beside its line, and other cells run on", async ({ page }) => {
    const other = await numbers(page, "A", "ucl");
    const source = await setSource(page, BROKEN);
    await expect(source).toHaveAttribute("aria-invalid", "true");
    await expect(cell(page).locator(".edit [role=alert]")).toHaveText(/^line 2: .*f1 must be from 0 to 1/i);
    await source.press("Escape");

    await expect(cell(page).getByRole("heading", { level: 2 })).toHaveText("This cell cannot run yet");
    await expect(cell(page).getByRole("alert")).toContainText(/f1 must be from 0 to 1.*The rest of the notebook runs as before\./i);
    await expect(cell(page).locator("pre .bad")).toHaveText(/^a = "mills f1=15"\s+← .*did you mean 15\/16\?/);
    const line = Number((await cell(page).getByRole("alert").innerText()).match(/on line (\d+) of the notebook/)[1]);
    expect((await text(page)).split("\n")[line - 1]).toBe('a = "mills f1=15"');

    expect(await numbers(page, "A", "ucl")).toEqual(other);
    await type(page, "G", "3", "ucl");
    await expect.poll(() => numbers(page, "A", "ucl")).not.toEqual(other);
  });

  test("is mended by the button that offers it", async ({ page }) => {
    await (await setSource(page, BROKEN)).press("Escape");
    await cell(page).getByRole("button", { name: "Use 15/16" }).click();
    await expect(row(page, "A").locator("th")).toContainText("F1 = 15/16");
    expect(await text(page)).toContain('a = "mills f1=15/16"\n');
    await page.keyboard.press("Control+z");
    await expect(cell(page).getByRole("heading", { level: 2 })).toHaveText("This cell cannot run yet");
  });

  for (const [name, body, says] of [
    ["an unknown key", 'trace = "rfc889/dcn1-local/FOE"\nz = 1\n', /z/],
    ["an unknown estimator", 'trace = "rfc889/dcn1-local/FOE"\na = "milles"\n', /milles.*mills/],
    ["no TOML", "a =\n", /./],
    ["a trace that does not exist", 'trace = "rfc889/dcn1-local/FOO"\na = "mills"\n', /FOO/],
    ["a file that is not here", 'trace = "file/lab.csv#7c7c7c7c7c7c"\na = "mills"\n', /lab\.csv/],
  ]) {
    test(`with ${name} says so in its place`, async ({ page }) => {
      await (await setSource(page, body)).press("Escape");
      await expect(cell(page)).toContainText(says);
      await expect(cell(page)).toContainText("The rest of the notebook runs as before.");
      await expect(figure(page, "ucl")).toHaveAttribute("aria-label", /packets/);
    });
  }

  test("cannot close its own fence", async ({ page }) => {
    const before = await text(page);
    await setSource(page, 'a = "mills"\n```\n\n# Elsewhere\n', "ucl");
    await expect(page.getByRole("alert")).toContainText("Nothing was changed.");
    await expect(page.getByRole("alert"), "and that is in view").toBeInViewport();
    expect(await text(page)).toBe(before);
  });
});

test.describe("prose", () => {
  const prose = (page) => page.locator("section.prose").first();

  test("can be edited", async ({ page }) => {
    await prose(page).getByRole("button", { name: "Edit text" }).click();
    const words = page.getByRole("textbox", { name: "Text in Markdown" });
    await expect(words).toHaveValue(/^# One smoothing factor, or two\?\n/);
    await words.fill("# Another title\n\nWith <b>no markup</b>, *emphasis*, *F1* and 15/16.\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n");
    await page.getByRole("button", { name: "Apply" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Another title");
    await expect(page).toHaveTitle("Another title · Netspurt");
    await expect(prose(page)).toContainText("With <b>no markup</b>, emphasis, F1 and 15/16.");
    await expect(prose(page).locator(".var sub")).toHaveText("1");
    await expect(prose(page).locator(".frac")).toHaveText("15/16");
    await expect(prose(page).getByRole("table").getByRole("cell")).toHaveText(["1", "2"]);
  });

  for (const { after, prepare } of [
    { after: "prose", prepare: () => {} },
    { after: "a cell", prepare: (page) => page.getByLabel("Add an experiment").selectOption("rto") },
  ]) {
    test(`can be added after ${after} and opens to be written`, async ({ page }) => {
      await prepare(page);
      await page.getByRole("button", { name: "Add text" }).click();
      const words = page.getByRole("textbox", { name: "Text in Markdown" });
      await expect(words).toBeFocused();
      await words.fill("## Mine\n\nMy words.\n");
      await words.press("Control+Enter");
      await expect(page.locator("section.prose").last()).toContainText("My words.");
      expect(await text(page)).toMatch(/\n\n## Mine\n\nMy words\.\n$/);
    });
  }

  test("is left as it was by Esc", async ({ page }) => {
    const before = await text(page);
    await prose(page).getByRole("button", { name: "Edit text" }).click();
    const words = page.getByRole("textbox", { name: "Text in Markdown" });
    await words.fill("thrown away");
    await words.press("Escape");
    await expect(words).toHaveCount(0);
    expect(await text(page)).toBe(before);
  });

  test("does not run what is written in it", async ({ page }) => {
    await prose(page).getByRole("button", { name: "Edit text" }).click();
    const words = page.getByRole("textbox", { name: "Text in Markdown" });
    await words.fill("# T\n\n<script>document.title = 'run'</script>\n\n[x](javascript:document.title='run')\n\n![p](https://example.com/p.png)\n");
    await words.press("Control+Enter");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("T");
    await expect(page.locator("main script, main a[href^='javascript:'], main img")).toHaveCount(0);
  });
});

test.describe("cells", () => {
  test("can be renamed, by menu or double click", async ({ page }) => {
    const title = cell(page).getByRole("heading", { level: 2 });
    const rename = cell(page).getByRole("textbox", { name: /^Title of cell/ });
    await more(page, "Rename");
    await expect(rename).toBeFocused();
    await rename.fill('A "new" title');
    await rename.press("Enter");
    await expect(title).toHaveText('A "new" title');
    await title.dblclick();
    await rename.fill("thrown away");
    await rename.press("Escape");
    await expect(title).toHaveText('A "new" title');
    expect(await text(page)).toMatch(/^title = .*new/m);
  });

  test("can be doubled, moved and deleted, and that undone", async ({ page }) => {
    const before = await text(page);
    const [foe, ucl] = await sections(page);
    await more(page, "Duplicate");
    const doubled = await sections(page);
    expect([doubled.length, doubled[0], doubled[2]]).toEqual([3, foe, ucl]);
    const copy = doubled[1].replace("cell-", "");
    await expect(cell(page, copy)).toBeFocused();
    expect(await numbers(page, "B", copy)).toEqual(await numbers(page, "B"));
    await type(page, "G", "3", copy);
    expect(await numbers(page, "A", copy), "it is a cell of its own").not.toEqual(await numbers(page, "A"));

    await more(page, "Move up", copy);
    expect(await sections(page)).toEqual([doubled[1], foe, ucl]);
    await expect(cell(page, copy)).toBeFocused();
    await more(page, "Move down", copy);
    expect(await sections(page)).toEqual(doubled);
    await more(page, "Delete this cell", copy);
    expect(await sections(page)).toEqual([foe, ucl]);
    expect(await text(page)).toBe(before);
    await bar(page, "Undo").click();
    expect(await sections(page)).toEqual(doubled);
    for (let step = 0; step < 4; step += 1) await bar(page, "Undo").click();
    expect(await text(page)).toBe(before);
  });

  test("can be added", async ({ page }) => {
    await page.getByLabel("Add an experiment").selectOption("rto");
    const added = page.locator("main > section.exp").last();
    await expect(added).toBeFocused();
    await expect(added.locator(".figure")).toHaveAttribute("aria-label", /packets/);
    await added.getByRole("combobox", { name: "Trace" }).selectOption("rfc889/dcn1-satnet/UCL");
    await expect(added.locator(".wide-only .ro .pr td").first()).toHaveText(await page.locator("#cell-ucl .wide-only .ro .pr td").first().innerText());
  });

  test("one cell's sliders leave the others alone", async ({ page }) => {
    const other = await numbers(page, "A", "ucl");
    await type(page, "F1", "1/2");
    expect(await numbers(page, "A", "ucl")).toEqual(other);
    await expect(field(page, "F1", "ucl")).toHaveValue("0.9375");
  });
});
