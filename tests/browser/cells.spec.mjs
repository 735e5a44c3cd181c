// The kinds of experiment that run beside the page.
import { violations } from "./axe.mjs";
import { expect, open, test } from "./page.mjs";
import { bar, cell, figure, openFile, settled, slider, text } from "./notebook.mjs";

const NOTEBOOK = `# Kinds

\`\`\`netspurt sweep map
trace = "rfc889/dcn1-local/FOE"
\`\`\`

\`\`\`netspurt rto foe
trace = "rfc889/dcn1-local/FOE"
a = "mills"
\`\`\`

\`\`\`netspurt delay score
trace = "rfc889/dcn1-arpanet/SCORE"
\`\`\`

\`\`\`netspurt path way
links = "9600 prop=5ms, 56k"
\`\`\`

\`\`\`netspurt delay back
trace = "way"
knee = "none"
\`\`\`

\`\`\`netspurt adapt step
a = "mills"
b = "mills f1=7/8 f2=7/8"
\`\`\`

\`\`\`netspurt periodicity beat
trace = "rfc889/dcn1-local/FOE"
\`\`\`

\`\`\`netspurt claims said
seeds = 1
\`\`\`

\`\`\`netspurt imp trap
scheme = "current"
beside = "modified-1"
arrivals = ["dst MSG 1", "dst MSG 0", "dst MSG 2", "dst MSG 3"]
rounds = 4
\`\`\`

\`\`\`netspurt imp-flow flow
[[event]]
type = "route"
message = 21
path = "B"
\`\`\`

\`\`\`netspurt imp-lockup lock
scheme = "naive"
sources = 2
window = 4
buffers = 2
\`\`\`
`;

const ids = ["map", "foe", "score", "way", "back", "step", "beat", "said", "trap", "flow", "lock"];

async function openKinds(page) {
  await open(page);
  await openFile(page, { name: "kinds.md", bytes: NOTEBOOK });
  for (const id of ids) await expect(cell(page, id).locator("table.ro").first(), id).toBeAttached({ timeout: 30_000 });
}

test("every kind shows what it found", async ({ page }) => {
  await openKinds(page);
  const numbers = (id, head) => cell(page, id).locator(".wide-only tr", { hasText: head }).first().locator("td").allTextContents();
  // RFC 889 prints 7.5 s lost, 21 packets and 73.3 s again, .87.
  expect(await numbers("map", "Chosen in 1983")).toEqual(["7.5", "21", "73.3", "0.87"]);
  // Of 9600 and 56 000 bit/s one after the other an octet costs 8/9600 + 8/56000 s.
  expect(await cell(page, "way").locator(".wide-only").first().innerText()).toContain("0.9762");
  expect(await numbers("lock", "naive")).toEqual(["2", "4", "2", "20640", "15", "2368"]);
  await expect(cell(page, "score").locator(".wide-only thead").first()).toContainText("printed");
  await expect(cell(page, "flow").locator(".ro .pr").first()).toContainText("RFC 632");
  for (const id of ["map", "score", "way", "step", "beat", "trap", "flow"]) {
    await expect(figure(page, id).first(), id).toHaveAttribute("aria-label", /\w+ .*\./);
  }
});

test("the map's ring moves by click and by key, and its point can be taken over", async ({ page }) => {
  await openKinds(page);
  const map = figure(page, "map");
  await map.scrollIntoViewIfNeeded();
  const box = await map.boundingBox();
  await map.click({ position: { x: box.width * 0.2, y: box.height * 0.5 } });
  await expect(cell(page, "map").locator(".wide-only").first()).not.toContainText("This point, 13/16, 1/2");
  const clicked = await text(page);
  expect(clicked).toMatch(/f1 = "\d+\/\d+"/);
  await map.focus();
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => text(page)).not.toBe(clicked);
  await cell(page, "map").getByRole("button", { name: "Use this point in foe" }).click();
  const [, f1] = (await text(page)).match(/netspurt sweep map[^`]*f1 = "([^"]*)"/);
  expect(await text(page)).toContain(`a = "mills f1=${f1}`);
  await bar(page, "Undo").click();
  expect(await text(page)).toContain('a = "mills"\n');
});

test("lengths are selected by dragging", async ({ page }) => {
  await openKinds(page);
  const scatter = figure(page, "score");
  await scatter.scrollIntoViewIfNeeded();
  const box = await scatter.boundingBox();
  await page.mouse.move(box.x + box.width * 0.3, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.6, box.y + 60, { steps: 4 });
  await page.mouse.up();
  const said = await text(page);
  expect(said).toMatch(/octets-from = \d+\noctets-to = \d+/);
  await expect(cell(page, "score")).toContainText("are left out");
});

test("the flow control is stepped forward and back, by buttons, slider and keys", async ({ page }) => {
  await openKinds(page);
  const trap = cell(page, "trap");
  const at = trap.locator(".steps .at");
  await trap.getByRole("button", { name: "First step" }).click();
  await expect(at).toContainText("Step 1 of ");
  await expect(trap.locator(".said")).toContainText("MSG(i)");
  await trap.getByRole("button", { name: "Step forward" }).click();
  await expect(at).toContainText("Step 2 of ");
  await figure(page, "trap").focus();
  for (const [key, step] of [["ArrowRight", 3], ["ArrowLeft", 2], ["Home", 1]]) {
    await page.keyboard.press(key);
    await expect(at).toContainText(`Step ${step} of `);
  }
  const before = page.url();
  await trap.getByRole("slider", { name: "Step" }).fill("12");
  await expect(at).toContainText("Step 12 of ");
  await expect.poll(() => page.url(), "the address follows").not.toBe(before);
  await expect(trap.locator(".heads .is-shown")).toContainText("copies held");
  await settled(page, { kept: false });
  const link = page.url();
  const other = await page.context().newPage();
  await open(other, link);
  await expect(cell(other, "trap").locator(".steps .at")).toContainText("Step 12 of ", { timeout: 30_000 });
  await trap.getByRole("button", { name: "Play" }).click();
  await expect(at).toContainText("Step 14 of ", { timeout: 10_000 });
  await trap.getByRole("button", { name: "Pause" }).click();
});

test("a packet's timeout is explained in the source's symbols", async ({ page }) => {
  await open(page);
  await figure(page).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  const why = cell(page, "foe").locator(".why");
  await expect(why).toContainText("for packet 2?");
  await expect(why).toContainText("E = F*E + (1 - F)*R");
  await expect(why).toContainText("RFC 889");
});

test("a run of 1983 is rebuilt from another seed, or as if another setting had printed it", async ({ page }) => {
  await open(page);
  const foe = cell(page, "foe");
  const columns = (which) => foe.locator(".wide-only tr", { hasText: which }).first().locator("td").allTextContents();
  const printed = ["670", "3", "7.5", "21", "73.3", "1150", "0.69", "0.87"];
  expect(await columns("F1 = 15/16")).toEqual(printed);
  await foe.getByText("Rebuild it otherwise").click();
  await foe.getByRole("textbox", { name: "seed, value" }).fill("7");
  await page.keyboard.press("Enter");
  await expect(foe).toContainText("seed 7");
  expect(await columns("F1 = 15/16"), "another trace prints the same row").toEqual(printed);
  await foe.getByLabel("Fitted to").selectOption("typical");
  await expect.poll(() => text(page)).toContain('trace = "rfc889/dcn1-local/FOE seed=7 as-if=typical"');
  await expect.poll(() => columns("F = 7/8")).toEqual(printed);
});

test("timeouts are judged beside each other", async ({ page }) => {
  await open(page);
  await cell(page, "foe").locator("summary", { hasText: "More" }).click();
  const show = cell(page, "foe").getByLabel("Show", { exact: true });
  await show.selectOption("judgement");
  await expect(cell(page, "foe").locator(".wide-only thead").first()).toContainText("Behind best fixed", { timeout: 30_000 });
  await expect(figure(page)).toHaveAttribute("aria-label", /too soon/);
  const before = await figure(page).getAttribute("aria-label");
  await slider(page, /threshold/).press("Home");
  await expect(figure(page)).not.toHaveAttribute("aria-label", before);
  // What was unfolded is still.
  await show.selectOption("packets");
  await expect(figure(page)).toHaveAttribute("aria-label", /against time/);
});

test("a scenario that cannot happen says which item, and the rest runs", async ({ page }) => {
  await open(page);
  await openFile(page, {
    name: "odd.md",
    bytes: '# Odd\n\n```netspurt imp x\narrivals = ["dst MSG 0", "dst MSG 7"]\n```\n\n```netspurt imp-lockup y\nwindow = 2\n```\n',
  });
  await expect(cell(page, "x")).toContainText("MSG 7");
  await expect(cell(page, "x")).toContainText("ine 4");
  await expect(cell(page, "y").locator("table.ro").first()).toBeAttached();
});

test("the kinds are added from a list", async ({ page }) => {
  await open(page);
  await page.getByLabel("Add an experiment").selectOption("imp-lockup");
  await expect(cell(page, "imp-lockup-1").locator("table.ro").first()).toBeAttached();
});

test("nothing keeps anyone out", async ({ page }) => {
  await openKinds(page);
  expect(await violations(page)).toEqual([]);
});
