// The language of a query, and the languages that the page loads when they are chosen.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expectAccessible, expectFits, expectRoomForFingers } from "./everyone";
import { file } from "./files";
import { DIST } from "./folders";
import { expect, held, openPage, parts, test as base } from "./page";

const hasModel = (name: string) => existsSync(`${DIST}/generated/models/${name}.safetensors`);
const hasPacks = ["de", "ru", "zh", "ar"].every((language) => hasModel(`document.${language}`));
const test = base.extend({});
test.use({ model: "", hood: "closed" });
test.skip(!hasModel("query"), "the page was built without files in www/models");

const asked = (page: Page) => page.locator(".asked-in");
const dialog = (page: Page) => page.getByRole("dialog", { name: "Languages" });
const choice = (page: Page, name: string) => dialog(page).getByRole("radio", { name, exact: true });
const offer = (page: Page) => page.locator(".language-offer");
const pack = (page: Page, name: string) => dialog(page).getByRole("listitem").filter({ hasText: name });
const inDialog = (page: Page, name: string) => dialog(page).getByRole("button", { name, exact: true });

/** Opens the page with the full model, which a link asks for, and waits until it has the choice of languages. */
async function openFull(page: Page, query: string, more = "") {
  const opened = await openPage(page, `${more.startsWith("?") ? more : ""}#model=full&q=${encodeURIComponent(query)}${more.startsWith("?") ? "" : more}`);
  await expect(page.locator("#ranked-by")).not.toHaveAttribute("hidden");
  await expect(asked(page)).toBeVisible();
  return opened;
}

/** Counts requests for the files of packs. */
function countPacks(page: Page): string[] {
  const requested: string[] = [];
  page.on("request", (request) => {
    const [, language] = /models\/document\.([^/]+)\.safetensors/.exec(request.url()) ?? [];
    if (language !== undefined && !["fr", "it", "sw", "tl"].includes(language)) requested.push(language);
  });
  return requested;
}

test("the page invites to ask in one’s language, in English and in French", async ({ page }) => {
  await openPage(page);
  await expect(page.locator(".tagline")).toContainText("Ask in your language.");
  await page.goto("./?ui=fr");
  await expect(page.locator(".tagline")).toContainText("Demandez dans votre langue");
});

test("the box says which language a query was taken for, and another is chosen by keyboard, in the link, until it is detected again", async ({ page }) => {
  const { query, cards } = await openFull(page, "la pluie tombe sur la montagne");
  await expect(asked(page)).toHaveText(/^Asked in French/);
  await expect(query).toHaveAttribute("lang", "fr");
  await asked(page).focus();
  await page.keyboard.press("Enter");
  await expect(choice(page, "Detect it")).toBeFocused();
  await expect(choice(page, "Detect it")).toBeChecked();
  await expect(dialog(page)).toContainText("By its words it is in French.");
  // What a card is in English, and its buttons, come after it.
  const excerpts = cards.locator(".excerpt");
  const before = await excerpts.allInnerTexts();
  await page.keyboard.press("ArrowRight");
  await expect(choice(page, "English")).toBeChecked();
  await page.keyboard.press("Escape");
  await expect(dialog(page)).toBeHidden();
  await expect(asked(page)).toBeFocused();
  await expect(asked(page)).toHaveText(/^Asked in English/);
  await expect(page).toHaveURL(/[#&]ql=en(&|$)/);
  await expect.poll(() => excerpts.allInnerTexts()).not.toEqual(before);
  await page.reload();
  await expect(asked(page)).toHaveText(/^Asked in English/);
  await asked(page).click();
  await choice(page, "Detect it").check();
  await page.keyboard.press("Escape");
  await expect(asked(page)).toHaveText(/^Asked in French/);
  await expect(page).not.toHaveURL(/ql=/);
  await expect.poll(() => excerpts.allInnerTexts()).toEqual(before);
});

test("a result in the language asked in is shown plainly, and others with what they are in English", async ({ page }) => {
  const { query, cards } = await openFull(page, "la pluie tombe sur la montagne", "&lang=fr");
  const read = cards.first().getByRole("button", { name: "Read it all" });
  await expect(read).toBeVisible();
  await expect(page.locator("#hits .gloss:visible")).toHaveCount(0);
  await read.click();
  await expect(cards.first().locator(".text")).toBeVisible();
  await expect(page.locator("#hits ruby")).toHaveCount(0);
  // The same cards, asked for in English.
  await query.fill("rain over the mountains");
  await expect(asked(page)).toHaveText(/^Asked in English/);
  await expect(cards.first().getByRole("button", { name: "Read word by word" })).toBeVisible();
  await expect(page.locator("#hits .gloss:visible").first()).toHaveText(/^[A-Z]/);
  await query.fill("la pluie tombe sur la montagne");
  await page.getByRole("radio", { name: "Swahili", exact: true }).check();
  await expect(page.locator("#hits h3").first()).toHaveAttribute("lang", "sw");
  await expect(cards.first().getByRole("button", { name: "Read word by word" })).toBeVisible();
  await expect(page.locator("#hits .gloss:visible").first()).toHaveText(/^[A-Z]/);
});

test("a query in French that the demo model cannot read is answered by the full model without being asked twice", async ({ page }) => {
  const release = await held(page, "**/generated/models/document.sw.safetensors*");
  const { cards, reason } = await openPage(page, "#q=corneille+hiboux");
  await expect(reason).toContainText("recognises none of these words");
  release();
  await expect(cards.first()).toBeAttached();
  await expect(asked(page)).toHaveText(/^Asked in French/);
});

test.describe("packs of languages", () => {
  test.skip(!hasPacks, "the page was built without packs in www/models");

  test("none is fetched until one is chosen; then its bytes, its progress and Cancel are told", async ({ page }) => {
    const requested = countPacks(page);
    await openFull(page, "rain");
    await asked(page).click();
    await expect(pack(page, "German")).toContainText(/0\.\d+ MB|1\.\d MB/);
    expect(requested).toEqual([]);
    const release = await held(page, "**/models/document.de.safetensors");
    await inDialog(page, "Load: German").click();
    await expect(pack(page, "German").getByRole("progressbar")).toBeVisible();
    await inDialog(page, "Cancel: German").click();
    await expect(inDialog(page, "Load: German")).toBeVisible();
    release();
    // Two at once.
    await inDialog(page, "Load: German").click();
    await inDialog(page, "Load: Russian").click();
    await expect(inDialog(page, "Remove: German")).toBeVisible();
    await expect(inDialog(page, "Remove: Russian")).toBeVisible();
    await expect(choice(page, "German")).toBeVisible();
    await expect(choice(page, "Russian")).toBeVisible();
    expect(new Set(requested)).toEqual(new Set(["de", "ru"]));
  });

  test("a loaded one is remembered and kept: the next visit fetches nothing; a removed one is gone", async ({ page }) => {
    await openFull(page, "rain");
    await asked(page).click();
    await inDialog(page, "Load: German").click();
    await expect(inDialog(page, "Remove: German")).toBeVisible();
    const requested = countPacks(page);
    const kept = () =>
      page.evaluate(async () => {
        const stores = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
        const all = (await Promise.all(stores.map((store) => store.keys()))).flat();
        return all.filter(({ url }) => url.includes("document.de.")).length;
      });
    expect(await kept()).toBe(1);
    await page.reload();
    await asked(page).click();
    await expect(inDialog(page, "Remove: German")).toBeVisible();
    expect(requested).toEqual([]);
    await inDialog(page, "Remove: German").click();
    await expect(inDialog(page, "Load: German")).toBeVisible();
    await expect(choice(page, "German")).toHaveCount(0);
    await expect.poll(kept).toBe(0);
    await page.reload();
    await asked(page).click();
    await expect(inDialog(page, "Load: German")).toBeVisible();
  });

  test("one that was changed on its way is refused by its digest, and Try again helps", async ({ page }) => {
    await page.route("**/models/document.de.safetensors", async (route) => {
      const answer = await route.fetch();
      const body = await answer.body();
      body[body.length - 1]! ^= 1;
      await route.fulfill({ response: answer, body });
    });
    await openFull(page, "rain");
    await asked(page).click();
    await inDialog(page, "Load: German").click();
    await expect(pack(page, "German")).toContainText("(digest)");
    await page.unroute("**/models/document.de.safetensors");
    await inDialog(page, "Try again: German").click();
    await expect(inDialog(page, "Remove: German")).toBeVisible();
  });

  for (const [name, language, query, answer] of [
    ["German", "de", "Welcher graue Elefant hat große Ohren und einen Rüssel", "Elephant"],
    ["Spanish", "es", "el elefante es un animal con orejas muy grandes que vive en la selva", "Elephant"],
    ["Russian", "ru", "слон с большими ушами", "Elephant"],
    ["Chinese", "zh", "大象", "Elephant"],
    ["Arabic", "ar", "فيل كبير", "Elephant"],
    ["Hindi", "hi", "बड़ा हाथी", "Elephant"],
  ] as const) {
    test(`a query in ${name} offers it in one line, with its bytes, and is then answered in it`, async ({ page }) => {
      test.skip(!hasModel(`document.${language}`), `the page was built without ${name}`);
      const { cards } = await openFull(page, query);
      await expect(offer(page)).toHaveText(new RegExp(`^This looks like ${name}: load it, [\\d.]+ MB$`));
      await offer(page).getByRole("button").click();
      await expect(asked(page)).toHaveText(new RegExp(`^Asked in ${name}`));
      await expect(offer(page)).toBeHidden();
      await expect(cards.filter({ hasText: answer }).first()).toBeVisible();
    });
  }

  for (const [what, query] of [
    ["English", "what does a grey elephant eat in the forest"],
    ["English with a misspelt word", "what does a grey elefant eat in the forest"],
    ["French", "que mange le grand éléphant gris dans la forêt"],
    ["Ukrainian, which there is no pack of", "слон їсть у лісі"],
    ["Japanese, which there is no pack of", "象は森で何を食べますか"],
    ["Persian, which there is no pack of", "فیل بزرگ در جنگل چه می‌خورد"],
  ] as const) {
    test(`a query in ${what} offers none`, async ({ page }) => {
      await openFull(page, query);
      await page.waitForTimeout(1000);
      await expect(offer(page)).toBeHidden();
    });
  }

  test("a link with a query in German loads German, also for who chose the demo model", async ({ page }) => {
    await page.addInitScript(() => localStorage.setItem("smooth-clir model", "demo"));
    const { cards } = await openPage(page, "#q=Elefant&ql=de");
    await expect(asked(page)).toHaveText(/^Asked in German/);
    await expect(cards.filter({ hasText: "Elephant" }).first()).toBeVisible();
  });

  for (const [scheme, width] of [
    ["light", 320],
    ["dark", 1280],
  ] as const) {
    test(`axe finds nothing in the dialog in ${scheme} colours at ${width} px, which fits`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: 800 });
      await openFull(page, "Welcher graue Elefant hat große Ohren");
      await expect(offer(page)).toBeVisible();
      await expectAccessible(page);
      await expectFits(page);
      await page.route("**/models/document.ru.safetensors", (route) => route.fulfill({ status: 404, body: "" }));
      await page.route("**/models/document.zh.safetensors", () => {});
      await asked(page).click();
      await inDialog(page, "Load: German").click();
      await expect(inDialog(page, "Remove: German")).toBeVisible();
      await inDialog(page, "Load: Russian").click();
      await expect(pack(page, "Russian")).toContainText("(http-status)");
      await inDialog(page, "Load: Chinese").click();
      await expectAccessible(page);
      await expectFits(page);
      if (width === 320) await expectRoomForFingers(dialog(page).locator("button:visible, .chip"));
      await page.keyboard.press("Escape");
      await expectAccessible(page);
    });
  }
});

test.describe("documents of one’s own", () => {
  test.skip(!hasPacks, "the page was built without packs in www/models");
  test.use({ model: "full" });

  const TEXTS = [
    ["de", "German", "Der Regen fällt auf die Berge und in den Wald, und der Wind weht über das Meer."],
    ["ru", "Russian", "Дождь идёт над горами и в лесу, и ветер дует над морем."],
    ["zh", "Chinese", "雨落在山上和森林里，风吹过大海。"],
    ["ar", "Arabic", "يسقط المطر على الجبال وفي الغابة، وتهب الريح فوق البحر."],
  ] as const;
  const OTHERS = [
    ["de", "Das Brot wird aus Mehl, Salz und Wasser gemacht, und man isst es jeden Tag."],
    ["ru", "Хлеб делают из муки, соли и воды, и его едят каждый день."],
    ["zh", "面包是用面粉、盐和水做的，人们每天都吃。"],
    ["ar", "يصنع الخبز من الدقيق والملح والماء، ويأكله الناس كل يوم."],
  ] as const;

  test("are told by their words in German, Russian, Chinese and Arabic; their packs are loaded, and English finds them", async ({ page }) => {
    const requested = countPacks(page);
    await page.goto("./#view=documents&q=rain");
    const view = page.locator(".view-documents");
    await expect(view.getByRole("combobox", { name: "Language of what you add" })).toContainText("Arabic");
    const files = page.getByLabel("Choose files").and(page.locator("input"));
    await files.setInputFiles([
      ...TEXTS.map(([language, , text]) => file(`rain.${language}.txt`, text)),
      ...OTHERS.map(([language, text]) => file(`bread.${language}.txt`, text)),
    ]);
    await expect(page.locator("#documents-message")).toContainText("Added 8 documents of 8 files");
    for (const [, name] of TEXTS) await expect(page.locator("#documents-message")).toContainText(name);
    expect([...new Set(requested)].sort()).toEqual(["ar", "de", "ru", "zh"]);
    await view.getByRole("button", { name: "Search only these" }).click();
    const { query, cards, language } = parts(page);
    const titles = page.locator("#hits h3");
    await query.fill("rain in the mountains");
    await expect(titles).toHaveCount(8);
    expect((await titles.allTextContents()).slice(0, 4).sort()).toEqual(TEXTS.map(([language]) => `rain.${language}`).sort());
    await language("Arabic").check();
    await expect(titles).toHaveText(["rain.ar", "bread.ar"]);
    // What is written from right to left begins at the right.
    const { box, text } = await cards.first().evaluate((card) => {
      const range = document.createRange();
      range.selectNodeContents(card.querySelector(".excerpt")!);
      return { box: card.getBoundingClientRect().toJSON(), text: range.getBoundingClientRect().toJSON() };
    });
    expect(box.right - text.right).toBeLessThan(40);
    await expect(cards.first().locator(".excerpt")).toHaveAttribute("lang", "ar");
    await language("All").check();
    // Their packs are needed, and can be asked in.
    await asked(page).click();
    await expect(pack(page, "Chinese")).toContainText("needed by your documents");
    await expect(inDialog(page, "Remove: Chinese")).toBeHidden();
    await page.keyboard.press("Escape");
    await query.fill("Regen in den Bergen");
    await expect(asked(page)).toHaveText(/^Asked in German/);
    await expect(titles.first()).toHaveText(/^rain/);
    await expectAccessible(page);
    // Saved and added again, they are in their languages.
    await page.getByRole("link", { name: "Your documents" }).click();
    const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Save as an index file" }).click()]);
    const bytes = await readFile(await saved.path());
    await page.getByRole("button", { name: "Delete all my documents" }).click();
    await files.setInputFiles(file("my-documents.safetensors", bytes));
    await expect(page.locator("#documents-message")).toContainText("Added 8 documents of 1 file");
    for (const [, name] of TEXTS) await expect(page.locator("#documents-message")).toContainText(name);
  });
});
