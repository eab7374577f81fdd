import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { expect, openPage, test } from "./page";

/** The views that have pictures, and what brings them up. */
const VIEWS: Record<string, (page: Page) => Promise<void>> = {
  maps: async () => {},
  descent: async (page) => {
    await page.getByRole("button", { name: "One training step" }).click();
    await expect(page.locator(".descent-real").getByRole("status")).toHaveText("Step 1 of 250.");
  },
  losses: (page) => expect(page.locator(".view-losses .confusion .cell")).toHaveCount(9),
  metrics: (page) => expect(page.getByRole("columnheader", { name: "as loaded" }).first()).toBeVisible(),
  training: async (page) => {
    await page.locator(".view-training").getByRole("button", { name: "One step" }).click();
    await expect(page.locator(".training-status")).toContainText("Step 1");
  },
  theory: async (page) => {
    await page.locator(".theory-live").getByRole("button", { name: "One step" }).click();
    await expect(page.locator(".theory-live").getByRole("status")).toContainText("Step 1 of");
  },
};

async function saved(figure: Locator, kind: "SVG" | "PNG" | "CSV"): Promise<Buffer> {
  const download = figure.page().waitForEvent("download");
  await figure.getByRole("button", { name: kind, exact: true }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(new RegExp(`^[a-z-]+\\.${kind.toLowerCase()}$`));
  return readFile(await file.path());
}

/** What is drawn. */
const drawn = (root: Element) => ({
  shapes: root.querySelectorAll("svg :is(path, line, circle, rect.cell)").length,
  canvases: root.querySelectorAll("canvas").length,
});

for (const [view, ready] of Object.entries(VIEWS)) {
  test(`each picture of the view ${view} is saved whole as SVG, and its numbers as CSV`, async ({ page }) => {
    test.slow();
    await openPage(page, `#view=${view}&xs=12`);
    await ready(page);
    const figures = await page.locator(`.view-${view} .figure:visible`).all();
    expect(figures.length).toBeGreaterThan(2);
    for (const figure of figures) {
      const title = (await figure.locator(".figure-title").textContent())!;
      const shown = await figure.locator(".figure-plot").evaluate(drawn);
      const svg = (await saved(figure, "SVG")).toString("utf8");
      const found = await page.evaluate((svg) => {
        const { documentElement: root } = new DOMParser().parseFromString(svg, "image/svg+xml");
        return {
          name: root.localName,
          title: root.querySelector(":scope > title")?.textContent,
          summary: root.querySelector(":scope > desc")?.textContent,
          shapes: root.querySelectorAll("path, line, circle, rect[fill-opacity]").length,
          canvases: root.querySelectorAll("image").length,
          unknown: root.querySelectorAll("[class], [style]").length,
        };
      }, svg);
      expect(found, title).toMatchObject({ name: "svg", title, unknown: 0, canvases: shown.canvases });
      expect(found.summary, title).toBe(await figure.locator(".figure-summary").textContent());
      expect(shown.shapes + shown.canvases, title).toBeGreaterThan(0);
      expect(found.shapes, title).toBeGreaterThanOrEqual(shown.shapes);

      const csv = (await saved(figure, "CSV")).toString("utf8").trimEnd().split("\r\n").map(cells);
      await figure.getByText("The numbers", { exact: true }).click();
      const table = await figure
        .locator("table")
        .last()
        .evaluate((table: HTMLTableElement) => [...table.rows].map((row) => [...row.cells].map((cell) => cell.textContent)));
      expect(csv.length, title).toBe(table.length);
      expect(csv.length, title).toBeGreaterThan(1);
      for (const [row, values] of csv.entries()) {
        expect(values.length, title).toBe(table[row]!.length);
        for (const [column, value] of values.entries()) expectSame(value, table[row]![column]!);
      }
    }
  });

  test(`a picture of the view ${view} is saved as a PNG that shows something`, async ({ page }) => {
    await openPage(page, `#view=${view}&xs=12`);
    await ready(page);
    const figure = page.locator(`.view-${view} .figure:visible`).first();
    const width = await figure.locator(".figure-plot :is(svg, canvas)").first().evaluate((one) => one.getBoundingClientRect().width);
    const bytes = [...(await saved(figure, "PNG"))];
    const seen = await page.evaluate(async (bytes) => {
      const picture = await createImageBitmap(new Blob([Uint8Array.from(bytes)], { type: "image/png" }));
      const canvas = new OffscreenCanvas(picture.width, picture.height);
      const context = canvas.getContext("2d")!;
      context.drawImage(picture, 0, 0);
      const { data } = context.getImageData(0, 0, picture.width, picture.height);
      const colours = new Map<string, number>();
      for (let at = 0; at < data.length; at += 4) {
        const colour = data.subarray(at, at + 4).join();
        colours.set(colour, (colours.get(colour) ?? 0) + 1);
      }
      return { width: picture.width, ground: Math.max(...colours.values()) / (data.length / 4), colours: colours.size };
    }, bytes);
    expect(seen.width).toBeGreaterThanOrEqual(2 * Math.floor(width));
    expect(seen.colours).toBeGreaterThan(10);
    expect(seen.ground).toBeLessThan(0.995);
  });
}

/** The cells of a line of RFC 4180. */
const cells = (line: string) =>
  [...`${line},`.matchAll(/(?:"((?:[^"]|"")*)"|([^,]*)),/g)].map(([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare!);

/** A saved number is the one that is shown, which is rounded. */
function expectSame(saved: string, shown: string): void {
  const number = saved === "" ? Number.NaN : Number(saved);
  if (!Number.isFinite(number)) {
    if (!["NaN", "Infinity"].includes(saved)) expect(saved).toBe(shown);
    return;
  }
  // Such as 1.5 × 10⁻⁷.
  const [digits, power = "⁰"] = shown.replaceAll(",", "").replaceAll("−", "-").split(" × 10");
  const raised = [...power].map((digit) => (digit === "⁻" ? "-" : "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(digit))).join("");
  const read = Number(digits) * 10 ** Number(raised);
  expect(Math.abs(read - number), `${saved} shown as ${shown}`).toBeLessThanOrEqual(Math.max(0.05 * Math.abs(number), 1e-4));
}

test("the list of a search is saved with what its scores are made of", async ({ page }) => {
  await openPage(page, "#q=ship+on+the+ocean&eps=0.25");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save this list as CSV" }).click();
  const lines = (await readFile(await (await download).path(), "utf8")).trimEnd().split("\r\n");
  expect(lines[0]).toBe("query,epsilon,rank,language,id,title,score,similarity,lexical,dot,document norm");
  expect(lines).toHaveLength(1 + (await page.locator("#hits > li").count()));
  const [query, epsilon, rank, , id, , score] = lines[1]!.split(",");
  expect([query, epsilon, rank]).toEqual(["ship on the ocean", "0.25", "1"]);
  expect(id).toMatch(/^[a-z-]+\.[a-z]{2}$/);
  await expect(page.locator("#hits > li").first()).toContainText(Number(score).toFixed(4));
});
