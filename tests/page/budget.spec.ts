import type { Page } from "@playwright/test";
import { listen, requested, takeRequested } from "./asked";
import { expect, idle, openPage, parts, test } from "./page";

/** Waits until the first search is answered and all that follows it unasked is done: the story, and every text. */
async function settled(page: Page): Promise<void> {
  await expect(page.locator("#story")).toBeVisible();
  await expect.poll(() => requested(page)).toContain("fetchTexts");
  await idle(page);
}

/** When the event happened that the list shows the answer to. */
const answered = (page: Page) => page.evaluate(() => performance.getEntriesByName("key-to-list").at(-1)?.startTime);

test.describe("a first visitor", () => {
  test.use({ hood: "closed" });

  test("asks for little: the page, its module, its model", async ({ page }) => {
    const requested: string[] = [];
    page.on("request", (request) => requested.push(new URL(request.url()).pathname.replace(/.*?\/(?=..\/texts\.|[^/]*$)/, "")));
    await openPage(page, "#q=rain");
    await expect(parts(page).count).not.toBeEmpty();
    const kinds = requested.map((name) => name.replace(/-[\w-]{8}\./, "."));
    // Its parts for later are none of the visit's business.
    expect(kinds.filter((name) => /view|training|lessons|lab|full-engine|ranking|document\./.test(name))).toEqual([]);
    const files = kinds.filter((name) => /\.safetensors(\.gz)?$/.test(name));
    const texts = files.filter((name) => name.includes("/texts."));
    // An index for each of the four languages.
    expect(files.filter((name) => !texts.includes(name)).sort()).toEqual([...Array(4).fill("demo.safetensors.gz"), "query.safetensors.gz"]);
    // The results lie in no more files than that; the other texts come when the browser rests.
    expect(texts.length).toBeGreaterThan(0);
    expect(new Set(texts).size).toBe(texts.length);
    expect(requested.length - texts.length, requested.join(" ")).toBeLessThanOrEqual(20);
  });
});

test("one move of the slider is one ranking again, and no text is encoded again", async ({ page }) => {
  await listen(page);
  const { slider, cards } = await openPage(page, "#q=rain+over+the+mountains");
  await expect(cards).toHaveCount(10);
  await settled(page);
  await takeRequested(page);
  const before = await answered(page);
  await slider.press("ArrowRight");
  await expect.poll(() => answered(page)).not.toBe(before);
  await idle(page);
  // A query that was asked before is ranked from what is known of it: see the core's encoded query.
  expect(await takeRequested(page)).toEqual(["search"]);
});

test("what was typed is encoded once, and looked up once", async ({ page }) => {
  await listen(page);
  const { query, cards, titles } = await openPage(page, "#q=bread");
  await expect(cards).toHaveCount(10);
  const first = await titles.first().textContent();
  await settled(page);
  await takeRequested(page);
  await query.fill("rain");
  await expect(titles.first()).not.toHaveText(first!);
  await idle(page);
  expect((await takeRequested(page)).sort()).toEqual(["search", "tokens"]);
});
