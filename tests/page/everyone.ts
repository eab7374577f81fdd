import AxeBuilder from "@axe-core/playwright";
import { expect, type Locator, type Page } from "@playwright/test";

/** The least height of what a finger presses, in CSS pixels. */
const FINGER = 44;

/** axe has no complaint. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)])).toEqual([]);
}

/** Nothing makes the page scroll sideways. */
export async function expectFits(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
}

/** A finger finds room on each of these. */
export async function expectRoomForFingers(targets: Locator): Promise<void> {
  expect(await targets.count()).toBeGreaterThan(0);
  const low = await targets.evaluateAll(
    (all, least) => all.filter((one) => one.getBoundingClientRect().height < least).map((one) => one.outerHTML),
    FINGER,
  );
  expect(low).toEqual([]);
}
