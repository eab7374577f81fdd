import type { Page } from "@playwright/test";

/** Collects what is asked of the engine's worker, from the next page on. */
export const listen = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const requested: string[] = [];
    Object.assign(window, { requested });
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (this: Worker, ...given: [never]) {
      requested.push((given[0] as { method: string }).method);
      return post.apply(this, given);
    };
  });

/** The calls of the engine so far. */
export const requested = (page: Page): Promise<string[]> => page.evaluate(() => (window as unknown as { requested: string[] }).requested);

/** The same, and forgets them. */
export const takeRequested = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { requested: string[] }).requested.splice(0));
