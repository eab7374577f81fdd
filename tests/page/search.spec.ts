import { expectFits } from "./everyone";
import { expect, openPage, test } from "./page";

const LANGUAGES = ["French", "Italian", "Swahili", "Tagalog"];
const QUERY = "rain over the mountains";
const EXAMPLE = "flour and water dough";

test("typing ranks documents, best first, and says how many of how many", async ({ page }) => {
  const { query, cards, count } = await openPage(page);
  await query.pressSequentially(QUERY);
  await expect(cards).toHaveCount(10);
  await expect(count).toHaveText(/^10 of 2,432 documents in [\d.]+ ms$/);
  const scores = (await page.locator(".score-value").allTextContents()).map(Number);
  expect(scores.every(Number.isFinite)).toBe(true);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
});

test("each key is answered", async ({ page }) => {
  const { query, titles } = await openPage(page);
  await query.fill("rain");
  await expect(titles).toHaveCount(10);
  const before = await titles.allTextContents();
  await query.fill("rain dance drum");
  await expect.poll(() => titles.allTextContents()).not.toEqual(before);
});

test("the time from key to list is measured", async ({ page }) => {
  const { query, cards } = await openPage(page);
  await query.press("r");
  await query.pressSequentially("ain");
  await expect(cards).toHaveCount(10);
  const measures = await page.evaluate(() =>
    performance.getEntriesByName("key-to-list").map(({ duration }) => duration),
  );
  expect(measures).toHaveLength(1);
  expect(measures[0]).toBeGreaterThan(0);
});

test("all four languages can be found", async ({ page }) => {
  const { query, language, cards } = await openPage(page);
  await query.fill(QUERY);
  for (const name of LANGUAGES) {
    await language(name).check();
    await expect(cards).toHaveCount(10);
    await expect(page.locator("#hits .language")).toHaveText(Array(10).fill(name));
  }
});

test("a language that is chosen leaves out the others, and All brings them back", async ({ page }) => {
  const { query, language } = await openPage(page);
  await query.fill(QUERY);
  const tags = () =>
    page.locator("#hits h3").evaluateAll((titles) => titles.map((title) => (title as HTMLElement).lang));
  await language("Swahili").check();
  await expect.poll(tags).toEqual(Array(10).fill("sw"));
  await language("All").check();
  await expect.poll(async () => new Set(await tags()).size).toBeGreaterThan(1);
});

test("titles and texts carry their language", async ({ page }) => {
  const { query, language } = await openPage(page);
  await query.fill(QUERY);
  await language("Tagalog").check();
  await expect(page.locator("#hits .text[lang=tl][dir=auto]")).toHaveCount(10);
});

test("an example is searched for at a press", async ({ page }) => {
  const { query, cards } = await openPage(page);
  await page.getByRole("button", { name: EXAMPLE }).click();
  await expect(query).toHaveValue(EXAMPLE);
  await expect(cards).toHaveCount(10);
});

test("an empty query is invited, not searched for", async ({ page }) => {
  const { query, cards, reason } = await openPage(page);
  await expect(reason).toContainText("Type a few words in your language");
  await query.fill("rain");
  await expect(cards).toHaveCount(10);
  await query.fill("   ");
  await expect(cards).toHaveCount(0);
  await expect(reason).toContainText("Type a few words in your language");
});

test("words that the model does not know are named", async ({ page }) => {
  const { query, cards, words } = await openPage(page);
  await query.fill("rain zzyzx");
  await expect(cards).toHaveCount(10);
  await expect(words).toHaveText("Left out: this model does not know the word zzyzx.");
});

for (const [what, text, says] of [
  ["no known word", "zzyzx qwxq", "recognises none of these words: zzyzx, qwxq"],
  ["an Arabic query", "مطر على الجبال", "recognises none of these words: مطر, على, الجبال"],
] as const) {
  test(`${what}: the page says which words it does not know, and why`, async ({ page }) => {
    const { query, cards, reason } = await openPage(page);
    await query.fill(text);
    await expect(reason).toContainText(says);
    await expect(cards).toHaveCount(0);
  });
}

test("a query without a word says so", async ({ page }) => {
  const { query, reason } = await openPage(page);
  await query.fill("?! …");
  await expect(reason).toContainText("no word in this query");
});

test("markup in a query stays text", async ({ page }) => {
  const { query } = await openPage(page);
  await query.fill("<img src=x onerror=document.title='run'> rain");
  await expect(page.getByRole("group", { name: "The words of your search" })).toContainText("rain");
  await expect(page.locator("main img")).toHaveCount(0);
  await expect(page).toHaveTitle(/^smooth-clir/);
  await expect(query).toHaveValue(/^<img/);
});

test("a query of 100,000 characters is answered, keeps the layout and the link", async ({ page }) => {
  const { query, cards, words } = await openPage(page);
  await query.fill("unknownword rain ".repeat(5883).slice(0, 100_000));
  await expect(cards).toHaveCount(10);
  await expect(words).toContainText("does not know the words unknownword, unknow.");
  await expectFits(page);
  expect(page.url().length).toBeLessThan(2000);
  await expect(words).toContainText("A link holds queries of 1,000 characters at most");
  await query.fill("rain");
  await expect(words).toHaveText("");
});

test("one word of 100,000 letters keeps the layout", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const { query, reason } = await openPage(page);
  await query.fill("x".repeat(100_000));
  await expect(reason).toContainText("xxx…");
  await expectFits(page);
});

test("a query over the engine's limit is refused in words, and the next one is answered", async ({ page }) => {
  const { query, cards, reason } = await openPage(page);
  await query.fill("rain ".repeat(300_000));
  await expect(reason).toContainText("(query-too-long)");
  await query.fill("rain");
  await expect(cards).toHaveCount(10);
});
