// What a reader does with a notebook, in the words of the page: cells, fields, files, the notebook's text.
import { expect } from "@playwright/test";
import { readFile } from "node:fs/promises";

export const cell = (page, id = "foe") => page.locator(`#cell-${id}`);
export const figure = (page, id = "foe") => cell(page, id).locator(".figure");
export const slider = (page, gloss, id = "foe") => cell(page, id).getByRole("slider", { name: gloss });
export const field = (page, name, id = "foe") => cell(page, id).getByRole("textbox", { name: `${name}, value` });
export const tab = (page, letter, id = "foe") => cell(page, id).getByRole("tab", { name: letter });
export const trace = (page, id = "foe") => cell(page, id).getByRole("combobox", { name: "Trace" });
export const bar = (page, name) => page.locator("header.bar").getByRole("button", { name, exact: true });
export const failure = (page) => page.locator(".failure[role=alert]");

// The row of the readout that a letter leads, or the printed one, as the texts of its columns.
export function row(page, which, id = "foe") {
  const rows = cell(page, id).locator(".wide-only .ro tbody tr");
  return which === "printed" ? rows.and(page.locator(".pr")) : rows.filter({ has: page.locator(".let", { hasText: which }) });
}

export const numbers = (page, which, id = "foe") => row(page, which, id).locator("td").allTextContents();

// Types into a parameter's field and leaves it by Enter.
export async function type(page, name, text, id = "foe") {
  await field(page, name, id).fill(text);
  await field(page, name, id).press("Enter");
}

// What each canvas of a figure shows: the ground first, then the front.
export const pixels = (page, id = "foe") =>
  figure(page, id).locator("canvas").evaluateAll((all) => all.map((canvas) => canvas.toDataURL()));

// The same once the figure is at rest: it is drawn again when a font arrives, which may be after the start.
export async function atRest(page, id = "foe") {
  let last;
  const same = async () => {
    const before = last;
    last = JSON.stringify(await pixels(page, id));
    return last === before && (await page.evaluate(() => document.fonts.status === "loaded"));
  };
  await expect.poll(same, { message: "the figure comes to rest", intervals: [50] }).toBe(true);
  return JSON.parse(last);
}

// The file that an action saves, as text.
export async function saved(page, act) {
  const [download] = await Promise.all([page.waitForEvent("download"), act()]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
}

// The notebook's text, by the export.
export const text = async (page) => (await saved(page, () => bar(page, "Export").click())).text;

// Chooses files in the picker that the bar's button opens.
export async function openFile(page, ...files) {
  await pick(page, () => bar(page, "Open").click(), ...files);
}

// Picks files in the browser's own picker, which `ask` brings up.
export async function pick(page, ask, ...files) {
  const picker = page.waitForEvent("filechooser");
  // The picker is ours only once the browser has heard so; a key pressed at once would come before.
  await page.evaluate(() => document.readyState);
  await ask();
  await (await picker).setFiles(files.map((file) => (typeof file === "string" ? file : named(file))));
}

const named = ({ name, bytes }) => ({ name, mimeType: "", buffer: Buffer.from(bytes) });

// Lets files fall onto the page.
export async function drop(page, ...files) {
  const data = await page.evaluateHandle((files) => {
    const data = new DataTransfer();
    for (const { name, bytes } of files) data.items.add(new File([new Uint8Array(bytes)], name));
    return data;
  }, files.map(({ name, bytes }) => ({ name, bytes: [...Buffer.from(bytes)] })));
  for (const event of ["dragenter", "dragover", "drop"]) await page.dispatchEvent("main", event, { dataTransfer: data });
}

// Pastes text or files onto the page itself.
export async function paste(page, { text, files = [] }) {
  await page.evaluate(({ text, files }) => {
    const data = new DataTransfer();
    if (text !== undefined) data.setData("text/plain", text);
    for (const { name, bytes } of files) data.items.add(new File([new Uint8Array(bytes)], name));
    const options = { clipboardData: data, bubbles: true, cancelable: true };
    document.body.dispatchEvent(new ClipboardEvent("paste", options));
  }, { text, files: files.map(({ name, bytes }) => ({ name, bytes: [...Buffer.from(bytes)] })) });
}

export async function openSource(page, id = "foe") {
  await cell(page, id).getByRole("button", { name: "Source", exact: true }).first().click();
  return cell(page, id).getByRole("textbox", { name: `Source of cell ${id}` });
}

// Puts another source into a cell.
export async function setSource(page, body, id = "foe") {
  const source = await openSource(page, id);
  await source.fill(body);
  await source.press("Control+Enter");
  return source;
}

// Presses keys all at once: faster than the page can draw.
export async function rush(locator, ...keys) {
  await locator.focus();
  await locator.evaluate((element, keys) => {
    for (const key of keys) element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    element.dispatchEvent(new KeyboardEvent("keyup", { key: keys.at(-1), bubbles: true }));
  }, keys);
}

// Waits until the page has written its state to the address and, unless told otherwise, kept it.
export async function settled(page, { kept = true } = {}) {
  await expect(page).toHaveURL(/#\d+:./);
  if (kept) await expect(page.locator(".doc [role=status]")).toHaveText("Saved in this browser");
}
