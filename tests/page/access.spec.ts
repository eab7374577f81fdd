import { expectAccessible, expectFits, expectRoomForFingers } from "./everyone";
import { expect, openPage, parts, test } from "./page";

for (const scheme of ["light", "dark"] as const) {
  for (const width of [1280, 390]) {
    test(`axe finds nothing in ${scheme} colours at ${width} px`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: 900 });
      const { query, cards } = await openPage(page);
      await query.fill("rain zzyzx");
      await expect(cards).toHaveCount(10);
      await page.getByText("The map as numbers").click();
      await expectAccessible(page);
    });
  }

  test(`axe finds nothing in a failure in ${scheme} colours`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.route("**/generated/query.safetensors*", (route) => route.fulfill({ status: 404, body: "" }));
    await page.goto("./");
    await expect(parts(page).retry).toBeVisible();
    await expectAccessible(page);
  });
}

test("everything can be done by keyboard", async ({ page }) => {
  const { query, cards, slider, language, reset } = await openPage(page);
  const press = (key: string) => page.keyboard.press(key);
  await press("/");
  await expect(query).toBeFocused();
  await page.keyboard.type("rain/snow");
  await expect(query).toHaveValue("rain/snow");
  await expect(cards).toHaveCount(10);
  await press("Escape");
  await expect(query).toHaveValue("");
  // The choice of languages lies before it.
  while (!(await page.locator(".example").first().evaluate((example) => example === document.activeElement))) await press("Tab");
  await press("Enter");
  await expect(query).not.toHaveValue("");
  await expect(cards).toHaveCount(10);
  while (!(await language("All").evaluate((radio) => radio === document.activeElement))) await press("Tab");
  await press("ArrowRight");
  await expect(language("French")).toBeChecked();
  await expect(page.locator("#hits .language").first()).toHaveText("French");
  while (!(await slider.evaluate((range) => range === document.activeElement))) await press("Tab");
  const before = await slider.getAttribute("aria-valuetext");
  await press("ArrowLeft");
  await expect(slider).not.toHaveAttribute("aria-valuetext", before ?? "");
  await expect(reset).toBeEnabled();
  await press("/");
  await expect(query).toBeFocused();
});

test("the skip link leads to the results and leaves the link's state alone", async ({ page }) => {
  await openPage(page, "#q=rain");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the results" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("#results")).toBeFocused();
  await expect(page).toHaveURL(/#q=rain$/);
});

test("a screen reader hears the outcome once the typing rests", async ({ page }) => {
  const { query } = await openPage(page);
  await query.fill("rain zzyzx");
  const status = page.getByRole("status");
  await expect(status).toContainText("10 documents. The first:");
  await expect(status).toContainText("Left out: this model does not know the word zzyzx.");
});

for (const [what, width, height] of [
  ["320 px", 320, 640],
  ["a low window", 320, 256],
  ["200 % zoom of 1280 px", 640, 450],
] as const) {
  test(`${what}: nothing scrolls sideways`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    const { query, cards } = await openPage(page);
    await query.fill("rain over the mountains");
    await expect(cards).toHaveCount(10);
    await page.getByText("The map as numbers").click();
    await expectFits(page);
  });
}

test("on a phone the slider is at hand while reading results", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const { query, cards, slider } = await openPage(page);
  await query.fill("rain");
  await expect(cards).toHaveCount(10);
  await cards.nth(4).scrollIntoViewIfNeeded();
  await expect(slider).toBeInViewport();
});

test("what a finger presses is at least 44 px high", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openPage(page);
  await expectRoomForFingers(page.locator("button:visible, input:visible, summary:visible, .chip:visible"));
});

test("headings are in order and begin with one h1", async ({ page }) => {
  const { query, cards } = await openPage(page);
  await query.fill("rain");
  await expect(cards).toHaveCount(10);
  const levels = await page
    .locator("h1, h2, h3")
    .evaluateAll((found) => found.map(({ tagName }) => Number(tagName[1])));
  expect(levels[0]).toBe(1);
  expect(levels.filter((level) => level === 1)).toHaveLength(1);
  for (const [place, level] of levels.entries()) expect(level - (levels[place - 1] ?? 0)).toBeLessThanOrEqual(1);
});
