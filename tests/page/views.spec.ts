import { expect, openPage, test } from "./page";

const VIEWS = ["learn", "maps", "descent", "losses", "metrics", "training", "theory", "documents", "lessons"];

for (const view of VIEWS) {
  test(`the view ${view} comes up without a worker, in forced colours, for who wants less motion`, async ({ page }) => {
    await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
    await page.addInitScript(() => Reflect.deleteProperty(window, "Worker"));
    await openPage(page, `#view=${view}&q=rain`);
    const root = page.locator(`.view-${view}`);
    await expect(root.getByRole("heading", { level: 2 }).first()).toBeVisible();
    await expect(root.getByRole("alert")).toHaveCount(0);
    await expect(page.getByRole("navigation").locator("[aria-current=page]")).toHaveAttribute("data-view", view);
    // At 200 % zoom of a laptop's width.
    await page.setViewportSize({ width: 640, height: 400 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(640);
  });
}

for (const view of ["learn", "maps", "descent", "losses", "metrics", "training", "theory"]) {
  test(`in forced colours the lines of the view ${view} are the reader's colours, told apart by their dashes`, async ({ page }) => {
    await page.emulateMedia({ forcedColors: "active", colorScheme: "dark", reducedMotion: "reduce" });
    await openPage(page, `#view=${view}`);
    const root = page.locator(`.view-${view}`);
    if (view === "training") await root.getByRole("button", { name: "One step" }).click();
    const legends = root.locator(".chart-legend:visible");
    await expect(legends.first()).toBeVisible();
    const found = await legends.evaluateAll((all) => {
      const probe = document.body.appendChild(document.createElement("i"));
      const system = ["CanvasText", "LinkText"].map((colour) => {
        probe.style.setProperty("forced-color-adjust", "none");
        probe.style.setProperty("color", colour);
        return getComputedStyle(probe).color;
      });
      probe.remove();
      return all.map((legend) => {
        const lines = [...legend.querySelectorAll(".line")].map((line) => getComputedStyle(line));
        return {
          patterns: lines.map(({ strokeDasharray, strokeWidth }) => `${strokeDasharray} ${strokeWidth}`),
          others: lines.map(({ stroke }) => stroke).filter((stroke) => !system.includes(stroke)),
        };
      });
    });
    for (const { patterns, others } of found) {
      expect(patterns.length).toBeGreaterThan(1);
      expect(new Set(patterns).size).toBe(patterns.length);
      expect(others).toEqual([]);
    }
    const [current, other] = await page.locator("#subviews a").evaluateAll((links) =>
      [true, false].map((wanted) => getComputedStyle(links.find((link) => (link.ariaCurrent !== null) === wanted)!).backgroundColor),
    );
    expect(current).not.toBe(other);
  });
}

test("the menu leads from view to view and back by keyboard, and each keeps what was set in it", async ({ page }) => {
  await openPage(page, "#view=training&ts=42");
  const menu = page.getByRole("navigation");
  const go = async (name: string) => {
    await menu.getByRole("link", { name, exact: true }).focus();
    await page.keyboard.press("Enter");
  };
  await go("Learn");
  await expect(page.getByRole("button", { name: "Present the figures" })).toBeVisible();
  await go("Lessons");
  await expect(page.getByRole("button", { name: "Begin" })).toHaveCount(5);
  await go("Search");
  await expect(page.getByRole("searchbox")).toBeVisible();
  // The laboratory is as it was left.
  await go("Lab");
  await expect(page.getByRole("spinbutton", { name: "Seed" })).toHaveValue("42");
});

test("a view that does not come is told in words, and trying again works", async ({ page }) => {
  await page.route("**/assets/lessons-view-*.js", (route) => route.abort(), { times: 1 });
  await openPage(page, "#view=lessons");
  await expect(page.getByRole("alert")).toContainText("This view could not be fetched");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("button", { name: "Begin" })).toHaveCount(5);
});

test("a query in Arabic is laid out from right to left, and is no error", async ({ page }) => {
  const { query, reason } = await openPage(page);
  await query.fill("مطر فوق الجبال");
  await expect(reason).toContainText("مطر");
  expect(await query.evaluate((input) => getComputedStyle(input).direction)).toBe("rtl");
});
