import type { Locator, Page } from "@playwright/test";
import { expectAccessible, expectFits, expectRoomForFingers } from "./everyone";
import { expect, openPage, test } from "./page";

const HASH = "#q=rain+over+the+mountains";

const toNumber = (text: string | null) => Number((text ?? "").replace("−", "-"));
const numbersIn = (text: string | null) => (text ?? "").match(/−?\d+\.?\d*(e-\d+)?/g)?.map(toNumber) ?? [];
const scoreOf = async (card: Locator) => toNumber(await card.locator(".score-value").textContent());
const why = (card: Locator) => card.getByRole("button", { name: "Why?" });
const pin = (card: Locator) => card.getByRole("button", { name: "Pin" });
const pinnedOf = (page: Page) => page.getByRole("region", { name: "Pinned document" });
const contributionOf = (card: Locator, word: string) =>
  card.getByRole("row").filter({ has: card.page().getByRole("rowheader", { name: word, exact: true }) }).getByRole("cell").first();

test("the arithmetic comes to the score, at every place of the slider", async ({ page }) => {
  const { cards, number } = await openPage(page, HASH);
  const card = cards.first();
  await why(card).click();
  const arithmetic = card.locator(".arithmetic-now");
  for (const epsilon of ["0", "0.3", "7", "100"]) {
    await number.fill(epsilon);
    await expect(arithmetic).toContainText(`+ ${epsilon})`);
    const [dot = 0, q = 0, , d = 0, , score = 0] = numbersIn(await arithmetic.textContent());
    expect(score).toBe(await scoreOf(card));
    expect(Math.abs(dot / ((q + Number(epsilon)) * (d + Number(epsilon))) / score - 1)).toBeLessThan(1e-3);
  }
});

test("the contribution of a word is the score less the score without it; unknown words are struck out", async ({ page }) => {
  const { query, cards } = await openPage(page, "#q=rain+mountains+zzyzx");
  const card = cards.first();
  await pin(card).click();
  const pinned = pinnedOf(page);
  await expect(pinned).toContainText("1st of 2,432");
  await why(card).click();
  await expect(contributionOf(card, "rain")).toHaveText(/^[+−]/);
  const contribution = toNumber(await contributionOf(card, "rain").textContent());
  await expect(card.locator("s")).toHaveText("zzyzx");
  await expect(contributionOf(card, "zzyzx")).toHaveText("not known");
  const whole = await scoreOf(pinned);
  await query.fill("mountains");
  await expect.poll(() => scoreOf(pinned)).not.toBe(whole);
  expect(contribution).toBeCloseTo(whole - (await scoreOf(pinned)), 3);
});

test("the words that change the score are highlighted in the text once their part is fetched", async ({ page }) => {
  const { cards } = await openPage(page, HASH);
  const card = cards.first();
  const text = card.locator(".text");
  const plain = await text.textContent();
  await why(card).click();
  await expect(text.locator("mark")).toHaveCount(0);
  await card.getByRole("button", { name: "Highlight the words that change the score" }).click();
  await expect(text.locator("mark").first()).toBeVisible();
  await expect(text).toHaveText(plain!);
  await card.getByText("The document’s words as numbers").click();
  const strongest = card.getByRole("table", { name: "Words of the document" }).getByRole("rowheader").first();
  const highlighted = (await text.locator("mark").allTextContents()).map((word) => word.toLowerCase());
  expect(highlighted).toContain(await strongest.textContent());
  await why(card).click();
  await expect(text.locator("mark")).toHaveCount(0);
});

test("a pinned document stays on top, and its rank says how it moved", async ({ page }) => {
  const { cards, number } = await openPage(page, `${HASH}&eps=0`);
  await pin(cards.nth(5)).click();
  const pinned = pinnedOf(page);
  await expect(pinned.locator(".rank")).toHaveText("6th of 2,432");
  // Changes within a second are one move: the next begins after it.
  const shown = await page.evaluate(() => performance.now());
  await page.waitForFunction((shown) => performance.now() - shown > 1000, shown);
  await number.fill("100");
  await expect(pinned.locator(".rank")).toHaveText(/^[\d,]+(st|nd|rd|th) of 2,432, (up|down) from 6th$/);
  await expect(page.getByRole("status")).toContainText(/Pinned: .* from 6th/);
  await pin(pinned).click();
  await expect(pinned).toBeHidden();
});

test("a pinned document of another language says so, and can be let go", async ({ page }) => {
  const { cards, language } = await openPage(page, HASH);
  await language("Swahili").check();
  await expect(page.locator("#hits .language").first()).toHaveText("Swahili");
  await pin(cards.first()).click();
  await language("French").check();
  const pinned = pinnedOf(page);
  await expect(pinned).toContainText("is not in French");
  await pinned.getByRole("button", { name: "Unpin" }).click();
  await expect(pinned).toBeHidden();
});

test("the link holds what is pinned and what is explained", async ({ page, context }) => {
  const { cards, titles } = await openPage(page, HASH);
  await pin(cards.nth(3)).click();
  await why(cards.nth(1)).click();
  const title = await titles.nth(3).textContent();
  await expect(page).toHaveURL(/&pin=.*&why=/);
  const other = await context.newPage();
  const twin = await openPage(other, new URL(page.url()).hash);
  await expect(pinnedOf(other).getByRole("heading")).toHaveText(title!);
  await expect(why(twin.cards.nth(1))).toHaveAttribute("aria-expanded", "true");
  await expect(twin.cards.nth(1).locator(".arithmetic-now")).toBeVisible();
});

for (const [scheme, width] of [
  ["light", 320],
  ["dark", 1280],
] as const) {
  test(`axe finds nothing in an explanation in ${scheme} colours at ${width} px, which fits`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 900 });
    const { cards } = await openPage(page, "#q=rain+mountains+zzyzx");
    const card = cards.first();
    await pin(card).click();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Enter");
    await card.getByRole("button", { name: "Highlight the words that change the score" }).click();
    await expect(card.locator("mark").first()).toBeVisible();
    await card.getByText("The document’s words as numbers").click();
    await expectFits(page);
    await expectAccessible(page);
    if (width > 320) return;
    await expectRoomForFingers(page.locator("#hits :is(button, summary):visible, #pinned :is(button, summary):visible"));
  });
}
