import type { Page } from "@playwright/test";
import { expectAccessible, expectFits, expectRoomForFingers } from "./everyone";
import { expect, test } from "./page";

const view = (page: Page) => ({
  run: (title: string) => page.locator(".view-descent .figure").filter({ has: page.getByRole("heading", { name: title, exact: true }) }),
  step: page.getByRole("slider", { name: "Steps shown" }),
  rate: page.getByRole("slider", { name: "Rate" }),
  angle: page.getByRole("slider", { name: "Angle at the start" }),
  play: page.getByRole("button", { name: "Play" }),
  pause: page.getByRole("button", { name: "Pause" }),
  forth: page.getByRole("button", { name: "Step", exact: true }),
  back: page.getByRole("button", { name: "Back" }),
});

async function open(page: Page, hash = ""): Promise<ReturnType<typeof view>> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(`./#view=descent${hash}`);
  const found = view(page);
  await expect(found.step).toBeVisible();
  return found;
}

test("from near zero cosine jumps by 100 and stalls, and smooth cosine walks", async ({ page }) => {
  const { run } = await open(page, "&eps=0.5");
  // rate / |q| = 0.1 / 0.001; after it q is (0.001, 100), whose gradient is 1e-7.
  await expect(run("Cosine")).toContainText("A gradient 1,000 long makes the first step 100 long.");
  await expect(run("Cosine")).toContainText("One jump, then nothing");
  await expect(run("Cosine")).toContainText("the arrow points to where q is, 100 from the centre");
  await expect(run("Cosine, clipped at 5")).toContainText("makes the first step 0.5 long. 1 of 30 gradients clipped");
  // 0.1 / (1.5 (|q| + 0.5)) at right angles, |q| = 0.001; then along d: 0.05 / (1.5 (|q| + 0.5)^2) for most of it.
  await expect(run("Smooth cosine, epsilon 0.5")).toContainText("The first steps are 0.133, 0.0832 and 0.065 long.");
  // 1 / (1.5 0.5)
  await expect(run("Smooth cosine, epsilon 0.5")).toContainText("= 1.33, so no step can be longer than 0.133");
  await expect(run("Cosine, Adam")).toContainText("the size of the rate, 0.1, in each coordinate");
});

test("from 30° the jump lands 60° from the document, and stays there", async ({ page }) => {
  const { run } = await open(page, "&xa=30");
  // sin 30° 0.1 / 0.001, at right angles to a vector 30° to the right of d.
  await expect(run("Cosine")).toContainText("first step 50 long");
  await expect(run("Cosine")).toContainText("One jump, then a stall");
  await run("Cosine").getByText("The numbers").click();
  const first = run("Cosine").getByRole("row").filter({ has: page.getByRole("rowheader", { name: "1", exact: true }) });
  await expect(first).toHaveText(/^1−43\.32550500\.01730\.50?0\.5$/);
});

test("at epsilon 0 smooth cosine is said to be cosine", async ({ page }) => {
  const { run } = await open(page, "&eps=0");
  await expect(run("Smooth cosine, epsilon 0")).toContainText("At epsilon 0 this is cosine");
  await expect(run("Smooth cosine, epsilon 0")).toContainText("The first steps are 100, ");
});

test("steps can be taken by keyboard alone", async ({ page }) => {
  const { step, forth, back, run } = await open(page);
  await step.focus();
  await page.keyboard.press("Home");
  await expect(step).toHaveAttribute("aria-valuetext", "0 of 30");
  await expect(run("Cosine")).toContainText("At the start the gradient is 1,000 long.");
  await page.keyboard.press("ArrowRight");
  await expect(step).toHaveAttribute("aria-valuetext", "1 of 30");
  await forth.focus();
  await page.keyboard.press("Enter");
  await expect(step).toHaveAttribute("aria-valuetext", "2 of 30");
  for (let press = 0; press < 3; press++) {
    await back.focus();
    await page.keyboard.press("Space");
  }
  // It stops at the start, and keeps the focus.
  await expect(step).toHaveAttribute("aria-valuetext", "0 of 30");
  await expect(back).toBeFocused();
});

test("the link holds the descent, and what is out of range is put right", async ({ page, context }) => {
  const { step, rate, angle } = await open(page);
  await angle.fill("60");
  await rate.press("ArrowRight");
  await step.fill("4");
  await expect(page).toHaveURL(/#view=descent&xr=0\.13&xa=60&xs=4$/);
  const other = await context.newPage();
  const twin = await open(other, "&xr=0.13&xa=60&xs=4");
  await expect(twin.rate).toHaveAttribute("aria-valuetext", "0.13");
  await expect(twin.angle).toHaveAttribute("aria-valuetext", "60°");
  await expect(twin.step).toHaveAttribute("aria-valuetext", "4 of 30");
  await other.close();
  await page.goto("./#view=descent&xr=1e9&xn=0&xa=none&xs=-7");
  await expect(rate).toHaveAttribute("aria-valuetext", "10");
  await expect(angle).toHaveAttribute("aria-valuetext", "90°");
  await expect(step).toHaveAttribute("aria-valuetext", "0 of 30");
});

test("it moves when it is opened, and Pause and another view stop it", async ({ page }) => {
  await page.clock.install();
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.goto("./#view=descent");
  const { step, play, pause } = view(page);
  const at = () => step.inputValue().then(Number);
  await expect(pause).toBeVisible();
  await expect.poll(at).toBeGreaterThan(1);
  await pause.click();
  const paused = await at();
  expect(paused).toBeLessThan(30);
  await page.clock.runFor(1000);
  expect(await at()).toBe(paused);
  await play.click();
  await page.getByRole("link", { name: "Search", exact: true }).click();
  await page.getByRole("link", { name: "Lab", exact: true }).click();
  const left = await at();
  await page.clock.runFor(1000);
  expect(await at()).toBe(left);
});

test("where motion is unwelcome Play shows all steps at once", async ({ page }) => {
  const { step, play } = await open(page, "&xs=2");
  await play.click();
  await expect(step).toHaveAttribute("aria-valuetext", "30 of 30");
});

for (const [scheme, width] of [["light", 320], ["dark", 1280]] as const) {
  test(`axe finds nothing in ${scheme} colours at ${width} px, and nothing is too wide or too small`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 800 });
    await open(page, "&xa=30");
    await page.locator(".view-descent summary").first().click();
    await expectAccessible(page);
    await expectFits(page);
    await expectRoomForFingers(page.locator(".view-descent :is(button, input, summary):visible"));
  });
}

test("in a real training cosine's gradients are as long as vectors are short, and smooth cosine's stay below 1/epsilon", async ({ page }) => {
  await open(page, "&eps=0.5&xd=0.0001");
  const real = page.locator(".descent-real");
  const step = real.getByRole("button", { name: "One training step" });
  await expect(step).toBeEnabled();
  await step.focus();
  await page.keyboard.press("Enter");
  await expect(real.getByRole("status")).toHaveText("Step 1 of 250.");
  const summary = real.getByRole("figure").first().locator(".figure-summary");
  await expect(summary).toContainText("Cosine, clipped");
  const words = (await summary.textContent())!;
  const [cosine] = /Cosine ([\d,]+) \(step 1, 1 step above 1 \/ ε\)/.exec(words)!.slice(1).map((text) => Number(text.replace(",", "")));
  expect(cosine).toBeGreaterThan(1000);
  expect(words).toMatch(/Cosine, clipped [\d,]+ \(step 1, 1 step above 1 \/ ε, 1 clipped\)/);
  expect(words).toMatch(/Smooth cosine [\d.]+ \(step 1, never above 1 \/ ε\)/);
  expect(words).toContain("no gradient of smooth cosine can be longer than 2.");
  // A tenth of the length is ten times the gradient, up to what tanh and epsilon take.
  await real.getByRole("slider", { name: "Standard deviation at the start" }).press("End");
  await expect(page).toHaveURL(/xd=0\.2/);
  await expect(real.getByRole("status")).toHaveText("Nothing is trained yet.");
  await step.click();
  await expect(summary).toContainText(/Cosine \d\.\d+ \(step 1/);
});

test("real gradients at epsilon 0: smooth cosine is cosine, and nothing bounds it", async ({ page }) => {
  await open(page, "&eps=0");
  const real = page.locator(".descent-real");
  await real.getByRole("button", { name: "One training step" }).click();
  await expect(real.locator(".figure-summary").first()).toContainText("At epsilon 0 smooth cosine is cosine");
  await expectAccessible(page);
});
