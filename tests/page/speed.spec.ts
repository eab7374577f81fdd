import { expectAccessible, expectFits, expectRoomForFingers } from "./everyone";
import { expect, held, openPage, test } from "./page";

test("About measures the reader's machine on request, by keyboard, says that it measures, and measures again", async ({ page }) => {
  await openPage(page);
  const line = page.locator("#speed");
  await expect(line).toBeEmpty();
  await line.evaluate((element) => {
    const said: string[] = [];
    Object.assign(window, { said });
    new MutationObserver(() => said.push(element.textContent!)).observe(element, { childList: true });
  });
  const button = page.getByRole("button", { name: "Measure the speed on this machine" });
  await button.focus();
  await page.keyboard.press("Enter");
  // The built-in corpus in four languages, and 105 pairs of 15 words.
  const result = /^2,432 documents, 105 queries of two words: from query to ranking (\S+) ms \(median; 95% below (\S+) ms\)\. Without pauses, (\S+) million documents scored a second\.$/;
  await expect(line).toHaveText(result);
  const [median, most, rate] = result.exec((await line.textContent())!)!.slice(1).map(Number) as [number, number, number];
  // Not a second for a query, and not all documents in less than a microsecond.
  expect(median).toBeGreaterThanOrEqual(0);
  expect(most).toBeGreaterThanOrEqual(median);
  expect(median).toBeLessThan(1000);
  expect(rate).toBeGreaterThan(0.002);
  expect(rate).toBeLessThan(2432);
  const again = page.getByRole("button", { name: "Measure again" });
  await expect(again).toBeFocused();
  await expect(again).not.toHaveAttribute("aria-disabled", "true");
  await page.keyboard.press("Enter");
  const said = () => page.evaluate(() => (window as unknown as { said: string[] }).said);
  await expect.poll(async () => (await said()).length).toBe(4);
  expect((await said()).map((text) => (text === "Measuring…" ? text : result.test(text)))).toEqual(["Measuring…", true, "Measuring…", true]);
});

test("the speed in About fits a narrow page in French, in dark colours, and axe finds nothing", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.emulateMedia({ colorScheme: "dark" });
  await openPage(page, "?ui=fr");
  await page.getByRole("button", { name: "Mesurer la vitesse sur cette machine" }).click();
  await expect(page.locator("#speed")).toHaveText(/^2.432 documents, 105 requêtes .* millions de documents notés par seconde\.$/);
  await expectFits(page);
  await expectRoomForFingers(page.locator("#speed-measure"));
  await expectAccessible(page);
});

test("before the model is here About says so instead of measuring", async ({ page }) => {
  const release = await held(page, "**/query.safetensors*");
  await page.goto("./");
  await page.getByRole("button", { name: "Measure the speed on this machine" }).click();
  await expect(page.locator("#speed")).toHaveText("The model is not loaded yet, so there is nothing to measure.");
  release();
});
