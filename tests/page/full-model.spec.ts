import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { listen, requested, takeRequested } from "./asked";
import { expectAccessible, expectFits, expectRoomForFingers } from "./everyone";
import { DIST } from "./folders";
import { expect, held, idle, openPage, test as base } from "./page";

const there = existsSync(fileURLToPath(new URL("../../www/dist/generated/models/query.safetensors", import.meta.url)));
// A first visit has no stored choice.
const test = base.extend({});
test.use({ model: "" });
test.skip(!there, "the page was built without files in www/models");

const QUERY = "#q=storm+over+the+mountains";
const FILES = "**/generated/models/**";

const atWork = (page: Page) => page.locator("#model-at-work");
const model = (page: Page, name: string) => page.getByRole("group", { name: "Model" }).getByRole("radio", { name });
const ranked = (page: Page) => page.getByRole("group", { name: "Ranked by" });
const titles = (page: Page) => page.locator("#hits h3");

/** Opens the page and waits until the full model has answered. */
async function openFull(page: Page, hash = QUERY) {
  const opened = await openPage(page, hash);
  // It is not forced on a person who reads the demo model's results; of a query that the demo model cannot read there are none.
  const offered = page.getByRole("button", { name: "Use it" });
  await expect(offered.or(atWork(page).filter({ hasText: "Full model" })).first()).toBeAttached();
  if (await offered.isVisible()) await offered.click();
  await expect(atWork(page)).toContainText("Full model");
  // Out of sight where the link names another view.
  if (hash.includes("view=")) return opened;
  // The demo model's ranking stands until the full model's first one.
  await expect(opened.cards.first().locator(".numbers")).toContainText("dense");
  await expect(opened.cards).toHaveCount(10);
  return opened;
}

test("says in English, word by word, what a title and a text say", async ({ page }) => {
  const { cards } = await openFull(page);
  const first = cards.first();
  // As a person wrote it: the built-in corpus is of entries in five languages.
  await expect(page.locator("#hits .gloss:visible").nth(4)).toHaveText(/^[A-Z]/);
  const plain = await first.locator(".text").textContent();
  const button = first.getByRole("button", { name: "Word by word" });
  await button.click();
  await expect(button).toHaveAttribute("aria-expanded", "true");
  const words = first.getByRole("group", { name: /word by word in English$/ });
  await expect(words.locator("rt").nth(5)).toHaveAttribute("lang", "en");
  await expect(words).toContainText("a guess for each word, not a translation of the text");
  await expect(first.locator(".text")).toBeHidden();
  // Without the glosses it is the text, to the letter.
  const between = await words.locator(".interlinear").evaluate((line) => {
    for (const gloss of line.querySelectorAll("rt")) gloss.remove();
    return line.textContent;
  });
  expect(between).toBe(plain);
  await expectAccessible(page);
  await expectFits(page);
  await button.click();
  await expect(words).toBeHidden();
  await expect(first.locator(".text")).toBeVisible();
});

test("asks for the meaning of titles once a list has stood for a while, and not between keys", async ({ page }) => {
  await listen(page);
  await openFull(page);
  await expect(page.locator("#hits .gloss:visible").first()).toBeVisible();
  await idle(page);
  await takeRequested(page);
  // Each key as soon as the list of the one before is there.
  await page.evaluate(async () => {
    const query = document.querySelector<HTMLInputElement>("#query")!;
    const answered = () => performance.getEntriesByName("key-to-list").at(-1)?.startTime;
    for (const letter of "winter") {
      const before = answered();
      query.value += letter;
      query.dispatchEvent(new InputEvent("input", { bubbles: true }));
      while (answered() === before) await new Promise((resolve) => setTimeout(resolve));
    }
  });
  const calls = await takeRequested(page);
  // The first list of before may be asked about until there is a second.
  const asked = calls.slice(calls.indexOf("search", calls.indexOf("search") + 1));
  expect(asked.filter((method) => method === "search").length).toBeGreaterThan(3);
  expect(asked).not.toContain("gloss");
  await expect.poll(() => requested(page)).toContain("gloss");
});

test("says how likely a result is an answer, and its bar is as long", async ({ page }) => {
  const { cards, query } = await openFull(page);
  const share = (place: number) =>
    cards.nth(place).locator(".bar").evaluate((bar: HTMLElement) => Number(bar.style.getPropertyValue("--share")));
  const words = ["very likely answer", "likely answer", "possible answer", "unlikely answer"];
  // Where they begin, as docs of `fits` and the calibration have it.
  const word = (probability: number) => words[[0.6, 0.3, 0.12, 0].findIndex((least) => probability >= least)]!;
  for (const place of [0, 4, 9]) await expect(cards.nth(place).locator(".confidence")).toHaveText(word(await share(place)));
  expect(await share(0)).toBeLessThan(1);
  expect(await share(0)).toBeGreaterThan(await share(9));
  await query.fill("quarterly tax returns of limited companies");
  await expect(cards.first().locator(".confidence")).toHaveText(/unlikely|possible/);
});

test("has no glosses of a model without translations", async ({ page }) => {
  const { cards } = await openFull(page);
  await expect(page.getByRole("button", { name: "Word by word" }).first()).toBeVisible();
  await model(page, "Demo model").check();
  await expect(cards.first().locator(".numbers")).not.toContainText("lexical");
  await expect(page.getByRole("button", { name: "Word by word" })).toHaveCount(0);
  // The same cards again, of the model with translations.
  await model(page, "Full model").check();
  await expect(page.getByRole("button", { name: "Word by word" })).toHaveCount(10);
});

test("the demo model answers first, bytes are told, and the full model is offered", async ({ page }) => {
  const release = await held(page, "**/generated/models/document.sw.safetensors*");
  const { cards } = await openPage(page, QUERY);
  await expect(cards).toHaveCount(10);
  await expect(atWork(page)).toHaveText(/^Demo model: vectors of 64 dimensions, [\d.]+ MB$/);
  // All but one of its files are here, which this host has the browser decompress: no more of them counts than was sent.
  const share = () => page.locator("#model-progress").evaluate((bar: HTMLProgressElement) => bar.value / bar.max);
  await expect.poll(share).toBeGreaterThan(0.85);
  expect(await share()).toBeLessThan(1);
  await expect(page.locator("#model-message")).toHaveText(/^Fetching the full model: [\d.]+ of [\d.]+ MB/);
  await expect(ranked(page)).toBeHidden();
  release();
  await page.getByRole("button", { name: "Use it" }).click();
  await expect(atWork(page)).toHaveText(/^Full model: vectors of \d+ dimensions and translations, [\d.]+ MB$/);
  await expect(page.locator("#model-loading")).toBeHidden();
  await expect(model(page, "Full model")).toBeChecked();
  await expect(ranked(page)).toBeVisible();
});

test("a misspelt word is interpreted as the nearest known one, and the page says so", async ({ page }) => {
  const { words } = await openFull(page, "#q=an+erupting+volcanno");
  await expect(words).toContainText("Spelling corrected: volcanno → volcano.");
  const found = await titles(page).allTextContents();
  await page.evaluate(() => (location.hash = "#q=an+erupting+volcano"));
  await expect(words).toHaveText("");
  await expect(titles(page)).toHaveText(found);
});

test("a query that no document fits is answered with the nearest, and the page says so", async ({ page }) => {
  const { cards, words } = await openFull(page, "#q=carburettor+gasket");
  await expect(cards).toHaveCount(10);
  await expect(words).toContainText("Nothing here fits well.");
  await page.evaluate(() => (location.hash = "#q=volcano"));
  await expect(words).toHaveText("");
});

test("the document is found that shares no word with the query, in each language", async ({ page }) => {
  const { language } = await openFull(page, "#q=barn+to+store+corn&lang=fr");
  for (const [name, title] of [["French", "Grenier à grain"], ["Italian", "Granaio"], ["Swahili", "Ghala la nafaka"], ["Tagalog", "Kamalig"]] as const) {
    await language(name).check();
    await expect(titles(page).first()).toHaveText(title);
  }
});

test("a query in a language of the documents is read as that, and the explanation says so", async ({ page }) => {
  await openFull(page, "#q=la+lave+d%E2%80%99un+volcan&lang=fr");
  await page.locator("#hits li").first().getByRole("button", { name: /^Why/ }).click();
  await expect(page.locator("#hits li").first()).toContainText("The query was read as French.");
});

test("a choice goes back and forth, by keyboard too, stays in the link and is remembered", async ({ page }) => {
  await openFull(page);
  await model(page, "Full model").focus();
  await page.keyboard.press("ArrowLeft");
  await expect(atWork(page)).toContainText("Demo model");
  await expect(page).toHaveURL(/model=demo/);
  await page.keyboard.press("ArrowRight");
  await expect(atWork(page)).toContainText("Full model");
  await model(page, "Demo model").check();
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  await page.goto("about:blank");
  await openPage(page, QUERY);
  await expect(model(page, "Demo model")).toBeChecked();
  // The texts that no result has shown come last; the other model would be asked for before them.
  const texts = (await readdir(join(DIST, "generated/documents"), { recursive: true })).filter((name) => name.includes("texts."));
  await expect.poll(() => new Set(requested.filter((address) => address.includes("/texts."))).size).toBe(texts.length);
  await expect(page.locator("#model-loading")).toBeHidden();
  expect(requested.filter((address) => /generated\/models\/|full\./.test(address))).toEqual([]);
});

test("a browser that saves data keeps the demo model until the other is asked for", async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  const { cards } = await openPage(page, QUERY);
  await expect(cards).toHaveCount(10);
  await idle(page);
  await expect(page.locator("#model-loading")).toBeHidden();
  expect(requested.filter((address) => /generated\/models\/|full\./.test(address))).toEqual([]);
  await expect(model(page, "Demo model")).toBeChecked();
  await model(page, "Full model").check();
  await expect(atWork(page)).toContainText("Full model");
});

test("where one language is chosen its encoder alone is fetched, and others when they are wanted", async ({ page }) => {
  const encoders: string[] = [];
  page.on("request", (request) => encoders.push(...(/models\/document\.(\w+)\./.exec(request.url())?.slice(1) ?? [])));
  const { language } = await openFull(page, `${QUERY}&lang=fr`);
  expect(encoders).toEqual(["fr"]);
  await language("Swahili").check();
  await expect(page.locator("#hits .language").first()).toHaveText("Swahili");
  await expect.poll(() => encoders.includes("sw")).toBe(true);
  await expect(page.locator("#model-loading")).toBeHidden();
  await expect(atWork(page)).toContainText("Full model");
  expect(encoders).not.toContain("it");
});

test("where one language is chosen the answer waits for no other’s documents, which come after it", async ({ page }) => {
  const release = await held(page, /documents\/(it|sw|tl)\/full/);
  const { language } = await openFull(page, `${QUERY}&lang=fr&model=full`);
  await expect(page.locator("#hits .language").first()).toHaveText("French");
  const facts = page.locator("#model-facts");
  await expect(facts).toContainText(/\b608 documents in French\b/);
  await language("Italian").check();
  await expect(page.locator("#model-loading")).toContainText("Until then the demo model answers");
  await expect(page.locator("#hits .language").first()).toHaveText("Italian");
  await expect(atWork(page)).toContainText("Demo model");
  await release();
  await expect(atWork(page)).toContainText("Full model");
  await expect(page.locator("#hits .language").first()).toHaveText("Italian");
  await expect(facts).toContainText("192 dimensions");
  await expect(facts).toContainText("2,432 documents");
  await expect(page.locator("#languages").getByRole("radio")).toHaveCount(5);
});

test("where it is chosen its files leave the link to the demo model and the module", async ({ page }) => {
  const release = await held(page, "**/smooth_clir_bg*.wasm");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  // A host that tells their lengths, by which the page knows that they have come; this one has the browser decompress them.
  const files = ["query", "documents/fr/demo"].map((name) => `generated/${name}.safetensors.gz`);
  for (const file of files) await page.route(`**/${file}*`, (route) => route.fulfill({ path: join(DIST, file), contentType: "application/octet-stream" }));
  const come = Promise.all(files.map(async (file) => (await page.waitForResponse(`**/${file}*`)).finished()));
  await page.goto(`./${QUERY}&lang=fr&model=full`);
  await come;
  // What they could have set off has happened.
  await page.waitForTimeout(500);
  const isOfFull = (url: string) => /generated\/models\/|\/full\.safe/.test(url);
  expect(asked.filter(isOfFull)).toEqual([]);
  release();
  await expect.poll(() => asked.filter(isOfFull).length).toBeGreaterThan(1);
  await expect(atWork(page)).toContainText("Full model");
});

test("where the documents of a language cannot be fetched the page says so, and the demo model answers in it", async ({ page }) => {
  await page.route(/documents\/it\/full/, (route) => route.fulfill({ status: 404, body: "no" }));
  const { language, cards } = await openFull(page, `${QUERY}&lang=fr&model=full`);
  await language("Italian").check();
  await expect(page.getByRole("alert").filter({ hasText: "The full model could not be used" })).toContainText("(http-status)");
  await expect(page.locator("#hits .language").first()).toHaveText("Italian");
  await expect(cards).toHaveCount(10);
  await expect(atWork(page)).toContainText("Demo model");
});

test("where it cannot be fetched the page says so, the demo model answers, and Try again helps", async ({ page }) => {
  await page.route(FILES, (route) => route.fulfill({ status: 503, body: "no" }));
  const { cards, query } = await openPage(page, QUERY);
  const notice = page.getByRole("alert").filter({ hasText: "The full model could not be used" });
  await expect(notice).toContainText("(http-status)");
  await query.fill("rain");
  await expect(cards).toHaveCount(10);
  await page.unroute(FILES);
  await notice.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("button", { name: "Use it" }).click();
  await expect(atWork(page)).toContainText("Full model");
  await expect(notice).toBeHidden();
});

test("results are ranked by the hybrid score or a part of it, and each shows both parts", async ({ page }) => {
  await openFull(page);
  await expect(page.locator("#hits .numbers").first()).toHaveText(/dense [\d.−]+.*lexical [\d.]+/);
  const hybrid = await titles(page).allTextContents();
  await ranked(page).getByRole("radio", { name: "Lexical" }).check();
  await expect.poll(() => titles(page).allTextContents()).not.toEqual(hybrid);
  const lexical = await titles(page).allTextContents();
  await ranked(page).getByRole("radio", { name: "Dense" }).check();
  await expect.poll(() => titles(page).allTextContents()).not.toEqual(lexical);
  await expect(page).toHaveURL(/by=dense/);
  // Its order is not epsilon's alone.
  await expect(page.locator(".swap-point")).toHaveCount(0);
  await expect(page.locator("#story")).toBeHidden();
  await expect(page.locator("#order-note")).toBeVisible();
});

test("an explanation shows the translations of words, and its sum is the score", async ({ page }) => {
  const { cards } = await openFull(page, `${QUERY}&lang=fr`);
  const card = cards.first();
  await card.getByRole("button", { name: "Why?" }).click();
  const translations = card.getByRole("table", { name: "Words of the query that the document has in translation" });
  await expect(translations.getByRole("cell").first()).toHaveText(/^→\s\S+ \d+%, (once|\d+ times)/);
  const fusion = (await card.locator(".fusion-now").textContent())!.replaceAll("−", "-");
  const [a, dense, b, lexical, score] = fusion.match(/-?\d+\.?\d*(e-\d+)?/g)!.map(Number);
  expect(a! * dense! + b! * lexical!).toBeCloseTo(score!, 3);
  expect(score).toBeCloseTo(Number(await card.locator(".score-value").textContent()), 4);
});

test("both models’ results stand side by side, each with its place in the other", async ({ page }) => {
  await openFull(page, "#q=fish+in+the+sea");
  const first = (await titles(page).first().textContent())!;
  await page.getByRole("checkbox", { name: "Compare two methods side by side" }).check();
  const comparison = page.getByRole("region", { name: "The same search twice" });
  const list = (name: string) => comparison.getByRole("list", { name });
  await expect(list("The demo model").getByRole("listitem")).toHaveCount(10);
  await expect(list("The full model").getByRole("listitem")).toHaveCount(10);
  await expect(list("The full model").getByRole("listitem").first()).toContainText(first);
  await expect(comparison).toContainText(/\d+ of 10 documents are in both lists/);
  await expect(page.locator("#hits")).toBeHidden();
  await page.getByRole("checkbox", { name: "Compare" }).uncheck();
  await expect(page.locator("#hits")).toBeVisible();
  await expect(comparison).toBeHidden();
});

test("methods of the second paper’s table stand beside the models, for one language at a time", async ({ page }) => {
  await openFull(page, "#q=fish+in+the+sea&left=lsi&right=cdl");
  await page.getByRole("checkbox", { name: "Compare" }).check();
  const comparison = page.getByRole("region", { name: "The same search twice" });
  const titles = (name: string) => comparison.getByRole("list", { name }).locator(".compare-title");
  // Among all languages: the first that both have.
  await expect(comparison.getByText("both lists are of French")).toBeVisible();
  await expect(titles("Latent semantic indexing").first()).toHaveAttribute("lang", "fr");
  await page.getByRole("radio", { name: "Swahili" }).check();
  await expect(titles("Latent semantic indexing")).toHaveCount(10);
  await expect(titles("Coupled dictionaries")).not.toHaveCount(0);
  await expect(titles("Latent semantic indexing").first()).toHaveAttribute("lang", "sw");
  await expect(comparison).toContainText(/\d+ of 10 documents are in both lists/);
  await comparison.getByLabel("Right").selectOption("Canonical correlations (CCA)");
  await expect(titles("Canonical correlations")).toHaveCount(10);
  await expect(page).toHaveURL(/left=lsi&right=cca/);
});

test("a method that cannot be fetched says so, and the other column stays", async ({ page }) => {
  await page.route("**/methods/fr/opca.safetensors", (route) => route.abort());
  await openFull(page, "#q=fish+in+the+sea&lang=fr&right=opca");
  await page.getByRole("checkbox", { name: "Compare" }).check();
  const comparison = page.getByRole("region", { name: "The same search twice" });
  await expect(comparison).toContainText("This could not be compared");
  await expect(comparison.getByRole("list", { name: "The demo model" }).getByRole("listitem")).toHaveCount(10);
});

test("a fine-tuned model is not left without being asked", async ({ page }) => {
  const release = await held(page, "**/generated/models/query.safetensors*");
  const { cards } = await openPage(page, QUERY);
  await cards.nth(3).getByRole("button", { name: /^Relevant / }).click();
  await page.getByRole("button", { name: "Step", exact: true }).click();
  await expect(page.locator("#finetune-work")).toContainText(/^Step 1/);
  release();
  await expect(page.locator("#model-message")).toContainText("The full model waits");
  await expect(atWork(page)).toContainText("Demo model");
  await model(page, "Full model").check();
  await expect(atWork(page)).toContainText("Full model");
});

test("a lesson is given with the demo model, and what was chosen comes back after it", async ({ page }) => {
  await openFull(page);
  await page.evaluate(() => (location.hash = "#q=sweet+fruit&lesson=swap"));
  await expect(atWork(page)).toContainText("Demo model");
  await expect(page.locator(".swap-point").first()).toBeVisible();
  await page.getByRole("button", { name: "End the lesson" }).click();
  await expect(atWork(page)).toContainText("Full model");
});

test("one’s own documents come along to the other model, and back", async ({ page }) => {
  await openFull(page, `${QUERY}&view=documents`);
  await page.getByLabel("Choose files").and(page.locator("input")).setInputFiles({
    name: "mine.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("La tempête passe sur les montagnes."),
  });
  const summary = page.locator(".documents-summary");
  await expect(summary).toContainText("1 document");
  for (const [name, link] of [["Demo model", "demo"], ["Full model", "full"]] as const) {
    await page.evaluate((link) => (location.hash = `#view=documents&model=${link}`), link);
    await expect(atWork(page)).toContainText(name);
    await expect(summary).toContainText("1 document");
  }
});

test("the model card names sources with their licences", async ({ page }) => {
  await openFull(page);
  await page.getByText("The full model: data, licences, figures and limits").click();
  const card = page.locator("#model-card");
  await expect(card.getByRole("heading", { name: "Trained on" })).toBeVisible();
  await expect(card.getByRole("heading", { name: "Sources" })).toBeVisible();
  // Recipes were compared on these sets: none is a test set.
  await expect(card.getByRole("columnheader", { name: "tuning set" })).toBeVisible();
  await expect(card.getByText("test set")).toHaveCount(0);
  await expect(card.getByRole("listitem").filter({ hasText: "CC BY-SA 4.0" })).toContainText("freeCodeCamp");
  await expect(card.getByRole("heading", { name: "Limits" })).toBeVisible();
  const typed = card.getByRole("region", { name: "Queries as people type them" });
  await expect(typed.getByRole("columnheader", { name: "Swahili" })).toBeVisible();
  await expect(typed.getByRole("cell", { name: "one word" })).toBeVisible();
});

for (const [scheme, width, language] of [
  ["dark", 320, "fr"],
  ["light", 1280, "en"],
] as const) {
  test(`axe finds nothing with the full model in ${scheme} colours at ${width} px, which fits`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 900 });
    const { cards } = await openPage(page, `?ui=${language}${QUERY}&lang=fr&model=full`);
    await expect(atWork(page)).toContainText(/Full model|Modèle complet/);
    // The demo model's ranking stands until the full model's first one.
    await expect(cards.first().locator(".numbers")).toContainText("lexical");
    await cards.first().locator(".opener[aria-controls^=why]").click();
    await expect(cards.first().locator(".translation-table")).toBeVisible();
    await page.locator("#model-card summary").click();
    await expect(page.locator("#model-card li").first()).toBeVisible();
    await expectFits(page);
    await expectAccessible(page);
    await expectRoomForFingers(page.locator("#model :is(.chip, label):visible, #model-card summary"));
    await page.locator("#compare").check();
    await expect(page.locator(".compare-list li")).toHaveCount(20);
    await expectFits(page);
    await expectAccessible(page);
  });
}
