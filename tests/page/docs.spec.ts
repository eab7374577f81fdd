import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { expect, test as base } from "@playwright/test";
import { serve } from "../static-host.mjs";
import { ROOT } from "./folders";

// The documentation's site, as a plain host serves it below a path, under the policy that its pages state.

const cache = process.env.SMOOTH_CLIR_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "smooth-clir");
const mdbook = process.env.MDBOOK ?? join(cache, "bin/mdbook");
const { bin } = JSON.parse(readFileSync(join(ROOT, "npm/package.json"), "utf8")) as { bin?: string | Record<string, string> };
/** The command that makes a search of a site's pages. */
const command = join(ROOT, "npm", (typeof bin === "string" ? bin : bin?.["smooth-clir"]) ?? "none");

const test = base.extend<{ complaints: string[] }, { site: string }>({
  site: [
    async ({}, use) => {
      const folder = mkdtempSync(join(tmpdir(), "smooth-clir-docs-"));
      const search = existsSync(command) ? ["--search"] : [];
      execFileSync(process.execPath, [join(ROOT, "pkg-scripts/docs.mjs"), folder, "--mdbook", mdbook, ...search]);
      if (search.length > 0) execFileSync(process.execPath, [command, "index", folder, "--out", join(folder, "search")]);
      const host = await serve("/some/where/", { folder });
      await use(host.url);
      host.close();
      rmSync(folder, { recursive: true });
    },
    { scope: "worker" },
  ],
  // A refusal of the policy is a message of the console.
  complaints: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
      page.on("pageerror", ({ message }) => complaints.push(message));
      await use(complaints);
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

// One after the other: each worker builds the site.
test.describe.configure({ mode: "default" });
test.skip(!existsSync(mdbook), "mdBook is not installed: run pkg-scripts/docs");

const PAGES = ["index.html", "faq.html", "hosts.html", "paper.html", "paper/losses-five-verses-fr.html", "fr/faq.html"];

for (const [width, colorScheme] of [[320, "dark"], [1280, "light"]] as const) {
  test(`at ${width} pixels nothing scrolls sideways, and axe finds nothing where it is ${colorScheme}`, async ({ page, site }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    for (const name of PAGES) {
      await page.goto(site + name);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), name).toBeLessThanOrEqual(0);
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => `${name}: ${id}: ${nodes[0]?.html}`)).toEqual([]);
    }
  });
}

test("a page is read by keyboard: to the text, along the menu, to the next page", async ({ page, site }) => {
  await page.goto(`${site}faq.html`);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the text" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await page.getByRole("link", { name: "Glossary", exact: true }).focus();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/glossary\.html$/);
  await expect(page.getByRole("navigation", { name: "Contents" }).getByRole("link", { name: "Glossary" })).toHaveAttribute("aria-current", "page");
  await page.getByRole("link", { name: /→$/ }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Limitations");
});

test("the chosen theme holds on the next page, and the page has its translation", async ({ page, site }) => {
  await page.goto(`${site}faq.html`);
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.getByRole("combobox", { name: "Theme" }).selectOption("dark");
  const dark = await background();
  await page.getByRole("link", { name: "Français" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Foire aux questions");
  expect(await background()).toBe(dark);
  await page.getByRole("combobox", { name: "Thème" }).selectOption("light");
  expect(await background()).not.toBe(dark);
  await page.getByRole("link", { name: "English" }).click();
  await expect(page).toHaveURL(/\/where\/faq\.html$/);
});

test("the box answers in English with pages of both languages, and in French with French ones", async ({ page, site }) => {
  test.skip(!existsSync(command), "the package has no command smooth-clir");
  const links = page.locator("smooth-clir-search a[href]");
  const found = async (from: string, query: string, languages: readonly string[]) => {
    await page.goto(site + from);
    await page.getByRole("searchbox").fill(query);
    await expect(async () => {
      const targets = await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href));
      expect(targets.every((target) => target.startsWith(site))).toBe(true);
      for (const language of languages) expect(targets.some((target) => target.startsWith(`${site}fr/`) === (language === "fr"))).toBe(true);
    }).toPass();
  };
  await found("index.html", "which browsers are supported", ["en", "fr"]);
  await found("fr/index.html", "quels navigateurs", ["fr"]);
  // The results are under the page's policy and its colours, beside its text.
  expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
});
