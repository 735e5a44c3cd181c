// How the page looks: contrast and names by axe, widths, targets, themes, and what a phone keeps in view.
import { violations } from "./axe.mjs";
import { expect, open, test } from "./page.mjs";
import { atRest, bar, cell, failure, figure, pick, pixels, slider } from "./notebook.mjs";

const PHONE = { width: 390, height: 844 };
const WIDTHS = [1440, 1100, 900, 760, 390, 320];
const DESK = { width: 1280, height: 800 };
const library = (page) => page.getByRole("navigation", { name: "Library" });

// The states of the page that have elements of their own.
const STATES = {
  "as it opens": () => {},
  "with the library open": async (page) => {
    await page.keyboard.press("l");
    await expect(library(page)).toBeVisible();
  },
  "with the share dialog": async (page) => {
    await bar(page, "Share").click();
    await expect(page.getByRole("dialog")).toBeVisible();
  },
  "with the list of keys": async (page) => {
    await page.keyboard.press("?");
    await expect(page.getByRole("dialog")).toBeVisible();
  },
  "with a file that cannot be read": async (page) => {
    await pick(page, () => page.keyboard.press("Control+o"), { name: "short.csv", bytes: "seq,sent_s,delay_ms\n1,0,12\n2,1\n3,2,12\n" });
    await expect(failure(page)).toBeVisible();
  },
  "with a file just opened": async (page) => {
    await pick(page, () => page.keyboard.press("Control+o"), { name: "odd.csv", bytes: "seq,delay_ms\n1,12\n2,-4\n3,12\n" });
    await expect(page.getByRole("status", { name: "Opened" })).toBeVisible();
  },
  "with a broken cell": async (page) => {
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    const source = cell(page).getByRole("textbox", { name: "Source of cell foe" });
    await source.fill('trace = "rfc889/dcn1-local/FOE"\na = "mills f1=15"\n');
    await source.press("Control+Enter");
    await expect(cell(page).locator(".edit [role=alert]")).toBeVisible();
    await source.press("Escape");
    await expect(cell(page).getByRole("button", { name: "Use 15/16" })).toBeVisible();
  },
  "with its table and a chosen packet": async (page) => {
    await figure(page).focus();
    await page.keyboard.press("End");
    const table = cell(page).getByRole("button", { name: "Table", exact: true });
    // A phone has it in the menu.
    if (!(await table.isVisible())) await cell(page).getByRole("button", { name: /More actions/ }).click();
    await table.filter({ visible: true }).click();
    await expect(cell(page).getByRole("region", { name: "The figure's numbers" })).toBeVisible();
  },
};

for (const [name, use] of [["a desk", { viewport: DESK }], ["a phone", { viewport: PHONE, hasTouch: true }]]) {
  test.describe(`axe on ${name}`, () => {
    test.use(use);

    for (const [state, reach] of Object.entries(STATES)) {
      test(`finds nothing ${state}`, async ({ page }) => {
        await open(page);
        await reach(page);
        for (const colorScheme of ["light", "dark"]) {
          await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
          expect(await violations(page), colorScheme).toEqual([]);
        }
      });
    }
  });
}

for (const [state, reach] of Object.entries(STATES)) {
  test(`nothing runs over ${state}, at any width`, async ({ page }) => {
    await open(page);
    await reach(page);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      const over = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        const wide = [...document.querySelectorAll("body *")].filter((one) => one.getBoundingClientRect().right > clientWidth + 1);
        return { by: scrollWidth - clientWidth, wide: scrollWidth > clientWidth ? wide.map((one) => one.outerHTML.slice(0, 100)) : [] };
      });
      expect.soft(over, `${width} px`).toEqual({ by: 0, wide: [] });
    }
  });
}

test("no button of the bar is cut off, at any width", async ({ page }) => {
  await open(page);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    for (const button of await page.locator("header.bar").getByRole("button").filter({ visible: true }).all()) {
      const { x, width: w } = await button.boundingBox();
      expect(x >= 0 && x + w <= width, `${await button.innerText()} at ${width} px`).toBe(true);
    }
  }
});

test.describe("a phone", () => {
  test.use({ viewport: PHONE, hasTouch: true });
  test.beforeEach(({ page }) => open(page));

  test("has targets of 44 px in the bar, the controls and the library", async ({ page }) => {
    const small = async (where) => {
      const targets = where.locator("button:visible, select:visible, input:visible, summary:visible");
      const found = [];
      for (const target of await targets.all()) {
        // A field is as large as the label around it; a link in a sentence is as large as its words.
        const { width, height } = await target.evaluate((one) => {
          const around = one.closest("label") ?? one;
          return one.matches("p .link, div .link") ? { width: 44, height: 44 } : around.getBoundingClientRect();
        });
        if (width < 44 || height < 44) found.push(`${await target.evaluate((one) => one.outerHTML.slice(0, 90))}: ${width} × ${height}`);
      }
      return found;
    };
    await cell(page).getByText("More", { exact: true }).click();
    expect.soft(await small(page.locator("header.bar"))).toEqual([]);
    expect.soft(await small(cell(page).locator(".ctl"))).toEqual([]);
    expect.soft(await small(cell(page).locator("header"))).toEqual([]);
    await bar(page, "Library").click();
    expect.soft(await small(library(page))).toEqual([]);
  });

  test("keeps the figure under the bar while the controls move", async ({ page }) => {
    await slider(page, /threshold/).evaluate((slider) => slider.scrollIntoView({ block: "end" }));
    await page.evaluate(() => scrollBy(0, 120));
    const [bars, frame, knob] = await Promise.all(
      [page.locator("header.bar"), figure(page), slider(page, /threshold/)].map((one) => one.boundingBox()),
    );
    expect(bars.y).toBe(0);
    expect(frame.y).toBeGreaterThanOrEqual(bars.height);
    expect(frame.y).toBeLessThan(bars.height + 24);
    expect(knob.y, "the slider is below it").toBeGreaterThanOrEqual(frame.y + frame.height);
    expect(knob.y + knob.height, "and in view").toBeLessThanOrEqual(PHONE.height);
    const before = await atRest(page);
    await slider(page, /threshold/).press("ArrowRight");
    await expect.poll(async () => (await pixels(page))[1]).not.toBe(before[1]);
    await expect(figure(page)).toBeInViewport({ ratio: 1 });
  });

  test("turns the readouts on their side", async ({ page }) => {
    const readout = cell(page).locator("table.ro:visible");
    await expect(readout).toHaveCount(1);
    await expect(readout.locator("thead th")).toHaveText(["Readout", "printed", "A", "B", "C"]);
    await expect(readout.locator("tbody tr").first()).toHaveText(/Total s670\d+\d+\d+/);
  });

  test("has a cell's actions in its menu", async ({ page }) => {
    await cell(page).getByRole("button", { name: /More actions/ }).click();
    const menu = cell(page).locator(".menu");
    for (const name of ["Rename", "Table", "Source", "Duplicate", "Delete this cell"]) {
      await expect(menu.getByRole("button", { name, exact: true })).toBeInViewport({ ratio: 1 });
    }
  });

  test("keeps library, title, share and the rest in the bar", async ({ page }) => {
    const bars = page.locator("header.bar");
    await expect(bars.getByRole("button").filter({ visible: true })).toHaveCount(3);
    await expect(bars.getByText("One smoothing factor, or two?")).toBeVisible();
    await bar(page, "More").click();
    await bars.getByRole("button", { name: "Other theme" }).click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  });

  test("shows a packet that is tapped", async ({ page }) => {
    const { x, y, width, height } = await figure(page).boundingBox();
    await page.touchscreen.tap(x + width / 2, y + height / 2);
    await expect(figure(page).locator(".over")).toContainText(/volley \d+/);
  });
});

test.describe("themes", () => {
  test.use({ colorScheme: "light" });

  test("switch, are drawn, and stay", async ({ page }) => {
    await open(page);
    const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = { paper: await paper(), pixels: await atRest(page) };
    const button = page.locator("header.bar").getByRole("button", { name: /^Theme/ });
    await button.click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await expect.poll(async () => (await pixels(page))[0], "the ground is drawn in the other colours").not.toBe(light.pixels[0]);
    expect(await paper()).toBe("rgb(20, 23, 27)");
    await page.reload();
    await expect(figure(page)).toBeVisible();
    expect(await paper()).toBe("rgb(20, 23, 27)");
    await button.click();
    expect(await paper()).toBe(light.paper);
    await expect.poll(() => pixels(page)).toEqual(light.pixels);
  });

  test("follow the system until one is chosen", async ({ page }) => {
    await open(page);
    const before = await atRest(page);
    await page.emulateMedia({ colorScheme: "dark" });
    await expect.poll(async () => (await pixels(page))[0]).not.toBe(before[0]);
    await page.emulateMedia({ colorScheme: "light" });
    await expect.poll(() => pixels(page)).toEqual(before);
  });
});
