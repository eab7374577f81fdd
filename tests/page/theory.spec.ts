import type { Page } from "@playwright/test";
import { expectAccessible, expectFits, expectRoomForFingers } from "./everyone";
import { expect, openPage, test } from "./page";

async function openTheory(page: Page, hash = "") {
  await openPage(page, `#view=theory${hash}`);
  const view = page.locator(".view-theory");
  await expect(view.getByRole("heading", { level: 2 })).toBeVisible();
  const figure = (title: string) => view.getByRole("figure").filter({ hasText: title });
  return { view, figure, live: view.locator(".theory-live") };
}

test("the constants and the bound are those of the formula", async ({ page }) => {
  // The demo model's thresholds are 0.2 and 0.7: M = 1.7^2, L = 3.4 / 1, gamma = 3.4 (2 + 4 / (3 sqrt 3)) + 2.
  const { view, figure } = await openTheory(page, "&eps=1&yc=0.01&yn=100000&yt=1000");
  await expect(view).toContainText("M = 2.89, L = 3.4 and γ = 11.4");
  const [M, L, gamma, c, n, T, delta] = [2.89, 3.4, 3.4 * (2 + 4 / (3 * Math.sqrt(3))) + 2, 0.01, 1e5, 1e3, 0.05];
  const gap = (n: number) => {
    const beta = ((1 + 1 / (gamma * c)) / (n - 1)) * M * ((2 * c * L * L) / M) ** (1 / (gamma * c + 1)) * T ** ((gamma * c) / (gamma * c + 1));
    return 2 * beta + (4 * n * beta + M) * Math.sqrt(Math.log(1 / delta) / (2 * n));
  };
  const summary = figure("The bound, by the number of pairs").locator(".figure-summary");
  await expect(summary).toContainText(`the bound on the gap is ${Number(gap(n).toPrecision(3))}`);
  await expect(summary).toContainText("it says something.");
  const least = Number(/from ([\d,]+) pairs on/.exec((await summary.textContent())!)![1]!.replaceAll(",", ""));
  // Three digits are shown.
  expect(gap(least * 1.01)).toBeLessThan(M);
  expect(gap(least * 0.99)).toBeGreaterThan(M);
});

test("with few pairs the bound says nothing, at epsilon 0 for any number", async ({ page }) => {
  const { view, figure } = await openTheory(page, "&eps=0.05&yn=1000");
  await expect(figure("The bound, by the number of pairs")).toContainText("it says nothing, for no loss is larger than M");
  await expect(figure("Where the bound says nothing").locator(".area")).toHaveCount(1);
  await page.getByRole("spinbutton", { name: "Epsilon as a number" }).fill("0");
  await expect(view).toContainText("At epsilon 0, cosine, neither L nor γ is finite");
});

test("the sliders work by keyboard and are in the link", async ({ page }) => {
  const { view } = await openTheory(page);
  const pairs = view.getByRole("slider", { name: "Pairs n" });
  await pairs.focus();
  await page.keyboard.press("End");
  await expect(page).toHaveURL(/yn=1000000000000/);
  await expect(pairs).toHaveAttribute("aria-valuetext", "1 × 10¹²");
  await page.goto("./#view=theory&yd=7&yt=-3&yc=x");
  await page.reload();
  await expect(view.getByRole("slider", { name: "Steps T" })).toHaveAttribute("aria-valuetext", "1");
  await expect(view.getByRole("slider", { name: "Probability δ" })).toHaveAttribute("aria-valuetext", "0.5");
});

test("two trainings part at the step whose pair is replaced, and stay within what the theory allows", async ({ page }) => {
  const { live, figure } = await openTheory(page, "&eps=0.5&yr=2");
  const step = live.getByRole("button", { name: "One step" });
  await step.click();
  await expect(live.getByRole("status")).toContainText("Step 1 of");
  await expect(figure("How far apart the weights are").locator(".figure-summary")).toHaveText("After 1 step the weights are 0 apart; the theory allows 0.");
  await live.getByRole("button", { name: "Train" }).click();
  await expect(live.getByRole("status")).toContainText(/Step \d,\d{3} of/);
  await live.getByRole("button", { name: "Pause" }).click();
  await figure("How far apart the weights are").getByText("The numbers").click();
  // The table is filled when it is opened.
  const listed = figure("How far apart the weights are").locator("tbody tr");
  await expect(listed.nth(5)).toBeVisible();
  const rows = await listed.evaluateAll((rows) =>
    rows.map((row) => [...row.children].map((cell) => {
      const [value, power] = cell.textContent.replaceAll(",", "").replace("−", "-").split(" × 10");
      const digits = [...(power ?? "⁰")].map((digit) => (digit === "⁻" ? "-" : "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(digit))).join("");
      return Number(value) * 10 ** Number(digits);
    })),
  );
  for (const [, seen, most] of rows) expect(seen!).toBeLessThanOrEqual(most! * 1.01);
  expect(rows.at(-1)![1]).toBeGreaterThan(0);
  await expect(figure("How far apart the losses are").locator(".figure-summary")).toContainText(/on average over the order, β = .* times what is seen/);
});

test("a setting that moves while they train begins two others, which is no failure", async ({ page }) => {
  const { view, live } = await openTheory(page, "&eps=0.5");
  await live.getByRole("button", { name: "Train" }).click();
  const status = live.getByRole("status");
  await expect(status).toContainText(/Step \d,?\d* of/);
  const constant = view.getByRole("slider", { name: /^Step size c/ });
  await constant.focus();
  const key = "ArrowLeft";
  for (let press = 0; press < 12; press++) {
    await constant.press(key);
    await page.waitForTimeout(50);
    await expect(status).not.toContainText("stopped");
  }
  await expect(live.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect(status).toContainText(/Step \d,?\d* of/);
});

for (const [colorScheme, width] of [["light", 320], ["dark", 1280]] as const) {
  test(`axe finds nothing in the theory in ${colorScheme} colours at ${width} px, nothing scrolls sideways, fingers have room`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 900 });
    const { view, live } = await openTheory(page);
    await live.getByRole("button", { name: "One step" }).click();
    await expect(live.getByRole("status")).toContainText("Step 1 of");
    await expectAccessible(page);
    await expectFits(page);
    await expectRoomForFingers(view.locator(":is(button, select, summary):visible"));
  });
}
