// Delay against packet length: what the library offers, the printed lines, a path that is built and
// fitted back, and traces that give no line.
import { violations } from "./axe.mjs";
import { expect, open, test } from "./page.mjs";
import { cell, field, figure, openFile, text, type } from "./notebook.mjs";

const notebook = (body) => ({ name: "n.md", bytes: `# Lengths\n\n\`\`\`netspurt ${body}\n\`\`\`\n` });
const drawer = (page) => page.getByRole("navigation", { name: "Library" });
const group = (page, title) => drawer(page).locator("details", { hasText: title });
const rows = (page, id, caption) => cell(page, id).getByRole("table", { name: caption }).locator("tbody tr");
const cells = (page, id, head) => cell(page, id).locator("tr", { hasText: head }).first().locator("td").allTextContents();

test("the library finds runs and printed lines by host, name and address, and shows what is chosen", async ({ page }) => {
  await open(page);
  await openFile(page, notebook('delay d\ntrace = "rfc889/dcn1-local/FORD1"'));
  await expect(cell(page, "d").locator("table.ro").first()).toBeAttached({ timeout: 30_000 });
  if (!(await drawer(page).isVisible())) await page.keyboard.press("l");
  await expect(group(page, "The 1983 runs").locator("summary span")).toHaveText("52");
  await expect(group(page, "delay lines").locator("summary span")).toHaveText("30");

  const find = drawer(page).getByRole("searchbox");
  for (const [wanted, runs, lines] of [["10.3.0.11", 1, 1], ["su-score", 1, 1], ["usc-isid", 4, 2], ["nowhere", 0, 0]]) {
    await find.fill(wanted);
    await expect(group(page, "The 1983 runs").locator("li"), wanted).toHaveCount(runs);
    await expect(group(page, "delay lines").locator("li"), wanted).toHaveCount(lines);
  }
  await find.fill("score");
  await expect(group(page, "The 1983 runs")).toContainText("SU-SCORE, 10.3.0.11");
  await group(page, "The 1983 runs").getByRole("button", { name: "SCORE" }).click();
  await expect.poll(() => text(page)).toContain('trace = "rfc889/dcn1-arpanet/SCORE"');
  // The fit, the printed row beside it, and by how much they differ.
  await expect.poll(() => cells(page, "d", "One packet")).toContain("184");
  const [, , , , rate, printed, off] = await cells(page, "d", "One packet");
  expect(printed).toBe("5088");
  expect(Number(off.replace("−", "-"))).toBeCloseTo(100 * (Number(rate) / 5088 - 1), 1);

  await group(page, "delay lines").getByRole("button", { name: "SCORE" }).click();
  const lines = cell(page, "delay-lines-1");
  await expect(lines.locator(".said")).toContainText("SCORE, ARPANET: from 184 ms at 40 octets", { timeout: 30_000 });
  await expect(group(page, "delay lines").locator("[aria-current=true]")).toContainText("SCORE");
  // All printed lines, each rate worked out again, and what the RFC says of them.
  await expect(rows(page, "delay-lines-1", /each rate worked out again/)).toHaveCount(49);
  expect((await cells(page, "delay-lines-1", "SCORE")).slice(0, 6)).toEqual(["40 to 125", "184", "318", "5088", "5075", "5037 to 5113"]);
  await expect(rows(page, "delay-lines-1", /what the lines say/)).toHaveCount(8);
  expect(await cells(page, "delay-lines-1", "two to three times the shortest")).toContain("11 of 30");
  // From line to line by keys.
  await figure(page, "delay-lines-1").focus();
  await page.keyboard.press("ArrowRight");
  await expect(lines.locator(".said")).toContainText("RVAX, ARPANET");
  expect(await violations(page)).toEqual([]);
});

test("a path is built by clicking, and a fit gives back the sum of its links", async ({ page }) => {
  await open(page);
  await openFile(page, notebook("path way"));
  const way = cell(page, "way");
  const said = way.locator(".said");
  await expect(said).toContainText("8000/9600 + 8000/56000 = 0.8333 + 0.1429 = 0.9762 ms an octet", { timeout: 30_000 });
  await way.getByRole("button", { name: "Add a link" }).click();
  await way.locator("summary", { hasText: "Link 1" }).click();
  await way.locator("details", { hasText: "Link 1" }).getByRole("textbox", { name: "rate, value" }).fill("4.8k");
  await page.keyboard.press("Enter");
  await expect(said).toContainText("8000/4800 + 8000/56000 + 8000/56000 = 1.667 + 0.1429 + 0.1429 = 1.952 ms an octet");
  await way.locator("summary", { hasText: "Link 3" }).click();
  await way.getByRole("button", { name: "Remove link 3" }).click();
  await expect(said).toContainText("1.667 + 0.1429 = 1.810 ms an octet, 4421 bit/s");
  expect(await text(page)).toContain('links = "4800 prop=5, 56k"');
  await expect(figure(page, "way").first()).toHaveAttribute("aria-label", /A path of 2 links: 4800 bit\/s, then 56000 bit\/s/);
  // Below it the line that the path draws, which breaks where messages go as packets.
  const line = figure(page, "way").nth(1);
  await expect(line).toHaveAttribute("aria-label", "Delay against length, link upon link: 4421 bits per second for one packet.");
  await way.locator("summary", { hasText: "Link 2" }).click();
  await way.locator("details", { hasText: "Link 2" }).getByLabel("In packets").check();
  await expect(line).toHaveAttribute("aria-label", /, then a jump of \d+ ms, and from 126 to 256 octets 4421 bits per second/);
  expect((await line.boundingBox()).height).toBeGreaterThan(200);
  expect(await violations(page)).toEqual([]);
  await way.locator("details", { hasText: "Link 2" }).getByLabel("In packets").uncheck();

  await page.getByLabel("Add an experiment").selectOption("delay");
  const back = cell(page, "delay-1");
  await back.getByRole("combobox", { name: "Trace" }).selectOption("way");
  await back.getByLabel("Lines to fit").selectOption("none");
  await expect.poll(() => cells(page, "delay-1", "40 to 256 octets")).toContain("4421");
});

test("packets are selected by fields, one is named under the pointer, and the remark of 1983 is answered", async ({ page }) => {
  await open(page);
  await openFile(page, notebook('delay d\ntrace = "rfc889/dcn1-arpanet/SCORE"'));
  const d = cell(page, "d");
  await expect(d.locator(".said")).toContainText("Two lines beat one", { timeout: 30_000 });
  // Only what matters is asked for, in words.
  const choice = (name) => d.getByLabel(name, { exact: true }).locator("option:checked");
  await expect(choice("Method")).toHaveText("least squares");
  await expect(choice("Lines to fit")).toHaveText("as RFC 889 has them");
  await d.getByLabel("Lines to fit").selectOption("two, parted where they fit best");
  await expect(field(page, "break after", "d")).toHaveCount(0);
  await expect(d.locator(".said")).toContainText("95 % interval 125 to 125");
  await type(page, "knees to", "120", "d");
  await expect(d).toContainText("The best knee, after 120 octets, is at the end of those tried, from 60 to 120");
  await d.getByLabel("Lines to fit").selectOption("auto");
  await expect(field(page, "knees to", "d")).toHaveCount(0);
  await figure(page, "d").focus();
  await page.keyboard.press("Home");
  const over = figure(page, "d").locator(".over");
  for (const words of [/packet\s*1/, /length\s*\d+ octets/, /delay\s*\d+ ms/]) await expect(over).toContainText(words);
  await d.locator("summary", { hasText: "More" }).click();
  await type(page, "lengths to", "125", "d");
  await expect(d).toContainText("No packet is longer than 125 octets: there is one line.");
  await expect(d).toContainText("are left out");
  await expect(d.locator(".wide-only").first().locator("tbody tr")).toHaveCount(1);
  await type(page, "lengths to", "65535", "d");
  await d.getByLabel("Shown").selectOption("histogram");
  await expect(d.locator(".said")).toContainText("more-or-less Poissonly distributed");
  await expect(d.locator(".said")).toContainText("chi-square rejects a Poisson law");
});

test("lengths that are missing, all one or only two: what cannot be fitted is said, the rest is shown", async ({ page }) => {
  await open(page);
  await openFile(page, notebook('delay d\ntrace = "rfc889/dcn1-local/FOE"'));
  const delay = (i) => 10 + ((i * 7) % 13);
  const csv = (head, row) => `${head}\n${Array.from({ length: 40 }, (_, i) => row(i)).join("\n")}\n`;
  for (const [name, bytes, says, shows] of [
    ["none.csv", csv("delay_ms", delay), "No packet has both a length and a delay", "Standard deviation"],
    ["one.csv", csv("octets,delay_ms", (i) => `64,${delay(i)}`), "All packets have 64 octets: their mean is known", "RMSE"],
    ["two.csv", csv("octets,delay_ms", (i) => (i % 2 ? `64,${delay(i)}` : `1024,${20 + delay(i)}`)), "Packets have 64 or 1024 octets and nothing between", "Rate"],
  ]) {
    await openFile(page, { name, bytes });
    await page.getByRole("status", { name: "Opened" }).getByRole("button", { name: "Show it in d" }).click();
    await expect(cell(page, "d"), name).toContainText(says);
    await expect(cell(page, "d").locator(".after"), name).toContainText(shows);
    await expect(figure(page, "d"), name).toBeVisible();
  }
});
