import AxeBuilder from "@axe-core/playwright";
import { expect, type Locator, type Page } from "@playwright/test";

/** The least height of what a finger presses, in CSS pixels. */
const FINGER = 44;

/** axe has no complaint. */
export async function expectAccessible(page: Page): Promise<void> {
  // The page has no frames, whose results axe would put together in a second page. Of other results than violations
  // only the first are kept: all rules are checked, and every violation is reported.
  expect(page.frames()).toHaveLength(1);
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  const { violations } = await axe.analyze();
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
