import { expectAccessible, expectFits, expectRoomForFingers } from "./everyone";
import { expect, openPage, test } from "./page";

const QUERY = "#q=rain+over+the+mountains&eps=0.5";

async function openLifetimes(page: Parameters<typeof openPage>[0], hash = QUERY) {
  const opened = await openPage(page, hash);
  const panel = page.locator("details.lifetimes");
  await panel.getByText("How long each result stays").click();
  await expect(panel.locator(".certified li")).toHaveCount(10);
  return { ...opened, panel };
}

test("a result leaves the first ten at the end of its range, and not before", async ({ page }) => {
  const { panel, cards } = await openLifetimes(page);
  const summary = (await panel.locator(".figure-summary").textContent())!;
  const [, title, from, to] = /The shortest stay is that of (.*) \(.*\): from ([\d.]+) to ([\d.]+)\./.exec(summary)!;
  const number = page.getByRole("spinbutton", { name: "Epsilon as a number" });
  const end = Number(from) === 0 ? Number(to) : Number(from);
  const [inside, outside] = Number(from) === 0 ? [0.99, 1.01] : [1.01, 0.99];
  const shown = cards.filter({ hasText: title! });
  await number.fill(String(end * inside!));
  await expect(shown.first()).toBeVisible();
  const before = await shown.count();
  await number.fill(String(end * outside!));
  await expect(shown).toHaveCount(before - 1);
});

test("each result has a bar, a row in the numbers and a certified move, and files are saved", async ({ page }) => {
  const { panel } = await openLifetimes(page);
  expect(await panel.locator(".life-bar").count()).toBeGreaterThanOrEqual(10);
  await panel.getByText("The numbers").click();
  await expect(panel.getByRole("row").nth(1)).toContainText("Theluji (Swahili)");
  // The certified move by geometry is never shorter than that by the Lipschitz constant.
  const rows = await panel.locator("tbody tr").allTextContents();
  expect(rows.length).toBeGreaterThanOrEqual(10);
  for (const cells of await panel.locator("tbody tr").evaluateAll((rows) => rows.map((row) => [...row.children].slice(-2).map((cell) => Number(cell.textContent))))) {
    expect(cells[0]!).toBeGreaterThanOrEqual(cells[1]!);
  }
  await expect(panel.locator(".certified li").first()).toHaveText(/^Theluji \(Swahili\) keeps rank 1 within [\d.]+, [\d.]+% of the query’s length; nearest rival: .*\.$/);
  const [download] = await Promise.all([page.waitForEvent("download"), panel.getByRole("button", { name: "SVG" }).click()]);
  expect(download.suggestedFilename()).toBe("lifetimes.svg");
});

test("it follows the query and is hidden without results", async ({ page }) => {
  const { panel, query } = await openLifetimes(page);
  const first = await panel.locator(".certified li").first().textContent();
  await query.fill("bread from the oven");
  await expect(panel.locator(".certified li").first()).not.toHaveText(first!);
  await query.fill("");
  await expect(panel).toBeHidden();
});

for (const [colorScheme, width] of [["light", 320], ["dark", 1280]] as const) {
  test(`axe finds nothing in the lifetimes in ${colorScheme} colours at ${width} px`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 900 });
    const { panel } = await openLifetimes(page);
    await expectAccessible(page);
    await expectFits(page);
    await expectRoomForFingers(panel.locator(":is(button, summary):visible"));
  });
}
