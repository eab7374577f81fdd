import { expect, openPage, parts, test } from "./page";

test("the link holds query, epsilon and language, and brings them back", async ({ page, context }) => {
  const { query, number, language } = await openPage(page);
  await query.fill("rain & snow #1");
  await number.fill("0.25");
  await language("Italian").check();
  await expect(page).toHaveURL(/#q=rain.*&eps=0\.25&lang=it$/);
  const other = await context.newPage();
  const twin = await openPage(other, new URL(page.url()).hash);
  await expect(twin.query).toHaveValue("rain & snow #1");
  await expect(twin.number).toHaveValue("0.25");
  await expect(twin.language("Italian")).toBeChecked();
  await expect(other.locator("#hits .language").first()).toHaveText("Italian");
});

test("Back returns to the view before, as it was left, and Forward to the one after", async ({ page }) => {
  const { query, number, cards } = await openPage(page);
  await query.fill("rain");
  // At once: the address does not have it yet.
  await number.fill("0.25");
  const menu = page.getByRole("navigation");
  await menu.getByRole("link", { name: "Lab" }).click();
  await menu.getByRole("link", { name: "Losses" }).click();
  await expect(page).toHaveURL(/view=losses/);
  await menu.getByRole("link", { name: "Learn" }).click();
  await expect(page).toHaveURL(/view=learn/);
  await page.goBack();
  await expect(page.locator("#lab").getByRole("heading", { level: 2 }).first()).toBeVisible();
  await expect(page).toHaveURL(/#q=rain&eps=0\.25&view=losses/);
  await page.goBack();
  await expect(page).toHaveURL(/view=maps/);
  await page.goBack();
  await expect(page).toHaveURL(/#q=rain&eps=0\.25$/);
  await expect(query).toBeVisible();
  await expect(number).toHaveValue("0.25");
  await expect(cards).toHaveCount(10);
  await page.goForward();
  await expect(page).toHaveURL(/view=maps/);
  await expect(query).toBeHidden();
});

test("Back returns to the query before, once one has settled", async ({ page }) => {
  const { query, cards } = await openPage(page, "#q=rain");
  await expect(cards).toHaveCount(10);
  await query.fill("bread");
  await expect(page).toHaveURL(/q=bread/);
  await query.pressSequentially(" oven");
  await expect(page).toHaveURL(/q=bread\+oven/);
  await page.goBack();
  await expect(query).toHaveValue("rain");
  await page.goForward();
  await expect(query).toHaveValue("bread oven");
});

test("a link opened in the same tab takes effect at once", async ({ page }) => {
  const { query, number } = await openPage(page, "#q=rain&eps=2");
  await page.evaluate(() => {
    location.hash = "#q=snow&eps=3";
  });
  await expect(query).toHaveValue("snow");
  await expect(number).toHaveValue("3");
});

for (const [what, hash, epsilon] of [
  ["an epsilon below its range", "#eps=-5", "0"],
  ["an epsilon above its range", "#eps=1e300", "100"],
  ["an epsilon that is no number", "#eps=lots", undefined],
  ["a language that there is none of", "#lang=xx", undefined],
  ["a language that is no tag", "#lang=<b>", undefined],
  ["a language of queries that there is none of", "#ql=xx", undefined],
  ["nonsense", "#%%%=&&&=q", undefined],
] as const) {
  test(`a link with ${what} is put right`, async ({ page }) => {
    const { number, reset, language, query, cards } = await openPage(page, hash);
    if (epsilon === undefined) await expect(reset).toBeDisabled();
    else await expect(number).toHaveValue(epsilon);
    await expect(language("All")).toBeChecked();
    await query.fill("rain");
    await expect(cards).toHaveCount(10);
  });
}

test("a link with a very long query is cut, not refused", async ({ page }) => {
  await page.goto(`./#q=${"rain+".repeat(20_000)}`);
  const { query, cards } = parts(page);
  await expect(cards).toHaveCount(10);
  expect((await query.inputValue()).length).toBeLessThanOrEqual(1000);
});
