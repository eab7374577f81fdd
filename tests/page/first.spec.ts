// The search as a person finds it who comes for the first time: the drawer is closed.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { SmoothClir } from "smooth-clir";
import { expectAccessible, expectFits } from "./everyone";
import { DIST } from "./folders";
import { expect, held, openPage, parts, test as base } from "./page";

const hasFull = existsSync(fileURLToPath(new URL("../../www/dist/generated/models/query.safetensors", import.meta.url)));
const test = base.extend({});
test.use({ model: "", hood: "closed" });
test.skip(!hasFull, "the page was built without files in www/models");

const hood = (page: Page) => page.getByRole("button", { name: "Under the hood" });
const offer = (page: Page) => page.locator("#offer");
const wordOf = (page: Page, word: string) => page.getByRole("group", { name: "The words of your search" }).getByRole("button", { name: word, exact: true });
/** Opens the page with the full model, which a link asks for, and waits for its answer. */
async function openFull(page: Page, query: string) {
  const opened = await openPage(page, `#model=full&q=${encodeURIComponent(query)}`);
  await expect(page.locator("#ranked-by")).not.toHaveAttribute("hidden");
  return opened;
}

test.describe("before anything is typed", () => {
  test("an example is answered before the model is here", async ({ page }) => {
    await page.route("**/generated/**/*.safetensors*", (route) => route.abort());
    await page.goto("./");
    const { cards, query } = parts(page);
    await expect(cards.first()).toContainText("Ostrich");
    await expect(query).toHaveAttribute("placeholder", "bird that cannot fly");
    await expect(query).toHaveValue("");
    await expect(cards.first().locator(".answer").first()).toContainText(/\((bird|fly|cannot)\)/);
  });

  test("the full model takes the example over, and moves nothing", async ({ page }) => {
    const { cards } = await openPage(page);
    const before = await cards.allInnerTexts();
    await expect(cards.first().getByRole("button", { name: "Read word by word" })).toBeVisible();
    const read = (texts: string[]) => texts.map((text) => text.replace(/Read .*/, ""));
    expect(read(await cards.allInnerTexts())).toEqual(read(before));
    await expect(offer(page)).toBeHidden();
  });

  for (const [width, height, most] of [
    [1280, 900, 330],
    [375, 780, 380],
  ] as const) {
    test(`the first result begins above ${most} px of a screen of ${width} × ${height}`, async ({ page }) => {
      await page.setViewportSize({ width, height });
      const { cards, query } = await openPage(page);
      // A list that is replaced has no place for a moment.
      const begins = async () => (await cards.first().boundingBox())?.y ?? Infinity;
      const secondEnds = async () => {
        const second = await cards.nth(1).boundingBox();
        return second ? second.y + second.height : Infinity;
      };
      await expect.poll(begins).toBeLessThan(most);
      await expect.poll(secondEnds).toBeLessThan(height);
      await query.fill("rain");
      await expect(cards.first()).toContainText("Rain");
      await expect.poll(begins).toBeLessThan(most);
    });
  }
});

test.describe("a result", () => {
  test("is read aloud with its title, what that is in English, its languages and how likely it is an answer", async ({ page }) => {
    const { cards } = await openFull(page, "rain");
    await expect(cards.first()).toMatchAriaSnapshot(`
      - listitem:
        - heading /.+/ [level=3]
        - paragraph: Rain
        - group /Languages of/:
          - button /French|Italian|Swahili|Tagalog/ [pressed]
        - paragraph: very likely answer
        - paragraph:
          - mark: /\\(rain\\)/
        - button /Read word by word/
    `);
  });

  test("is of one entry in each of its languages, and a press on a language shows that document", async ({ page }) => {
    const { cards } = await openFull(page, "rain");
    // The English titles follow the list, and the full model's list the demo's.
    await expect(async () => {
      const names = await page.locator("#hits h3 + .gloss").allTextContents();
      expect(names).not.toContain("");
      expect(new Set(names).size).toBe(names.length);
    }).toPass();
    const swahili = cards.first().getByRole("button", { name: "Swahili" });
    await swahili.focus();
    await page.keyboard.press("Enter");
    await expect(cards.first().getByRole("heading")).toHaveAttribute("lang", "sw");
    await expect(cards.first().getByRole("button", { name: "Swahili" })).toBeFocused();
    await expect(cards.first().getByRole("button", { name: "Swahili" })).toHaveAttribute("aria-pressed", "true");
    await expect(cards.first().locator(".excerpt")).toHaveAttribute("lang", "sw");
  });

  test("shows the words that answer the query, as the core explains its score", async ({ page }) => {
    const query = "storm over the mountains";
    const { cards } = await openFull(page, query);
    await expect(cards.nth(1).locator(".answer").first()).toBeVisible();
    const files = (names: string[]) => names.map((name) => `${DIST}/generated/${name}.safetensors`);
    const languages = ["fr", "it", "sw", "tl"];
    const model = files(["query", ...languages.map((language) => `document.${language}`)].map((name) => `models/${name}`));
    const engine = await SmoothClir.load({ model, documents: files(languages.map((language) => `documents/${language}/full`)) });
    const hits = await engine.search(query, { limit: 16 });
    const stem = (token: string, word: string) =>
      token === word || (token.endsWith("-") && word.startsWith(token.slice(0, -1))) || (token.startsWith("-") && word.endsWith(token.slice(1)));
    const shown = await page.locator("#hits .answer").evaluateAll((marks: HTMLElement[]) =>
      marks.map((mark) => ({
        title: mark.closest(".card")!.querySelector("h3")!.textContent,
        foreign: mark.firstChild!.textContent!.toLowerCase(),
        english: mark.dataset["word"]!,
      })),
    );
    expect(shown.length).toBeGreaterThan(5);
    for (const { title, foreign, english } of shown) {
      const hit = hits.find((hit) => hit.title === title)!;
      const { matches } = (await engine.explain(query, { document: hit.id, language: hit.language }))!;
      const match = matches.find(({ token, terms }) => stem(token, english) && terms.some(({ token }) => stem(token, foreign)));
      expect(match, `${foreign} = ${english}`).toBeDefined();
      expect(query.split(" ")).toContain(english);
    }
    engine.close();
  });

  test("lights the words that answer a word of the query, for a pointer, the keyboard and a finger", async ({ page }) => {
    const { cards } = await openFull(page, "rain over the mountains");
    const lit = page.locator("#hits .answer.is-lit");
    await expect(cards.first().locator(".answer").first()).toBeVisible();
    await wordOf(page, "rain").hover();
    await expect(lit.first()).toHaveAttribute("data-word", "rain");
    await cards.first().locator(".answer[data-word=rain]").first().hover();
    await expect(wordOf(page, "rain")).toHaveClass(/is-lit/);
    await page.mouse.move(0, 0);
    await expect(lit).toHaveCount(0);
    await wordOf(page, "mountains").focus();
    await expect(lit.first()).toHaveAttribute("data-word", "mountains");
    await page.keyboard.press("Enter");
    await page.getByRole("searchbox").focus();
    await expect(lit.first()).toHaveAttribute("data-word", "mountains");
    await expect(wordOf(page, "mountains")).toHaveAttribute("aria-pressed", "true");
    // Another search with the word keeps it.
    await page.getByRole("searchbox").fill("rain over the high mountains");
    await expect(wordOf(page, "high")).toBeVisible();
    await expect(wordOf(page, "mountains")).toHaveAttribute("aria-pressed", "true");
    await expect(wordOf(page, "mountains")).toHaveClass(/is-lit/);
  });

  test("is read whole, word by word, and folded again", async ({ page }) => {
    const { cards } = await openFull(page, "rain");
    const read = cards.first().getByRole("button", { name: "Read word by word" });
    await read.click();
    await expect(cards.first().locator(".interlinear rt").first()).toBeVisible();
    await expect(cards.first().locator(".interlinear .answer[data-word=rain]").first()).toContainText("rain");
    await expect(cards.first().locator(".excerpt")).toBeHidden();
    await read.click();
    await expect(cards.first().locator(".excerpt")).toBeVisible();
  });

  test("is one of more, which are shown at a press", async ({ page }) => {
    const { cards } = await openFull(page, "rain");
    // The full model's list: the demo model tells no likelihood.
    await expect(cards.first()).toContainText(/likely/i);
    const before = await page.locator("#hits h3").allTextContents();
    await page.getByRole("button", { name: "Show more" }).click();
    await expect.poll(() => cards.count()).toBeGreaterThan(before.length);
    expect((await page.locator("#hits h3").allTextContents()).slice(0, before.length)).toEqual(before);
  });
});

test.describe("a query", () => {
  for (const [what, query] of [
    ["gibberish", "asdf qwer zxcv"],
    ["what no document is about", "quarterly carburettor gasket invoices"],
  ] as const) {
    test(`of ${what} is told that nothing fits, and its nearest guesses are folded away`, async ({ page }) => {
      const { cards, words } = await openFull(page, query);
      await expect(words).toContainText("Nothing here fits well.");
      await expect(cards.first()).toBeHidden();
      const show = page.getByRole("button", { name: /^Show the \d+ nearest guesses$/ });
      await show.click();
      await expect(cards.first()).toBeVisible();
      await page.getByRole("button", { name: "Hide the guesses" }).click();
      await expect(cards.first()).toBeHidden();
    });
  }

  for (const [what, query, says] of [
    ["in Arabic", "مطر فوق الجبال", "recognises none of these words"],
    ["of an emoji", "🐘", "no word in this query"],
    ["of unknown words", "zzyzx qwxq", "recognises none of these words: zzyzx, qwxq"],
  ] as const) {
    test(`${what} is told what is wrong with it`, async ({ page }) => {
      const { reason } = await openFull(page, query);
      await expect(reason).toContainText(says);
    });
  }

  test("with a misspelt word says how it was corrected, and the correction can be undone", async ({ page }) => {
    const { cards, words, reason } = await openFull(page, "elefant");
    await expect(words).toContainText("Spelling corrected: elefant → elephant.");
    await expect(cards.first()).toContainText("Elephant");
    await page.getByRole("button", { name: "Search for elefant as typed" }).click();
    await expect(reason).toContainText("recognises none of these words: elefant");
    await expect(cards).toHaveCount(0);
    await page.getByRole("button", { name: "Correct the spelling" }).click();
    await expect(cards.first()).toContainText("Elephant");
  });

  test("of 30,000 times the same letter is no misspelling of that letter, and what is left out is cut short", async ({ page }) => {
    const { query, reason } = await openFull(page, "");
    await query.fill("a".repeat(30_000));
    await expect(reason).toContainText("recognises none of these words: aaa");
    expect((await reason.textContent())!.length).toBeLessThan(150);
  });

  test("that is entered on a phone brings its results into view", async ({ page }) => {
    await page.setViewportSize({ width: 375, height: 400 });
    const { query, cards } = await openPage(page);
    await query.fill("rain");
    await query.press("Enter");
    await expect(cards.first()).toBeInViewport();
  });
});

test.describe("when the full model arrives", () => {
  test("the list that is read stays as it is, and the model is offered", async ({ page }) => {
    const release = await held(page, "**/generated/models/document.sw.safetensors*");
    const { cards, titles } = await openPage(page, "#q=earthworm");
    await expect(cards.first()).toBeVisible();
    const before = await titles.allTextContents();
    release();
    await expect(offer(page)).toContainText("The full model is ready.");
    // The drawer shows the model at work.
    await expect(page.locator("#model-chips input[value=demo]")).toBeChecked();
    expect(await titles.allTextContents()).toEqual(before);
    await page.getByRole("button", { name: "Not now" }).click();
    await expect(offer(page)).toBeHidden();
    expect(await titles.allTextContents()).toEqual(before);
    await parts(page).query.fill("bird that cannot fly");
    await expect(cards.first().locator(".confidence")).toContainText("answer");
  });

  test("a press on the offer searches with it", async ({ page }) => {
    const { cards } = await openPage(page, "#q=earthworm");
    await page.getByRole("button", { name: "Use it" }).click();
    await expect(cards.first().locator(".confidence")).toHaveText("very likely answer");
    await expect(offer(page)).toBeHidden();
    await page.reload();
    await expect(cards.first().locator(".confidence")).toHaveText("very likely answer");
  });
});

test.describe("the drawer", () => {
  test("is closed for a first visitor, and remembers that it was opened", async ({ page }) => {
    const { slider } = await openPage(page, "#q=rain");
    await expect(slider).toBeHidden();
    await expect(page.locator(".score").first()).toBeHidden();
    await hood(page).focus();
    await page.keyboard.press("Enter");
    await expect(hood(page)).toHaveAttribute("aria-expanded", "true");
    await expect(slider).toBeVisible();
    await expect(page.locator(".score").first()).toBeVisible();
    await page.goto("about:blank");
    await openPage(page, "#q=rain");
    await expect(slider).toBeVisible();
  });

  for (const link of ["eps=0.5", "pin=fr+lion.fr", "compare=1", "lesson=angle"]) {
    test(`is open for a link with ${link}, which only it shows`, async ({ page }) => {
      await openPage(page, `#q=rain&${link}`);
      await expect(hood(page)).toHaveAttribute("aria-expanded", "true");
    });
  }
});

for (const [scheme, width] of [
  ["light", 320],
  ["dark", 1280],
] as const) {
  test(`axe finds nothing at ${width} px in ${scheme} colours, and nothing scrolls sideways`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 800 });
    const { cards } = await openFull(page, "rain over the mountains");
    await expect(cards.first().locator(".answer").first()).toBeVisible();
    await expectAccessible(page);
    await expectFits(page);
  });
}
