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

test("a lesson folds to its name, and the next step unfolds it", async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 780 });
  await openPage(page, "#lesson=angle");
  const { panel, next } = lesson(page);
  const fold = panel.getByRole("button", { name: "Fold the lesson away" });
  await expect(next).toBeVisible();
  const before = (await panel.boundingBox())!.height;
  await fold.click();
  await expect(next).toBeHidden();
  expect((await panel.boundingBox())!.height).toBeLessThan(before / 2);
  await panel.getByRole("button", { name: "Show the lesson" }).click();
  await next.click();
  await expect(panel).toContainText("Step 2 of 3");
});

test("a step sets the page up, and again after someone has moved something", async ({ page }) => {
  const { query, number } = await openPage(page, "#lesson=angle&at=1&q=rain+over+the+mountains&eps=100");
  const { again, back } = lesson(page);
  await expect(number).toHaveValue("100");
  await number.fill("3");
  await query.fill("bread");
  await again.click();
  await expect(number).toHaveValue("100");
  await expect(query).toHaveValue("snow on the mountain");
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

const quiz = (page: Page) => {
  const { panel } = lesson(page);
  return {
    option: (name: string) => panel.getByRole("radio", { name, exact: true }),
    field: panel.getByRole("textbox", { name: "Your answer" }),
    check: panel.getByRole("button", { name: "Check" }),
    result: panel.locator(".lesson-result"),
    why: panel.locator(".lesson-answer p"),
  };
};

test("an answer that is chosen is checked, and the reason is given", async ({ page }) => {
  await openPage(page, "#lesson=angle&q=rain&eps=0");
  const { option, check, result, why } = quiz(page);
  await check.click();
  await expect(result).toHaveText("Choose an answer first.");
  await expect(why).toBeHidden();
  await option("The longer").check();
  await check.click();
  await expect(result).toHaveText("Not right.");
  await expect(why).toContainText("Length is left out");
  await option("Neither").check();
  await check.press("Enter");
  await expect(result).toHaveText("Right.");
});

// What each question asks for, by its formula.
const norm = Math.SQRT2;
for (const [place, expected, formula] of [
  ["angle&at=2", 1 / ((1 + 1) * (1 + 1)), "q·d / ((|q|+ε)(|d|+ε)) of two vectors of length 1 at ε = 1"],
  ["swap&at=0", (2.5 * 1 - 2 * 2) / (2 - 2.5), "the swap point of (q·d, |d|) = (2, 1) and (2.5, 2)"],
  ["slope&at=1&view=maps&eps=0.5", norm / ((norm + 0.5) * 0.5), "|d| / ((|d|+ε) ε) at ε = 0.5"],
  ["explosion&at=0&view=descent", 0.1 / 0.001, "rate / |q|"],
  ["explosion&at=1&view=descent", 0.1 / 0.5, "rate / ε"],
] as const) {
  test(`the question of ${place.split("&view")[0]} has the answer ${formula}`, async ({ page }) => {
    await openPage(page, `#lesson=${place}`);
    const { field, check, result } = quiz(page);
    await check.click();
    await expect(result).toHaveText("Type a number first.");
    await field.fill(String(expected * 1.5));
    await field.press("Enter");
    await expect(result).toContainText(/^Not right: it is /);
    const told = Number(/\d+(\.\d+)?/.exec((await result.textContent())!)![0]);
    expect(Math.abs(told / expected - 1)).toBeLessThan(0.005);
    await field.fill(expected.toPrecision(3));
    await check.click();
    await expect(result).toContainText(/^Right: /);
  });
}

test("numbers in a lesson's text are those of its formulas", async ({ page }) => {
  // The slope in x₁ at the zero vector is d₁ / ((|d|+ε) ε).
  const steepest = (epsilon: number) => (1 / ((norm + epsilon) * epsilon)).toFixed(2);
  await openPage(page, "#lesson=slope&view=maps&eps=0.05");
  await expect(lesson(page).panel).toContainText(`At epsilon 0.05 the greatest is ${steepest(0.05)}, at the centre.`);
  await lesson(page).next.click();
  await expect(lesson(page).panel).toContainText(`At epsilon 0.5 the greatest slope is ${steepest(0.5)}.`);
});

for (const [width, height] of [
  [1280, 800],
  [375, 812],
] as const) {
  test(`at ${width} by ${height} a step brings its controls and its figure into view, below its text`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await openPage(page, "#view=lessons");
    await page.getByRole("listitem").filter({ hasText: "The explosion" }).getByRole("button", { name: "Begin" }).click();
    const { panel, next } = lesson(page);
    await expect(panel).toContainText("Press Play");
    await expect(panel.getByRole("heading")).toBeFocused();
    const play = page.locator(".view-descent").getByRole("button", { name: "Play" });
    const plane = page.locator(".view-descent .path-plane").first();
    for (const one of [panel, play, plane]) await expect(one).toBeInViewport();
    const [above, below] = [(await panel.boundingBox())!, (await play.boundingBox())!];
    expect(below.y).toBeGreaterThanOrEqual(above.y + above.height);
    await play.click();
    // Answering leaves the figure where it is, and brings the reason into view.
    const place = async () => (await plane.boundingBox())!.y;
    const before = await place();
    const { field, result, why } = quiz(page);
    await field.evaluate((one: HTMLInputElement) => one.focus());
    await page.keyboard.type("100");
    await page.keyboard.press("Enter");
    await expect(result).toContainText("Right");
    await expect(why).toBeInViewport();
    expect(Math.abs((await place()) - before)).toBeLessThan(2);
    await next.click();
    await expect(panel).toContainText("Step 2 of 3");
    await expect(plane).toBeInViewport();
  });
}

test("every step of every lesson has a picture or a result in view below its text when it begins", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  for (let number = 0; number < 5; number++) {
    await page.goto("about:blank");
    await openPage(page, "#view=lessons");
    await page.getByRole("button", { name: "Begin" }).nth(number).click();
    const { panel, next } = lesson(page);
    for (let step = 1; ; step++) {
      await expect(panel).toContainText(`Step ${step} of`);
      const seen = () =>
        page.evaluate(() => {
          const { bottom } = document.querySelector("#lesson")!.getBoundingClientRect();
          const boxes = [...document.querySelectorAll(".figure-plot, #hits li")].map((one) => one.getBoundingClientRect());
          return boxes.some((box) => box.height > 0 && box.bottom > bottom && box.top < innerHeight - 100);
        });
      await expect.poll(seen, `lesson ${number + 1}, step ${step}`).toBe(true);
      if (!(await next.isVisible())) break;
      await next.click();
    }
  }
});

test("a lesson ends when somebody leaves for a view that its step does not show, and all else stays", async ({ page }) => {
  const { number } = await openPage(page, "#lesson=slope&view=maps&eps=0.05");
  const { panel } = lesson(page);
  await expect(panel).toBeVisible();
  await number.fill("0.3");
  await expect(panel).toBeVisible();
  await page.getByRole("navigation", { name: "Lab" }).getByRole("link", { name: "Losses" }).click();
  await expect(panel).toBeHidden();
  await expect(page.locator(".view-losses")).toBeVisible();
  await expect(page).toHaveURL(/view=losses/);
  await expect(page).not.toHaveURL(/lesson=/);
  await expect(number).toHaveValue("0.3");
});

test("each lesson has notes for the teacher, folded: time, what to know before, and what to look out for", async ({ page }) => {
  await openPage(page, "#view=lessons");
  const notes = page.getByRole("group").filter({ hasText: "For the teacher" });
  await expect(notes).toHaveCount(5);
  for (const one of await notes.all()) {
    await expect(one.getByRole("list")).toBeHidden();
    await one.locator("summary").click();
    await expect(one.getByRole("listitem").first()).toContainText(/^Time: \d+ minutes\.$/);
    await expect(one.getByRole("listitem").nth(1)).toContainText(/^Before: /);
    expect(await one.getByRole("listitem").count()).toBeGreaterThan(2);
  }
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
