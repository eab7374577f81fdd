import type { Page } from "@playwright/test";
import { expectAccessible, expectFits, expectRoomForFingers } from "./everyone";
import { expect, openPage, test } from "./page";

const HASH = "#q=rain+over+the+mountains";
const STORY = "sweet fruit";
const STORY_HASH = `#q=${STORY.replaceAll(" ", "+")}`;

const ticksOf = (page: Page) => page.getByRole("toolbar", { name: "Swap points" }).getByRole("button");
const panelOf = (page: Page) => page.getByRole("region", { name: "Two documents change rank" });
const storyOf = (page: Page) => page.getByRole("region", { name: "A short and a long document" });
/** The cards as the page names their documents. */
const order = (page: Page) =>
  page
    .locator("#hits .card-head")
    .evaluateAll((heads) =>
      heads.map((head) => `${head.querySelector("h3")!.textContent} (${head.querySelector(".language")!.textContent})`),
    );

test("at a tick, and not before, the one document passes the other", async ({ page }) => {
  const { number } = await openPage(page, HASH);
  const names = async () => (await ticksOf(page).all()).map((tick) => tick.getAttribute("aria-label"));
  await expect(ticksOf(page).first()).toBeVisible();
  const single = (await Promise.all(await names()))
    .map((name) => /^At (0\.\d+|\d\.\d+) (.+\)) passes (.+\))$/.exec(name ?? ""))
    .filter((match) => match !== null);
  expect(single.length).toBeGreaterThan(2);
  for (const [, at, rising, falling] of single.slice(0, 4)) {
    for (const [factor, ahead, behind] of [
      [0.97, falling, rising],
      [1.03, rising, falling],
    ] as const) {
      await number.fill(String(Number(at) * factor));
      await expect
        .poll(async () => {
          const shown = await order(page);
          return shown.includes(ahead!) && (!shown.includes(behind!) || shown.indexOf(ahead!) < shown.indexOf(behind!));
        })
        .toBe(true);
    }
  }
});

test("a tick stands under the slider where the thumb is at that epsilon", async ({ page }) => {
  const { slider } = await openPage(page, HASH);
  const tick = ticksOf(page).first();
  await tick.press("Enter");
  await panelOf(page).getByRole("button", { name: /^Go to/ }).click();
  const share = await slider.evaluate((range: HTMLInputElement) => range.valueAsNumber / Number(range.max));
  const box = (await slider.boundingBox())!;
  const thumb = 20;
  const middle = box.x + thumb / 2 + share * (box.width - thumb);
  const own = (await page.locator(".swap-point[aria-expanded=true]").boundingBox())!;
  expect(Math.abs(own.x + own.width / 2 - middle)).toBeLessThan(12);
});

test("by keyboard: from the slider to a tick, to its curves, to its epsilon and back", async ({ page }) => {
  const { slider, number } = await openPage(page, HASH);
  await expect(ticksOf(page).first()).toBeVisible();
  await slider.focus();
  await page.keyboard.press("Tab");
  await expect(ticksOf(page).first()).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(ticksOf(page).nth(1)).toBeFocused();
  await page.keyboard.press("Enter");
  const panel = panelOf(page);
  await expect(panel.getByRole("img", { name: "The two scores" })).toBeVisible();
  const goThere = panel.getByRole("button", { name: /^Go to/ });
  const at = Number(/[\d.]+/.exec((await goThere.textContent())!)![0]);
  await goThere.press("Enter");
  expect(Math.abs(Number(await number.inputValue()) / at - 1)).toBeLessThan(0.01);
  await expect(panel).toContainText("neither is ahead");
  await panel.getByRole("button", { name: "Close" }).press("Enter");
  await expect(panel).toBeHidden();
  await expect(page.locator(".swap-point:focus")).toHaveCount(1);
});

test("the link holds the rank change that is shown", async ({ page, context }) => {
  await openPage(page, HASH);
  await ticksOf(page).first().click();
  const sentence = await panelOf(page).locator("p").first().textContent();
  expect(sentence).toMatch(/is ahead below epsilon [\d.]+, .* above\.$/);
  await expect(page).toHaveURL(/&swap=/);
  const other = await context.newPage();
  await openPage(other, new URL(page.url()).hash);
  await expect(panelOf(other).locator("p").first()).toHaveText(sentence!);
});

test("the story is of two results of the query, which change rank between 0.05 and 5, as it says", async ({ page }) => {
  const { titles, query, number } = await openPage(page, HASH);
  const story = storyOf(page);
  await expect(story).toContainText(`Two results for “${await query.inputValue()}”.`);
  const [cosine, swapPoint, large] = await story.getByRole("button").all();
  const short = /Cosine: (.+) is ahead/.exec((await cosine!.textContent())!)![1]!;
  const long = /10: (.+) is ahead/.exec((await large!.textContent())!)![1]!;
  const isAhead = async (one: string, other: string) => {
    const shown = await titles.allTextContents();
    return shown.indexOf(one) < shown.indexOf(other);
  };
  await cosine!.click();
  await expect(number).toHaveValue("0");
  await expect.poll(() => isAhead(short, long)).toBe(true);
  await large!.click();
  await expect.poll(() => isAhead(long, short)).toBe(true);
  await expect(story.locator(".story-now")).toContainText(`${long} is ahead`);
  await swapPoint!.click();
  const at = Number(await number.inputValue());
  expect(at).toBeGreaterThan(0.05);
  expect(at).toBeLessThan(5);
  await expect(panelOf(page)).toBeVisible();
});

test("after fine-tuning the story is told with the new vectors", async ({ page }) => {
  const { titles } = await openPage(page, STORY_HASH);
  const now = storyOf(page).locator(".story-now");
  await expect(now).toBeVisible();
  const before = await now.textContent();
  const original = await page.locator("#hits .score-value").allTextContents();
  await page.locator("#hits").getByRole("button", { name: /^Relevant / }).first().click();
  await page.getByRole("button", { name: "Step", exact: true }).click();
  await expect(page.locator("#finetune-work")).toContainText("Step 1");
  await expect(now).not.toHaveText(before!);
  const scores = await page.locator("#hits .score-value").allTextContents();
  expect(scores).not.toEqual(original);
  const [, short, ofShort, long, ofLong] = /: (.+) ([\d.]+), (.+) ([\d.]+);/.exec((await now.textContent())!)!;
  const shown = await titles.allTextContents();
  expect(scores[shown.indexOf(short!)]).toBe(ofShort);
  expect(scores[shown.indexOf(long!)]).toBe(ofLong);
});

test("presets set epsilon, and say which is in use", async ({ page }) => {
  const { number } = await openPage(page);
  const presets = page.getByRole("group", { name: "Presets for epsilon" }).getByRole("button");
  await expect(presets).toHaveText(["0", "0.25", "0.5", "1", "100"]);
  await presets.nth(1).click();
  await expect(number).toHaveValue("0.25");
  await expect(presets.nth(1)).toHaveAttribute("aria-pressed", "true");
});

test("curves and explanations are fetched when they are first asked for", async ({ page }) => {
  const fetched: string[] = [];
  page.on("request", (request) => fetched.push(request.url()));
  const { cards } = await openPage(page, HASH);
  await expect(cards).toHaveCount(10);
  await expect(ticksOf(page).first()).toBeVisible();
  const late = () => fetched.filter((url) => /(crossing|why)-view/.test(url)).length;
  expect(late()).toBe(0);
  await ticksOf(page).first().click();
  await expect(panelOf(page)).toBeVisible();
  expect(late()).toBeGreaterThan(0);
});

for (const [scheme, width] of [
  ["light", 320],
  ["dark", 1280],
] as const) {
  test(`axe finds nothing in ticks and curves in ${scheme} colours at ${width} px, which fit`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 900 });
    await openPage(page, HASH);
    await ticksOf(page).first().click();
    await expect(panelOf(page).getByRole("img", { name: "The two scores" })).toBeVisible();
    await expect(storyOf(page)).toBeVisible();
    await expectFits(page);
    await expectAccessible(page);
    if (width > 320) return;
    await expectRoomForFingers(page.locator(":is(.epsilon, .rank-change, .story) :is(button, summary):visible"));
  });
}
