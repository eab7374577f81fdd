import type { Page } from "@playwright/test";
import { expect, openPage, test } from "./page";

// The largest values of the paper's Figure 1: 1 / ((sqrt 2 + eps) eps).
const FIGURE_1 = [
  ["0.05", "13.66"],
  ["0.2", "3.10"],
  ["0.5", "1.04"],
] as const;

const setSlider = (page: Page, place: number) =>
  page.locator("#epsilon-slider").evaluate((slider, value) => {
    (slider as HTMLInputElement).value = String(value);
    slider.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }, place);

for (const [epsilon, largest] of FIGURE_1) {
  test(`at epsilon ${epsilon} the heat map's largest value is ${largest}, at the centre`, async ({ page }) => {
    const { number, largest: text } = await openPage(page);
    await number.fill(epsilon);
    await expect(text).toHaveText(`At epsilon ${epsilon} the derivative is largest at the centre: ${largest}.`);
  });
}

test("at epsilon 0 the heat map says that it is unbounded, and undefined at the centre", async ({ page }) => {
  const { slider, largest } = await openPage(page);
  await slider.focus();
  await page.keyboard.press("Home");
  await expect(slider).toHaveAttribute("aria-valuetext", "epsilon 0, cosine");
  await expect(largest).toContainText("unbounded near the centre and undefined at it");
  await page.getByText("The map as numbers").click();
  await expect(page.getByRole("cell", { name: "undefined" })).toHaveCount(1);
});

test("the slider ranks anew: scores fall as epsilon grows, and the order changes", async ({ page }) => {
  const { cards, titles, slider } = await openPage(page, "#q=rain+over+the+mountains&eps=0");
  await expect(cards).toHaveCount(10);
  const score = async () => Number(await page.locator(".score-value").first().textContent());
  const cosine = await score();
  const order = await titles.allTextContents();
  await setSlider(page, 1001);
  await expect(slider).toHaveAttribute("aria-valuetext", /epsilon 100/);
  await expect.poll(score).toBeLessThan(cosine);
  await expect.poll(() => titles.allTextContents()).not.toEqual(order);
  await setSlider(page, 0);
  await expect.poll(() => titles.allTextContents()).toEqual(order);
});

test("with cosine the first hit's score is its cosine, whatever |d| is", async ({ page }) => {
  const { cards } = await openPage(page, "#q=rain&eps=0");
  await expect(cards).toHaveCount(10);
  const best = Number(await page.locator(".score-value").first().textContent());
  expect(best).toBeGreaterThan(0);
  expect(best).toBeLessThanOrEqual(1);
});

test("slider, number and button agree", async ({ page }) => {
  const { slider, number, reset } = await openPage(page);
  await expect(reset).toBeDisabled();
  const own = await number.inputValue();
  await setSlider(page, 401);
  await expect(number).toHaveValue("0.1");
  await number.fill("10");
  await expect(slider).toHaveJSProperty("value", "801");
  await expect(slider).toHaveAttribute("aria-valuetext", "epsilon 10, between cosine and dot product");
  await reset.click();
  await expect(number).toHaveValue(own);
  await expect(reset).toBeDisabled();
});

test("a number out of range is brought into it, and no number changes nothing", async ({ page }) => {
  const { number, largest } = await openPage(page);
  await number.fill("-3");
  await number.blur();
  await expect(number).toHaveValue("0");
  await number.fill("1e9");
  await number.blur();
  await expect(number).toHaveValue("100");
  await expect(largest).toContainText("At epsilon 100");
  await number.fill("");
  await expect(number).toHaveAttribute("aria-invalid", "true");
  await number.blur();
  await expect(number).toHaveValue("100");
  await expect(number).toHaveAttribute("aria-invalid", "false");
});

test("the map has its colours: blue at the centre, orange where the slope is negative", async ({ page }) => {
  const { largest } = await openPage(page, "#eps=0.2");
  await expect(largest).toContainText("3.10");
  const pixel = (column: number, row: number) =>
    page.locator("#map").evaluate(
      (canvas, [x, y]) => [...((canvas as HTMLCanvasElement).getContext("2d")?.getImageData(x, y, 1, 1).data ?? [])],
      [column, row] as [number, number],
    );
  const [centreRed = 0, , centreBlue = 0] = await pixel(80, 80);
  expect(centreBlue).toBeGreaterThan(centreRed);
  // (2, 0.5): moving right turns away from (1, 1).
  const [farRed = 0, , farBlue = 0] = await pixel(160, 60);
  expect(farRed).toBeGreaterThan(farBlue);
});

test("the map's numbers can be read as a table", async ({ page }) => {
  const { largest } = await openPage(page, "#eps=0.5");
  await expect(largest).toContainText("1.04");
  await page.getByText("The map as numbers").click();
  const table = page.getByRole("table", { name: "for epsilon 0.5" });
  await expect(table.getByRole("row")).toHaveCount(6);
  await expect(table.getByRole("row").nth(3).getByRole("cell").nth(2)).toHaveText("1.04");
});

test("pointing at the map reads a value", async ({ page }) => {
  const { largest } = await openPage(page, "#eps=0.2");
  await expect(largest).toContainText("3.10");
  const map = page.locator("#map");
  await map.scrollIntoViewIfNeeded();
  await map.hover();
  await expect(page.locator("#map-reading")).toHaveText("At (0.00, 0.00): 3.10");
});

test("cards glide to their new places, and do not for who wants less motion", async ({ page }) => {
  const moving = () => page.evaluate(() => document.getAnimations().length);
  for (const [motion, expected] of [
    ["no-preference", true],
    ["reduce", false],
  ] as const) {
    await page.emulateMedia({ reducedMotion: motion });
    const { cards, titles } = await openPage(page, "#q=rain+over+the+mountains&eps=0");
    await expect(cards).toHaveCount(10);
    await page.evaluate(() => {
      const seen = window as unknown as { glides: number };
      seen.glides = 0;
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (...args) {
        seen.glides += 1;
        return animate.apply(this, args);
      };
    });
    const order = await titles.allTextContents();
    for (let place = 25; place < 1001; place += 25) await setSlider(page, place);
    await expect(page.locator("#map-largest")).toContainText("At epsilon 98.9");
    await expect.poll(() => titles.allTextContents()).not.toEqual(order);
    const glides = await page.evaluate(() => (window as unknown as { glides: number }).glides);
    expect(glides > 0).toBe(expected);
    await expect.poll(moving).toBe(0);
    await page.goto("about:blank");
  }
});
