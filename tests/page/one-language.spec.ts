import type { Page } from "@playwright/test";
import { expect, held, openPage, parts, test } from "./page";

/** A visit that searches French alone. */
const FRENCH = "#q=rain+in+the+mountains&lang=fr";
const facts = (page: Page) => page.locator("#model-facts");
const languagesShown = (page: Page) => page.locator("#hits > li .language").evaluateAll((all) => [...new Set(all.map((one) => one.textContent))]);

/** Notes the languages whose demo indexes the page asks for. */
function noteIndexes(page: Page): string[] {
  const asked: string[] = [];
  page.on("request", (request) => {
    const [, language] = /documents\/(..)\/demo\.safetensors/.exec(request.url()) ?? [];
    if (language !== undefined) asked.push(language);
  });
  return asked;
}

test("who searches one language waits for its documents alone, and the others come after the first answer", async ({ page }) => {
  const release = await held(page, /documents\/(it|sw|tl)\/demo/);
  await page.goto("about:blank");
  const asked = noteIndexes(page);
  const { cards } = await openPage(page, FRENCH);
  await expect(cards).toHaveCount(10);
  expect(await languagesShown(page)).toEqual(["French"]);
  await expect(facts(page)).toContainText("608 documents in French");
  release();
  await expect(facts(page)).toContainText("2,432 documents");
  expect([...new Set(asked)].sort()).toEqual(["fr", "it", "sw", "tl"]);
  expect(asked[0]).toBe("fr");
});

test("another language that is chosen meanwhile is answered as soon as its documents are here", async ({ page }) => {
  const release = await held(page, /documents\/(it|sw|tl)\/demo/);
  await page.goto("about:blank");
  const { cards } = await openPage(page, FRENCH);
  await expect(cards).toHaveCount(10);
  await parts(page).language("Italian").check();
  release();
  await expect.poll(() => languagesShown(page)).toEqual(["Italian"]);
  await expect(cards).toHaveCount(10);
});

test("where a language cannot be fetched the page says so, and answers once it can be", async ({ page }) => {
  const missing = /documents\/(it|sw|tl)\/demo/;
  await page.route(missing, (route) => route.fulfill({ status: 404, body: "no" }));
  await page.goto("about:blank");
  const { cards } = await openPage(page, FRENCH);
  await expect(cards).toHaveCount(10);
  await parts(page).language("Italian").check();
  await expect(page.getByText(/no documents in .it. are loaded/i).first()).toBeVisible();
  await page.unroute(missing);
  await parts(page).query.fill("snow in the mountains");
  await expect.poll(() => languagesShown(page)).toEqual(["Italian"]);
  await expect(page.getByText(/no documents in .it. are loaded/i)).toHaveCount(0);
});
