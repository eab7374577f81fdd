import { readFile } from "node:fs/promises";
import { expect, test as base, type Page, type Route } from "@playwright/test";

/** The bytes of a file that the page is built from. */
export const generated = (name: string): Promise<Buffer> =>
  readFile(new URL(`../../www/dist/generated/${name}`, import.meta.url));

/** Answers a request for a file below the page's own address with what the page is built from. */
export const fromGenerated = async (route: Route): Promise<void> => {
  const body = await generated(new URL(route.request().url()).pathname.slice(1));
  await route.fulfill({ contentType: "application/octet-stream", body });
};

/** The metadata of the page's model file. */
export async function modelMetadata(): Promise<Record<string, string>> {
  const bytes = await generated("query.safetensors");
  const header = bytes.subarray(8, 8 + Number(bytes.readBigUInt64LE(0)));
  return JSON.parse(header.toString("utf8")).__metadata__;
}

/** The page, with every complaint of the browser collected: a test fails on any it does not expect. */
export const test = base.extend<{ complaints: string[]; model: string; hood: "open" | "closed" }>({
  /** The model that was chosen before: the demo model, unless a test is about the other; "" is none. */
  model: ["demo", { option: true }],
  /** How the drawer *Under the hood* was left: open, unless a test is about the page as a first visitor sees it. */
  hood: ["open", { option: true }],
  context: async ({ context, model, hood }, use) => {
    await context.addInitScript((kept) => {
      // A blank page keeps nothing.
      if (!location.protocol.startsWith("http")) return;
      for (const [name, value] of Object.entries(kept)) {
        if (value !== "" && localStorage.getItem(`smooth-clir ${name}`) === null) localStorage.setItem(`smooth-clir ${name}`, value);
      }
    }, { model, hood });
    await use(context);
  },
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
      page.on("console", (message) => {
        // The browser itself reports each failed request; tests of failures ask for those.
        if (message.type() === "error" && !/Failed to load resource/.test(message.text())) {
          complaints.push(`console: ${message.text()}`);
        }
      });
      let origin: string | undefined;
      page.on("request", (request) => {
        const url = new URL(request.url());
        // The first request is the page itself.
        origin ??= url.origin;
        if (url.origin !== origin && url.protocol !== "data:") complaints.push(`request to ${url.origin}`);
      });
      await page.addInitScript(() => {
        document.addEventListener("securitypolicyviolation", (event) =>
          console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`),
        );
      });
      await use(complaints);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** Resolves when the page has done what it left for the browser's first idle moments. */
export const idle = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (let turn = 0; turn < 2; turn++) await new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout: 1000 }));
  });

/** Holds back the requests for an address until the returned function is called. */
export async function held(page: Page, address: string | RegExp): Promise<() => void> {
  let release = () => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  await page.route(address, async (route) => {
    await gate;
    await route.continue().catch(() => {});
  });
  return release;
}

/** The parts of the page, as a person would name them. */
export const parts = (page: Page) => ({
  query: page.getByRole("searchbox", { name: "What are you looking for" }),
  cards: page.locator("#hits").getByRole("listitem"),
  titles: page.locator("#hits").getByRole("heading"),
  count: page.locator("#count-status"),
  words: page.locator("#word-status"),
  reason: page.locator("#empty"),
  slider: page.getByRole("slider", { name: "Epsilon" }),
  number: page.getByRole("spinbutton", { name: "Epsilon as a number" }),
  reset: page.getByRole("button", { name: "model’s own" }),
  language: (name: string) => page.getByRole("radio", { name, exact: true }),
  largest: page.locator("#map-largest"),
  message: page.locator("#loading-message"),
  cancel: page.getByRole("button", { name: "Cancel" }),
  retry: page.getByRole("button", { name: "Retry" }),
});

/** Opens the page and waits until its model is loaded. */
export async function openPage(page: Page, hash = ""): Promise<ReturnType<typeof parts>> {
  await page.goto(`./${hash}`);
  const found = parts(page);
  // Out of sight where the link names another view than the search.
  await expect(page.locator("#languages")).not.toHaveAttribute("disabled");
  return found;
}
