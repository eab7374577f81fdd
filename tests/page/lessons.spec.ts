import type { Page } from "@playwright/test";
import { expectAccessible, expectFits } from "./everyone";
import { expect, openPage, parts, test } from "./page";

const lesson = (page: Page) => {
  const panel = page.getByRole("region", { name: "Lesson", exact: true });
  const button = (name: string) => panel.getByRole("button", { name, exact: true });
  return { panel, next: button("Next"), back: button("Back"), again: button("Set the page up again"), end: button("End the lesson") };
};

test("there are five lessons, and each can be gone through by keyboard to its end", async ({ page }) => {
  await openPage(page, "#view=lessons");
  const begin = page.getByRole("button", { name: "Begin" });
  await expect(begin).toHaveCount(5);
  for (let number = 0; number < 5; number++) {
    await begin.nth(number).focus();
    await page.keyboard.press("Enter");
    const { panel, next, end } = lesson(page);
    await expect(panel).toContainText("Step 1 of");
    while (await next.isVisible()) {
      const place = await panel.locator(".lesson-place").first().textContent();
      await next.focus();
      await page.keyboard.press("Enter");
      await expect(panel.locator(".lesson-place").first()).not.toHaveText(place!);
      await expect(panel.getByRole("heading")).toBeFocused();
    }
    await expect(panel).toContainText("That was the last step.");
    await end.focus();
    await page.keyboard.press("Enter");
    await expect(panel).toBeHidden();
    await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Learn" }).click();
  }
});

test("a step sets the page up, and again after someone has moved something", async ({ page }) => {
  const { query, number } = await openPage(page, "#lesson=angle&at=1&q=rain+over+the+mountains&eps=100");
  const { again, back } = lesson(page);
  await expect(number).toHaveValue("100");
  await number.fill("3");
  await query.fill("bread");
  await again.click();
  await expect(number).toHaveValue("100");
  await expect(query).toHaveValue("rain over the mountains");
  await back.click();
  await expect(number).toHaveValue("0");
  await expect(parts(page).cards).toHaveCount(10);
});

test("a lesson's place is in the link, and a place that it has not is its last", async ({ page }) => {
  await openPage(page, "#lesson=swap&at=1");
  await expect(lesson(page).panel).toContainText("Step 2 of 2");
  await lesson(page).back.click();
  await expect.poll(() => page.url()).toMatch(/lesson=swap(?!.*at=)/);
  await page.goto("about:blank");
  await openPage(page, "#lesson=swap&at=8");
  await expect(lesson(page).panel).toContainText("Step 2 of 2");
  await page.goto("about:blank");
  await openPage(page, "#lesson=none");
  await expect(lesson(page).panel).toBeHidden();
});

test("views can be left out of the menu", async ({ page }) => {
  await openPage(page, "#view=maps&hide=training,documents");
  await expect(page.getByRole("link", { name: "Losses" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Training" })).toBeHidden();
  await expect(page.getByRole("link", { name: "Your documents" })).toBeHidden();
});

test("the page can stand in another, without its menu, head and foot", async ({ page }) => {
  await openPage(page, "#embed=1");
  await expect(page.getByRole("navigation", { name: "Views" })).toBeHidden();
  await expect(page.getByRole("heading", { level: 1 })).toBeHidden();
  await expect(page.getByRole("contentinfo")).toBeHidden();
});

for (const [scheme, width] of [
  ["light", 320],
  ["dark", 1280],
] as const) {
  test(`axe finds nothing in a lesson at ${width} px in ${scheme} colours, and nothing scrolls sideways`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 800 });
    await openPage(page, "#view=lessons&lesson=angle");
    await expect(lesson(page).panel).toBeVisible();
    await expect(page.getByRole("button", { name: "Begin" })).toHaveCount(5);
    await expectAccessible(page);
    await expectFits(page);
  });
}
