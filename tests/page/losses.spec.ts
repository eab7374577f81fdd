import type { Page } from "@playwright/test";
import { expectAccessible, expectFits, expectRoomForFingers } from "./everyone";
import { expect, modelMetadata, parts, test } from "./page";

const view = (page: Page) => ({
  figure: (title: string) => page.locator(".view-losses .figure").filter({ has: page.getByRole("heading", { name: title, exact: true }) }),
  lower: page.getByRole("slider", { name: /t₁/ }),
  upper: page.getByRole("slider", { name: /t₂/ }),
  reset: page.getByRole("button", { name: "thresholds: model’s own (0.2, 0.7)" }),
});

/** A pair scores its dot product at epsilon 0.5: all norms are 0.5. */
const PAIRS = { scores: [0.1, 0.2, 0.3, 0.5, 0.6, 0.8, 0.9, 0.1], grades: [0, 0, 0, 1, 2, 1, 2, 1] };
const DOCUMENTS = ["elephant", "lion", "giraffe", "hippopotamus", "crocodile", "tortoise", "snake", "frog"];

async function open(page: Page, hash = ""): Promise<ReturnType<typeof view>> {
  const documents = DOCUMENTS.map((name) => `${name}.fr`);
  const json = {
    format: "smooth-clir-evaluation",
    version: 1,
    model: (await modelMetadata())["space"],
    epsilon: 0.5,
    thresholds: [0.2, 0.7],
    refit: true,
    queries: [{ id: "1", text: "rain" }],
    collections: [
      {
        language: "fr",
        documents,
        norms: documents.map(() => 0.5),
        judged: [{ query: 0, norm: 0.5, documents: [...documents.keys()], grades: PAIRS.grades, dots: PAIRS.scores }],
      },
    ],
  };
  await page.route("**/generated/evaluation.json", (route) => route.fulfill({ json }));
  await page.goto(`./#view=losses&lm=tested${hash}`);
  const found = view(page);
  await expect(found.lower).toBeVisible();
  return found;
}

test("the losses are those of the formulas, for each grade", async ({ page }) => {
  const { figure } = await open(page, "&ll=sosl,three-part,mse,proportional-odds,proportional-odds-paper");
  // At 0.5, for 0.2 and 0.7. NR: 0.3^2, the middle -0.4: 0.9^2, log(1 + e^3), log(1 + e^0.3) + log(1 + e^-1.5).
  await expect(figure("Not relevant (NR)")).toContainText(
    "At r = 0.5 the loss is: SOSL 0.090; Three-part 0.090; MSE 0.81; Proportional odds 3.05; Proportional odds, as released 1.06.",
  );
  // SR: in the interval; the middle 0.45.
  await expect(figure("Partly relevant (SR)")).toContainText("SOSL 0; Three-part 0; MSE 0.0025;");
  // MR: 0.2^2; the middle 0.85; log(1 + e^2).
  await expect(figure("Relevant (MR)")).toContainText("SOSL 0.040; Three-part 0.040; MSE 0.12; Proportional odds 2.13;");
});

test("three-part lacks the pull that lifts SR, and slopes are shown too", async ({ page }) => {
  const { figure } = await open(page, "&lr=0&lo=slope");
  // SR at 0: -2 (0.2 - 0).
  await expect(figure("Partly relevant (SR)")).toContainText("At r = 0 the slope is: SOSL −0.40; Three-part 0; MSE −0.90;");
});

test("thresholds move by keyboard, a hundredth a press, and stay in their order", async ({ page }) => {
  const { lower, upper, figure, reset } = await open(page, "&lt=0.2,0.23");
  await lower.focus();
  await page.keyboard.press("ArrowRight");
  await expect(lower).toHaveAttribute("aria-valuetext", "0.21");
  for (let press = 0; press < 4; press++) await page.keyboard.press("ArrowRight");
  await expect(lower).toHaveAttribute("aria-valuetext", "0.22");
  await expect(lower).toHaveValue("0.22");
  await expect(figure("Partly relevant (SR)")).toContainText("A score from 0.22 to 0.23 costs nothing");
  await expect(page).toHaveURL(/lt=0\.22%2C0\.23/);
  await reset.click();
  await expect(upper).toHaveAttribute("aria-valuetext", "0.7");
});

test("a threshold is dragged in a picture", async ({ page }) => {
  const { figure, upper, lower } = await open(page);
  // The model's scores come later, and draw anew.
  await page.waitForLoadState("networkidle");
  const picture = figure("Not relevant (NR)").locator("svg.chart");
  const rule = picture.locator(".rule line").last();
  await rule.scrollIntoViewIfNeeded();
  const { x, y, height } = (await rule.boundingBox())!;
  const from = (await picture.locator(".rule line").first().boundingBox())!.x;
  await page.mouse.move(x, y + height / 2);
  await page.mouse.down();
  // Half way to the lower one, which stands at 0.2.
  await page.mouse.move((x + from) / 2, y + height / 2, { steps: 3 });
  await expect(upper).toHaveAttribute("aria-valuetext", /^0\.4[456]$/);
  await page.mouse.move(from - 60, y + height / 2);
  await page.mouse.up();
  await expect(upper).toHaveAttribute("aria-valuetext", "0.21");
  await expect(lower).toHaveAttribute("aria-valuetext", "0.2");
});

for (const [what, link] of [
  ["in the wrong order", "0.7,0.2"],
  ["of another number", "0.1,0.2,0.3"],
  ["that are none", "low,high"],
] as const) {
  test(`a link with thresholds ${what} has the model's own`, async ({ page }) => {
    const { lower, upper } = await open(page, `&lt=${link}`);
    await expect(lower).toHaveAttribute("aria-valuetext", "0.2");
    await expect(upper).toHaveAttribute("aria-valuetext", "0.7");
  });
}

test("the confusion table follows the thresholds, and a score on a threshold has the grade below it", async ({ page }) => {
  const { figure, upper } = await open(page);
  const confusion = figure("Which grade these thresholds give");
  // NR 0.1 0.2 | 0.3; SR 0.1 | 0.5 | 0.8; MR 0.6 | 0.9.
  await expect(confusion).toContainText("4 of 8 test pairs (50%)");
  await confusion.getByText("The numbers").click();
  const rows = () => confusion.locator("tbody tr").allTextContents();
  expect(await rows()).toEqual(["judged NR210", "judged SR111", "judged MR011"]);
  await upper.fill("0.55");
  await expect(confusion).toContainText("5 of 8 test pairs");
  expect(await rows()).toEqual(["judged NR210", "judged SR111", "judged MR002"]);
});

test("at another epsilon scores are drawn and no grades given, and it says why", async ({ page }) => {
  const { figure } = await open(page);
  await expect(figure("How the model’s scores lie")).toContainText("8 test pairs of a query and a document, at epsilon 0.5");
  await parts(page).number.fill("1");
  // 0.6 at norms of 0.5: 0.6 / 1.5^2.
  await expect(figure("How the model’s scores lie")).toContainText("at epsilon 1.");
  await expect(figure("Which grade these thresholds give")).toBeHidden();
  await expect(page.locator(".loss-scores")).toContainText("thresholds hold only at the epsilon that the model was trained with, 0.5");
  await expect(figure("How the model’s scores lie").locator(".rule")).toHaveCount(0);
  await expect(figure("Not relevant (NR)").locator(".rule")).toHaveCount(2);
});

test("the model that is loaded has scores of its own, and it says what it was trained on", async ({ page }) => {
  const { figure } = await open(page, "&lt=-0.98,0.98");
  const confusion = figure("Which grade these thresholds give");
  const tested = await figure("How the model’s scores lie").locator(".figure-summary").textContent();
  await page.getByRole("radio", { name: "the model as loaded here" }).check();
  await expect(figure("How the model’s scores lie")).toContainText("8 test pairs of a query and a document");
  await expect(figure("How the model’s scores lie").locator(".figure-summary")).not.toHaveText(tested!);
  // Between these thresholds are all scores, so all pairs are given SR, and three are.
  await expect(confusion).toContainText("3 of 8 test pairs");
  await expect(page.locator(".loss-scores")).toContainText("overfitting");
});

test("without the test queries the losses are there all the same, and trying again works", async ({ page }) => {
  await page.route("**/generated/evaluation.json", (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto("./#view=losses&lm=tested");
  const { figure } = view(page);
  await expect(page.locator(".loss-scores")).toContainText("The test queries could not be fetched");
  await expect(figure("Not relevant (NR)")).toContainText("SOSL 0.090");
  await page.unroute("**/generated/evaluation.json");
  const json = { format: "smooth-clir-evaluation", version: 1, model: "another", epsilon: 0.5, thresholds: [0.2, 0.7], refit: false, queries: [{ id: "1", text: "rain" }], collections: [{ language: "fr", documents: ["a"], norms: [0.5], judged: [{ query: 0, norm: 0.5, documents: [0], grades: [2], dots: [0.8] }] }] };
  await page.route("**/generated/evaluation.json", (route) => route.fulfill({ json }));
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(figure("Which grade these thresholds give")).toContainText("1 of 1 test pairs (100%)");
  await expect(page.locator(".loss-scores")).toContainText("is not the loaded model");
});

for (const [scheme, width] of [["light", 320], ["dark", 1280]] as const) {
  test(`axe finds nothing in ${scheme} colours at ${width} px, and nothing is too wide or too small`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 800 });
    const { figure } = await open(page);
    await expect(figure("Which grade these thresholds give")).toBeVisible();
    await page.locator(".view-losses summary").first().click();
    await expectAccessible(page);
    await expectFits(page);
    await expectRoomForFingers(page.locator(".view-losses :is(button, input, summary):visible"));
  });
}
