import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, openPage, parts, test } from "./page";

/** Every text of the page that a person reads or hears, outside of documents, code and numbers. */
const texts = (page: Page) =>
  page.evaluate(() => {
    const found = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement!;
      if (element.closest("#hits, #story, script, noscript, cite, [lang]:not(html), #locale, .example-list, svg")) continue;
      const text = node.nodeValue!.trim().replace(/[ \n\t]+/g, " ");
      if (/\p{L}{3}/u.test(text)) found.add(text);
    }
    for (const element of document.querySelectorAll("[aria-label]")) found.add(element.getAttribute("aria-label")!);
    return [...found];
  });

/** The same in both languages. */
const SHARED = /^(smooth-clir|epsilon|score|pause|documents|gradients|explosion|CSV|SVG|PNG|MAP|MRR|NDCG|P_|français|italien|MSE|SOSL)/i;

test("who asks for French, or has it from the browser, reads French everywhere on the search page", async ({ page }) => {
  await openPage(page);
  const english = new Set(await texts(page));
  await page.goto("./?ui=fr#q=rain");
  await expect(page.getByRole("link", { name: "Apprendre" })).toBeVisible();
  await expect(parts(page).cards).toHaveCount(10);
  await expect(page.locator("html")).toHaveAttribute("lang", "fr");
  await expect(page).toHaveTitle(/recherche interlingue/);
  const left = (await texts(page)).filter((text) => english.has(text) && !SHARED.test(text));
  expect(left).toEqual([]);
});

for (const view of ["learn", "maps", "descent", "losses", "metrics", "training", "theory", "documents", "lessons"]) {
  test(`the view ${view} is in French`, async ({ page }) => {
    await openPage(page, `#view=${view}`);
    const root = page.locator(`.view-${view}`);
    const heading = root.getByRole("heading", { level: 2 }).first();
    const english = (await heading.textContent())!;
    await page.goto(`./?ui=fr#view=${view}`);
    await expect(heading).toBeVisible();
    await expect(heading).not.toHaveText(english);
    const words = (await root.textContent())!.toLowerCase();
    expect(words).toMatch(/ (les|des|une|est) /);
    expect(words).not.toMatch(/ (the|of the|with|which) /);
  });
}

test("no line begins with a colon: French punctuation does not break from its word", async ({ page }) => {
  for (const view of ["search", "learn", "metrics", "lessons"]) {
    await openPage(page, `?ui=fr#view=${view}`);
    await expect(page.getByRole("link", { name: "Apprendre" })).toBeVisible();
    if (view !== "search") await expect(page.locator(`.view-${view} h2`).first()).toBeVisible();
    const loose = (await texts(page)).filter((text) => / [:;?!»]|« /.test(text));
    expect(loose, view).toEqual([]);
  }
});

test("the language is chosen in the page, stays, and the link keeps its place", async ({ page }) => {
  await openPage(page, "#q=rain&eps=2");
  await page.getByRole("combobox", { name: "Page in" }).selectOption("fr");
  await expect(page.getByRole("combobox", { name: "Page en" })).toHaveValue("fr");
  await expect(parts(page).cards).toHaveCount(10);
  expect(page.url()).toMatch(/eps=2/);
  await page.goto("./");
  await expect(page.getByRole("combobox", { name: "Page en" })).toBeVisible();
});

test("numbers have a decimal comma wherever they are read, axes and tables too", async ({ page }) => {
  for (const view of ["search", "learn", "maps", "descent", "losses", "metrics", "training"]) {
    await page.goto("./?ui=fr");
    await openPage(page, `?ui=fr#q=ship+on+the+ocean&eps=0.05&xs=30&view=${view}`);
    const main = page.locator("main");
    const shown = () => main.evaluate((main) => {
      for (const details of main.querySelectorAll("details")) details.open = true;
      const texts: string[] = [];
      const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (!node.parentElement!.closest("[hidden], [lang]:not(html)")) texts.push(node.nodeValue!);
      }
      for (const element of main.querySelectorAll("[aria-valuetext]")) texts.push(element.getAttribute("aria-valuetext")!);
      return texts;
    });
    await expect.poll(async () => (await shown()).filter((text) => /\d,\d/.test(text)).length, view).toBeGreaterThan(5);
    const points = (await shown()).filter((text) => /\d\.\d/.test(text));
    expect(points, view).toEqual([]);
  }
});

test("inputs, the link and saved numbers keep the decimal point", async ({ page }) => {
  await openPage(page, "?ui=fr#view=maps&eps=0.05");
  await expect(page.getByRole("spinbutton")).toHaveValue("0.05");
  await page.getByRole("spinbutton").fill("0.25");
  await expect(page).toHaveURL(/eps=0\.25/);
  const downloads = page.waitForEvent("download");
  await page.locator(".view-maps .figure").first().getByRole("button", { name: "CSV" }).click();
  const csv = await readFile(await (await downloads).path(), "utf8");
  expect(csv.split("\r\n")[0]).toContain(",-2,-1.5,-1,");
});

test("what stands between the parts of a sentence is French", async ({ page }) => {
  await openPage(page, "?ui=fr#view=losses");
  await expect(page.locator(".view-losses .figure-summary").first()).toContainText(/la perte est\s: SOSL [\d,]+\s; En trois parties/);
  await openPage(page, "?ui=fr#view=descent");
  await expect(page.locator(".view-descent")).toContainText(/Cosinus [\d,]+\s; Cosinus, écrêté [\d,]+\s;/);
  await openPage(page, "?ui=fr#view=metrics");
  await expect(page.locator(".view-metrics")).toContainText("MAP : la précision moyenne");
  await openPage(page, "?ui=fr#view=documents");
  const files = page.getByLabel("Choisir des fichiers").and(page.locator("input"));
  await expect(page.getByLabel("Langue de ce que vous ajoutez").getByRole("option")).toHaveCount(6);
  await files.setInputFiles({ name: "a.json", mimeType: "", buffer: Buffer.from("[[]]") });
  await expect(page.locator(".view-documents")).toContainText("a.json, enregistrement 1 : trouvé une liste, attendu un objet avec « text »");
});
