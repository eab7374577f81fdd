import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect, openPage, test } from "./page";

const training = (page: Page) => {
  const view = page.locator(".view-training");
  const button = (name: string) => view.getByRole("button", { name, exact: true });
  return {
    view,
    play: button("Play"),
    pause: button("Pause"),
    one: button("One step"),
    again: button("Start again"),
    status: view.getByRole("status"),
    language: view.getByRole("combobox", { name: "Documents in" }),
    seed: view.getByRole("spinbutton", { name: "Seed" }),
    where: view.getByRole("combobox", { name: "Compute on" }),
    device: view.locator(".training-device"),
    summary: (title: string) => view.getByRole("figure").filter({ hasText: title }).locator(".figure-summary"),
  };
};

async function openTraining(page: Page, hash = "") {
  await openPage(page, `#view=training${hash}`);
  const opened = training(page);
  await expect(opened.status).toContainText("Ready");
  return opened;
}

test("the same seed takes the same steps again", async ({ page }) => {
  const { one, status } = await openTraining(page, "&tl=sw&ts=5");
  await one.click();
  await expect(status).toContainText("Step 1, in epoch 1");
  const first = await status.textContent();
  await one.click();
  await expect(status).toContainText("Step 2");
  await page.reload();
  await training(page).one.click();
  await expect(training(page).status).toHaveText(first!);
});

test("training works: the loss falls, and relevant documents of its own queries rise above the others", async ({ page }) => {
  const { play, pause, summary } = await openTraining(page, "&tv=16");
  await play.click();
  await expect(summary("The loss")).toContainText(/over the last 20 of \d,\d{3} steps/);
  await pause.click();
  const numbers = async (title: string) => {
    const text = (await summary(title).first().textContent())!;
    return [...text.matchAll(/−?\d+\.\d+(e−?\d+)?/g)].map(([number]) => Number(number.replaceAll("−", "-")));
  };
  const [first, last] = (await numbers("The loss")) as [number, number];
  expect(last).toBeLessThan(first / 4);
  const [negative, partly, relevant] = (await numbers("that it is trained on")) as [number, number, number];
  expect(relevant).toBeGreaterThan(negative + 0.2);
  expect(partly).toBeGreaterThan(negative);
});

test("SOSL and another loss begin with the same scores, and part", async ({ page }) => {
  const { view, one, status, summary } = await openTraining(page);
  const [sosl, mse] = ["SOSL", "MSE"].map((loss) => summary(`${loss}: scores by grade, of queries that it is trained on`));
  const before = await sosl!.textContent();
  await expect(mse!).toHaveText(before!);
  await one.click();
  await expect(status).toContainText("Step 1,");
  await expect(sosl!).not.toHaveText(before!);
  await expect(mse!).not.toHaveText((await sosl!.textContent())!);
  await expect(view.locator(".training-compared")).toHaveText(
    /^After 1 step, so many of the pairs .*: SOSL \d.*% of queries that it is trained on, .*; MSE \d.*% of others\.$/,
  );
  await view.getByRole("combobox", { name: "SOSL beside" }).selectOption({ label: "no other loss" });
  await expect(page).toHaveURL(/to=none/);
  await expect(mse!).toBeHidden();
  await expect(sosl!).toHaveText(before!);
});

test("with seven grades made by links there are seven densities, and three-part L2 is no choice", async ({ page }) => {
  const { view, one, status } = await openTraining(page, "&tg=7&to=three-part");
  const other = view.getByRole("combobox", { name: "SOSL beside" });
  await expect(other.getByRole("option", { name: "Three-part" })).toBeDisabled();
  await expect(view).toContainText("Three-part L2 has three grades");
  await expect(view).toContainText("entries 6 links away or more have grade 0");
  await other.selectOption("mse");
  await expect(status).toContainText("Ready");
  await one.click();
  const figure = view.getByRole("figure").filter({ hasText: "SOSL: scores by grade, of queries that it is trained on" });
  await expect(figure.locator(".chart-legend li")).toHaveText([
    "6 links away or more",
    "5 links away",
    "4 links away",
    "3 links away",
    "2 links away",
    "1 link away",
    "own entry",
  ]);
  await expect(figure.locator(".rule")).toHaveCount(6);
  await view.getByRole("combobox", { name: "Grades" }).selectOption("2");
  await expect(page).toHaveURL(/tg=2/);
  await expect(figure.locator(".chart-legend li")).toHaveText(["all others", "own entry"]);
});

test("a training keeps the epsilon that it began with, and says so", async ({ page }) => {
  const { view, again, status } = await openTraining(page, "&eps=1");
  await expect(status).toContainText("epsilon 1");
  await page.getByRole("spinbutton", { name: "Epsilon as a number" }).fill("0.25");
  await expect(view).toContainText("This training has epsilon 1");
  await again.click();
  await expect(status).toContainText("epsilon 0.25");
});

test("language and seed are in the link, and what is out of range is put right", async ({ page }) => {
  const { language, seed } = await openTraining(page, "&tl=it&ts=77");
  await expect(language).toHaveValue("it");
  await expect(seed).toHaveValue("77");
  await language.selectOption("tl");
  await expect.poll(() => page.url()).toContain("tl=tl");
  await page.goto("./#view=training&tl=xx&ts=-4");
  await page.reload();
  await expect(training(page).language).toHaveValue("fr");
  await expect(training(page).seed).toHaveValue("0");
});

test("it can be played, paused and stepped by keyboard", async ({ page }) => {
  const { play, pause, one, status } = await openTraining(page);
  await play.focus();
  await page.keyboard.press("Enter");
  await expect(pause).toBeFocused();
  await expect(status).toContainText("Step");
  await page.keyboard.press("Enter");
  await expect(play).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(one).toBeFocused();
});

test("it trains where one wishes, or it is said why not", async ({ page }) => {
  const { one, status, where, device } = await openTraining(page);
  await where.selectOption({ label: "the processor (WebAssembly)" });
  await expect(status).toContainText("Ready");
  await one.click();
  await expect(device).toHaveText("The steps ran on the processor (WebAssembly): it was requested.");
  await where.selectOption({ label: "the graphics card (WebGPU)" });
  await expect(status).toContainText("Ready");
  await expect(device).toBeEmpty();
  await one.click();
  await expect(device).toHaveText(/^The steps ran on the processor \(WebAssembly\): .*(WebGPU|adapter)/);
});

test("on the graphics card it begins with the loss that it begins with in WebAssembly", { tag: "@webgpu" }, async ({ page }) => {
  const { one, status, where, device } = await openTraining(page);
  await one.click();
  await expect(device).toContainText("processor in disguise");
  const first = await status.textContent();
  await where.selectOption({ label: "the graphics card (WebGPU)" });
  await expect(status).toContainText("Ready");
  await one.click();
  await expect(device).toHaveText(/^The steps ran on the graphics card \(.*\): its first gradients were those/);
  await expect(status).toHaveText(first!);
});

test("a corpus that does not come is told in words, and trying again works", async ({ page }) => {
  await page.route("**/corpus/fr/queries.tsv", (route) => route.fulfill({ status: 503 }), { times: 1 });
  await openPage(page, "#view=training");
  const { status, again } = training(page);
  await expect(status).toContainText("status 503");
  await again.click();
  await expect(status).toContainText("Ready");
});

for (const [scheme, width] of [
  ["light", 320],
  ["dark", 1280],
] as const) {
  test(`axe finds nothing in the training at ${width} px in ${scheme} colours, and nothing scrolls sideways`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 800 });
    const { one, status } = await openTraining(page);
    await one.click();
    await expect(status).toContainText("Step 1");
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });
}
