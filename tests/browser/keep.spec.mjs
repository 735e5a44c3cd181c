// What the browser keeps: the notebook after a reload, several notebooks, and storage that does not work.
import { expect, open, test } from "./page.mjs";
import { bar, cell, field, numbers, openFile, saved, settled, text, type } from "./notebook.mjs";

const state = (page) => page.locator(".doc [role=status]");
const library = (page) => page.getByRole("navigation", { name: "Library" });
const heading = (page) => page.getByRole("heading", { level: 1 });

// Opens one of the reader's own notebooks from the library.
async function choose(page, name) {
  if (!(await library(page).isVisible())) await bar(page, "Library").click();
  const own = library(page).locator("details", { hasText: "Your notebooks" });
  const entry = own.getByRole("button", { name });
  if (!(await entry.isVisible())) await own.locator("summary").click();
  await entry.click();
}

test("says whether it is saved", async ({ page }) => {
  await open(page);
  await expect(state(page)).toHaveText("Nothing to save yet");
  await type(page, "G", "3");
  await expect(state(page)).toHaveText("Saved in this browser");
});

test("a reload brings everything back", async ({ page }) => {
  await open(page);
  await type(page, "G", "3");
  await settled(page);
  const before = { text: await text(page), row: await numbers(page, "A") };
  await page.reload();
  await expect(field(page, "G")).toHaveValue("3");
  expect({ text: await text(page), row: await numbers(page, "A") }).toEqual(before);
  await expect(state(page)).toHaveText("Saved in this browser");
});

test("a later visit without a link goes on where the last one ended", async ({ page }) => {
  await open(page);
  await type(page, "G", "3");
  await settled(page);
  await page.goto("about:blank");
  await open(page, "./");
  await expect(field(page, "G")).toHaveValue("3");
  await page.goto("about:blank");
  await open(page);
  await type(page, "G", "5/2");
  await settled(page);
  await page.goto("about:blank");
  await open(page);
  await expect(field(page, "G")).toHaveValue("2.5");
  await bar(page, "Library").click();
  await expect(library(page).locator("details", { hasText: "Your notebooks" }).locator("summary"), "and it is still one notebook")
    .toHaveText(/^Your notebooks2$/);
});

test("a change just before leaving is kept", async ({ page }) => {
  await open(page);
  await type(page, "G", "3");
  await page.goto("about:blank");
  await open(page);
  await expect(field(page, "G")).toHaveValue("3");
});

test("two notebooks are kept apart", async ({ page }) => {
  await open(page);
  await type(page, "G", "3");
  await settled(page);
  await openFile(page, { name: "two.md", bytes: '# Two\n\n```netspurt rto foe\ntrace = "rfc889/dcn1-local/FOE"\na = "mills"\n```\n' });
  await expect(heading(page)).toHaveText("Two");
  await type(page, "G", "1.5");
  await expect(state(page)).toHaveText("Saved in this browser");
  await choose(page, /^One smoothing factor, or two\?/);
  await expect(field(page, "G")).toHaveValue("3");
  await choose(page, /^Two/);
  await expect(heading(page)).toHaveText("Two");
  await expect(field(page, "G")).toHaveValue("1.5");
});

test("two tabs do not overwrite each other in silence", async ({ page, context }) => {
  await open(page);
  await type(page, "G", "3");
  await settled(page);
  const second = await context.newPage();
  await open(second);
  await expect(field(second, "G")).toHaveValue("3");
  await type(second, "G", "1.5");
  await expect(state(second)).toHaveText("Saved in this browser");
  await type(page, "F1", "1/2");
  await expect(page.locator(".note[role=status], .note[role=alert], .failure")).toContainText(/another tab/i);
});

test("a lesson opens beside the reader's own notebook", async ({ page }) => {
  await open(page);
  await type(page, "G", "3");
  await bar(page, "Lessons").click();
  await library(page).getByRole("button", { name: /Guessing how long to wait/ }).click();
  await expect(heading(page)).toHaveText("Guessing how long to wait");
  await expect(cell(page, "wait").locator(".figure")).toHaveAttribute("aria-label", /of 64 packets .*3 were lost/);
  await expect(page).toHaveTitle(/^Guessing how long to wait/);
  await page.goto("about:blank");
  await open(page);
  await expect(field(page, "G"), "an unchanged lesson is not kept").toHaveValue("3");
});

test("an empty notebook asks for a trace and gives it an estimator", async ({ page }) => {
  await open(page);
  await choose(page, /^Empty notebook/);
  await expect(heading(page)).toHaveText("Untitled notebook");
  const empty = page.locator(".cell.exp");
  await expect(empty).toContainText("Choose a trace");
  await empty.getByRole("combobox", { name: "Trace" }).selectOption("rfc889/dcn1-local/FOE");
  await expect(empty.locator(".wide-only .ro tbody tr")).toHaveCount(2);
});

const BROKEN = [
  {
    name: "forbidden",
    breaks: () => {
      const deny = () => {
        throw new DOMException("The operation is insecure.", "SecurityError");
      };
      Object.defineProperty(globalThis, "localStorage", { get: deny });
      IDBFactory.prototype.open = deny;
    },
  },
  { name: "missing", breaks: () => Object.defineProperty(globalThis, "indexedDB", { value: undefined }) },
  {
    name: "full",
    breaks: () => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
      };
    },
  },
  {
    name: "full at the last moment",
    breaks: () => {
      const put = IDBObjectStore.prototype.put;
      IDBObjectStore.prototype.put = function (...values) {
        const request = put.apply(this, values);
        request.addEventListener("success", () => this.transaction.abort());
        return request;
      };
    },
  },
];

for (const { name, breaks } of BROKEN) {
  test(`storage that is ${name} is told, and nothing is lost`, async ({ page }) => {
    await page.addInitScript(breaks);
    await open(page);
    await type(page, "G", "3");
    await expect(page.getByRole("status").filter({ hasText: "This notebook is not saved." })).toBeVisible();
    await expect(state(page)).toHaveText("Not saved: export to keep it");
    await expect(field(page, "G")).toHaveValue("3");
    await type(page, "F1", "1/2");
    await expect(cell(page).locator(".ro:visible tbody th").nth(1)).toContainText("F1 = 1/2");
    const file = await saved(page, () => page.getByRole("button", { name: "Save the notebook as a file" }).click());
    expect(file.text).toContain('a = "mills f1=1/2 f2=3/4 g=3"');
    await expect(page, "the address holds it all the same").toHaveURL(/#\d+:./);
    await page.reload();
    await expect(field(page, "G")).toHaveValue("3");
  });
}
