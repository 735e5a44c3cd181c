// The figure: what is drawn, the crosshair, the zoom, its words and its table.
import { expect, open, test } from "./page.mjs";
import { atRest, cell, figure, numbers, pixels, rush, saved, slider, text, trace, type } from "./notebook.mjs";

// The run of FOE has 512 replies and three packets lost.
const PACKETS = 515;

const box = (page) => figure(page).locator(".over");
const said = (page) => cell(page).locator(".stick [aria-live=polite]");
const shown = (page) => cell(page).getByText("Part of the trace is shown.");

// Moves the pointer over the figure: `part` of its width from the left.
async function point(page, part) {
  const { x, y, width, height } = await figure(page).boundingBox();
  await page.mouse.move(x + width * part, y + height / 2);
}

// The number of the packet that the crosshair's box names.
const packet = async (page) => Number((await box(page).innerText()).match(/volley (\d+)/)[1]);

async function drag(page, from, to) {
  await point(page, from);
  await page.mouse.down();
  await point(page, (from + to) / 2);
  await point(page, to);
  await page.mouse.up();
}

test.describe("drawing", () => {
  test.beforeEach(({ page }) => open(page));

  test("a moving slider draws the front anew and leaves the ground", async ({ page }) => {
    const [ground, front] = await atRest(page);
    expect(ground).not.toBe(front);
    // A mark that goes when the canvas is drawn again, even with the same picture.
    await figure(page).locator("canvas").first().evaluate((canvas) => {
      canvas.getContext("2d").fillRect(0, 0, 1, 1);
      canvas.dataset.marked = canvas.toDataURL();
    });
    await slider(page, /delay rising/).press("ArrowLeft");
    await expect.poll(async () => (await pixels(page))[1]).not.toBe(front);
    const marked = await figure(page).locator("canvas").first().getAttribute("data-marked");
    expect(marked).not.toBe(ground);
    expect((await pixels(page))[0], "the ground was not touched").toBe(marked);
  });

  test("another trace draws both", async ({ page }) => {
    const before = await atRest(page);
    await trace(page).selectOption("rfc889/dcn1-satnet/UCL");
    await expect.poll(async () => (await pixels(page))[0]).not.toBe(before[0]);
    expect((await pixels(page))[1]).not.toBe(before[1]);
  });

  test("the same state draws the same picture", async ({ page }) => {
    const before = await atRest(page);
    await type(page, "G", "3");
    await expect.poll(() => pixels(page)).not.toEqual(before);
    await type(page, "G", "2");
    await expect.poll(() => pixels(page)).toEqual(before);
  });
});

for (const deviceScaleFactor of [1, 2, 3]) {
  test.describe(`at ${deviceScaleFactor} device pixels`, () => {
    test.use({ deviceScaleFactor });

    test("the canvases have them all", async ({ page }) => {
      await open(page);
      for (const canvas of await figure(page).locator("canvas").all()) {
        const { size, css, fine } = await canvas.evaluate((canvas, ratio) => {
          const { width, height } = canvas;
          const data = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, width, height).data.buffer);
          // A picture drawn small and blown up has the same colour all over each block.
          let fine = 0;
          for (let y = 0; y < height; y += ratio) {
            for (let x = 0; x + 1 < width; x += ratio) fine += data[y * width + x] !== data[y * width + x + 1] ? 1 : 0;
          }
          return { size: [width, height], css: [canvas.clientWidth, canvas.clientHeight], fine };
        }, deviceScaleFactor);
        expect(size).toEqual(css.map((length) => length * deviceScaleFactor));
        expect(fine).toBeGreaterThan(100);
      }
    });
  });
}

test.describe("the crosshair", () => {
  test.beforeEach(({ page }) => open(page));

  test("follows the pointer and leaves with it", async ({ page }) => {
    await expect(box(page)).toHaveCount(0);
    await point(page, 0.2);
    await expect(box(page)).toContainText(/volley \d+, \d+/);
    const first = await packet(page);
    await point(page, 0.6);
    await expect.poll(() => packet(page)).toBeGreaterThan(first);
    await expect(box(page).locator("tr")).toHaveText([/^A.* (s|ms)/, /^B.* (s|ms)/, /^C.* (s|ms)/]);
    await page.mouse.move(5, 5);
    await expect(box(page)).toHaveCount(0);
  });

  test("stays where it is clicked and is said", async ({ page }) => {
    await point(page, 0.5);
    const clicked = await packet(page);
    await page.mouse.down();
    await page.mouse.up();
    await page.mouse.move(5, 5);
    await expect(box(page)).toBeVisible();
    expect(await packet(page)).toBe(clicked);
    await expect(said(page)).toHaveText(new RegExp(`^volley ${clicked}, .*: .*; A .*, .*; B .*, .*; C .*, `));
  });

  test("moves by keys, and Esc drops it", async ({ page }) => {
    await figure(page).focus();
    for (const [key, expected] of [
      ["ArrowRight", 1],
      ["ArrowRight", 2],
      ["Shift+ArrowRight", 12],
      ["ArrowLeft", 11],
      ["Shift+ArrowLeft", 1],
      ["ArrowLeft", 1],
      ["End", PACKETS],
      ["ArrowRight", PACKETS],
      ["Home", 1],
    ]) {
      await page.keyboard.press(key);
      await expect(said(page), key).toHaveText(new RegExp(`^volley ${expected}, `));
      await expect(box(page)).toContainText(`volley ${expected},`);
    }
    await page.keyboard.press("Escape");
    await expect(box(page)).toHaveCount(0);
    await expect(said(page)).toBeEmpty();
    await expect(figure(page)).toBeFocused();
  });

  test("takes every key, however fast they come", async ({ page }) => {
    await rush(figure(page), "Home", "ArrowRight", "ArrowRight", "Shift", "ArrowRight");
    await expect(said(page)).toHaveText(/^volley 4, /);
  });

  test("says what became of a lost packet", async ({ page }) => {
    const table = await saved(page, () => more(page, "Save the table as CSV"));
    const at = table.text.split("\n").findIndex((line) => line.includes("sends again"));
    await figure(page).focus();
    await page.keyboard.press("Home");
    for (let step = 1; step < at; step += 1) await page.keyboard.press("ArrowRight");
    await expect(said(page)).toHaveText(new RegExp(`^volley ${at}, .*: lost; A .*, sends again; B .*, sends again; C .*, sends again`));
  });
});

test.describe("the zoom", () => {
  test.beforeEach(({ page }) => open(page));

  test("is where the drag was", async ({ page }) => {
    const whole = await atRest(page);
    await point(page, 0.3);
    const from = await packet(page);
    await point(page, 0.5);
    const to = await packet(page);
    await drag(page, 0.3, 0.5);
    await expect(shown(page)).toBeVisible();
    await expect.poll(async () => (await pixels(page))[0]).not.toBe(whole[0]);
    // The scale at the left, the histogram at the right.
    const { width } = await figure(page).boundingBox();
    await point(page, 42 / width);
    await expect.poll(async () => Math.abs((await packet(page)) - from)).toBeLessThanOrEqual(2);
    await point(page, 0.83);
    await expect.poll(async () => Math.abs((await packet(page)) - to)).toBeLessThanOrEqual(6);
    await cell(page).getByRole("button", { name: "Show all of it" }).click();
    await expect(shown(page)).toHaveCount(0);
    await page.mouse.move(5, 5);
    await expect.poll(() => pixels(page)).toEqual(whole);
  });

  test("goes by a double click", async ({ page }) => {
    await drag(page, 0.5, 0.3);
    await expect(shown(page)).toBeVisible();
    await figure(page).dblclick();
    await expect(shown(page)).toHaveCount(0);
  });

  test("goes by keys, around the crosshair", async ({ page }) => {
    await figure(page).focus();
    await page.keyboard.press("End");
    await page.keyboard.press("-");
    await expect(shown(page), "there is no more than all").toHaveCount(0);
    await page.keyboard.press("+");
    await expect(shown(page)).toBeVisible();
    await expect(box(page), "what it is about stays in view").toContainText(`volley ${PACKETS},`);
    await page.keyboard.press("+");
    await page.keyboard.press("-");
    await expect(shown(page)).toBeVisible();
    await page.keyboard.press("-");
    await expect(shown(page)).toHaveCount(0);
    await page.keyboard.press("+");
    await expect(shown(page)).toBeVisible();
    await page.keyboard.press("0");
    await expect(shown(page)).toHaveCount(0);
  });

  test("leaves the notebook's text alone", async ({ page }) => {
    const before = await text(page);
    await drag(page, 0.3, 0.5);
    await expect(shown(page)).toBeVisible();
    expect(await text(page)).toBe(before);
  });
});

async function more(page, action) {
  await cell(page).getByRole("button", { name: /More actions/ }).click();
  await cell(page).locator(".menu").getByRole("button", { name: action }).click();
}

test.describe("its words and numbers", () => {
  test.beforeEach(({ page }) => open(page));

  test("the text alternative states the result", async ({ page }) => {
    const spurious = async (letter) => (await numbers(page, letter))[3];
    const states = async () => {
      const [a, b, c] = await Promise.all(["A", "B", "C"].map(spurious));
      return new RegExp(`${PACKETS} packets.*3 were lost.*estimator A ${a}, estimator B ${b}, estimator C ${c}\\.`);
    };
    await expect(figure(page)).toHaveAttribute("aria-label", await states());
    const before = await spurious("A");
    await type(page, "G", "1");
    expect(await spurious("A")).not.toBe(before);
    await expect(figure(page)).toHaveAttribute("aria-label", await states());
  });

  test("its table shows two hundred rows and counts them all", async ({ page }) => {
    await cell(page).getByRole("button", { name: "Table" }).click();
    const rows = cell(page).getByRole("region", { name: "The figure's numbers" }).locator("tbody tr");
    await expect(rows).toHaveCount(200);
    await expect(cell(page).getByText(`Rows 1 to 200 of ${PACKETS}.`)).toBeVisible();
    await figure(page).focus();
    await page.keyboard.press("End");
    await expect(rows.and(page.locator(".on")), "the chosen packet is among them").toContainText(String(PACKETS));
  });

  test("its CSV is complete, and the formula of RFC 889 gives the same", async ({ page }) => {
    await trace(page).selectOption("rfc889/dcn1-satnet/UCL");
    await type(page, "G", "3/2");
    await cell(page).getByRole("button", { name: "Table" }).click();
    const file = await saved(page, () => cell(page).getByRole("button", { name: "Save all rows as CSV" }).click());
    expect(file.name).toBe("foe.csv");
    const [heading, ...lines] = file.text.trimEnd().split("\n").map((line) => line.split(","));
    expect(heading).toEqual(
      ["packet", "sent_ms", "length_octets", "delay_ms", "A_timeout_ms", "A", "B_timeout_ms", "B", "C_timeout_ms", "C"],
    );
    expect(lines.map(([packet]) => Number(packet))).toEqual(Array.from({ length: 521 }, (_, i) => i + 1));
    const first = lines.findIndex((line) => line[5] === "sets the estimate");
    const after = lines.slice(first + 1).map((line) => ({ delay: line[3], timeout: Number(line[4]) }));
    let e = after[0].timeout / 1.5;
    for (const { delay, timeout } of after) {
      expect(timeout / (1.5 * e)).toBeCloseTo(1, 9);
      if (delay === "") continue;
      const r = Number(delay);
      const f = r < e ? 15 / 16 : 3 / 4;
      e = f * e + (1 - f) * r;
    }
  });
});
