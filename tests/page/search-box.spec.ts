import type { Locator, Page } from "@playwright/test";
import type { Hit, QueryOptions, SearchOptions } from "smooth-clir";
import type { SearchBoxDefaults, SmoothClirSearch } from "smooth-clir/search-box";
import { serve } from "../static-host.mjs";
import { expectAccessible, expectFits, expectRoomForFingers } from "./everyone";
import { PACKAGE } from "./folders";
import { expect, fromGenerated, test as base } from "./page";

// The search box as a site has it: the package without a bundler, on a page with a strict policy.
const test = base.extend<{ host: string }>({
  host: [
    async ({ page }, use) => {
      const host = await serve("/", { folder: PACKAGE });
      await page.route("**/*.safetensors", fromGenerated);
      await use(host.url);
      host.close();
    },
    { auto: true },
  ],
});

const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'; img-src data:; style-src 'self'";
/** The full model of two languages, and the indexes of all. */
const FILES = {
  model: "models/query.safetensors models/document.fr.safetensors models/document.it.safetensors",
  documents: ["fr", "it", "sw", "tl"].map((language) => `documents/${language}/full.safetensors`).join(" "),
};
const QUERY = "rain over the mountains";

interface Opening {
  lang?: string;
  dir?: string;
  defaults?: SearchBoxDefaults;
  /** Hits of any query, instead of an engine: see {@link hit}. */
  hits?: Partial<Hit>[];
  /** The language that this engine takes queries for. */
  taken?: string;
}

/** Opens a page with a box of these attributes. */
async function openBox(page: Page, host: string, attributes: Record<string, string>, { lang = "en", dir = "ltr", defaults, hits, taken = "en" }: Opening = {}) {
  const given = Object.entries(attributes).map(([name, value]) => `${name}="${value}"`).join(" ");
  const body = `<!doctype html><html lang="${lang}" dir="${dir}"><meta name="viewport" content="width=device-width"><link rel="stylesheet" href="box.css">
    <meta http-equiv="content-security-policy" content="${POLICY}"><link rel="icon" href="data:,"><title>Box</title>
    <main><h1>Box</h1><smooth-clir-search ${given}></smooth-clir-search></main>`;
  await page.route("**/box.html", (route) => route.fulfill({ contentType: "text/html", body }));
  const css = ":root { color-scheme: light dark; background: light-dark(#f7f4ee, #15191d); }";
  await page.route("**/box.css", (route) => route.fulfill({ contentType: "text/css", body: css }));
  await page.goto(`${host}box.html`);
  await page.evaluate(
    async ({ hits, defaults, taken }) => {
      const box = document.querySelector("smooth-clir-search")!;
      const state = { asked: [] as number[], languages: [] as (string | undefined)[][] };
      const note = (...languages: (string | undefined)[]) => state.languages.push(languages);
      Object.assign(window, { state });
      if (hits) {
        const words = (query: string) => query.toLowerCase().split(/\s+/);
        const engine = {
          documentCount: hits.length,
          languages: [...new Set(hits.map(({ language }) => language))],
          search: async (_: string, { limit, queryLanguage }: SearchOptions & { limit: number }) => {
            state.asked.push(limit);
            note("search", queryLanguage);
            return hits.slice(0, limit);
          },
          languageOf: async () => taken,
          tokens: async (query: string, { queryLanguage }: QueryOptions) => (note("tokens", queryLanguage), words(query).map((token) => ({ token, known: true }))),
          // What answers a query are its own words.
          matches: async (query: string, documents: unknown[], { queryLanguage }: QueryOptions = {}) => (
            note("matches", queryLanguage),
            documents.map(() => words(query).map((token) => ({ token, contribution: 1, terms: [{ token, probability: 1, count: 1 }] })))
          ),
          fields: async () => ({}),
          close() {},
        };
        Object.assign(box, { engine });
      }
      const address = "./search-box.js";
      const { defineSearchBox } = await import(address);
      defineSearchBox(undefined, defaults);
    },
    { hits, defaults, taken },
  );
  const box = page.locator("smooth-clir-search");
  return {
    box,
    input: page.getByRole("searchbox"),
    status: box.getByRole("status"),
    results: box.locator("ol > li"),
    titles: box.getByRole("heading", { level: 2 }),
    links: box.getByRole("link"),
    more: box.locator("[part~=more]"),
    queryIn: box.locator("[part=query-language]"),
    languages: box.getByRole("combobox"),
    /** The languages that the engine was called with, and clears them. */
    called: () => page.evaluate(() => (window as unknown as { state: { languages: string[][] } }).state.languages.splice(0).map(([name, language]) => [name, language ?? null])),
    asked: () => page.evaluate(() => (window as unknown as { state: { asked: number[] } }).state.asked),
  };
}

/** A hit of an engine that is not there. */
const hit = (id: string, { section = "", ...rest }: Partial<Hit> & { section?: string } = {}): Partial<Hit> & { section: string } => ({
  ...{ id, language: "en", title: `Title of ${id.replace(/[# ].*/, "")}`, text: `Some rain at ${id}.`, fields: {}, fits: true, section },
  ...rest,
});
const pages = (count: number, rest: Partial<Hit> = {}) => Array.from({ length: count }, (_, at) => hit(`${at}.html`, rest));

test.describe("results", () => {
  test("are grouped by page, each section once, with a link to its anchor", async ({ page, host }) => {
    const hits = [
      hit("a.html#one", { section: "First" }),
      hit("b.html", { text: "The whole of b." }),
      hit("a.html#one (2)", { section: "First" }),
      hit("a.html#two (3)", { section: "Second", text: "Title of a.html\nSecond\nSome rain at two." }),
      // A heading without an anchor of its own.
      hit("a.html#two (4)", { section: "Third", text: "Third" }),
      hit("a.html", { text: "The beginning of a." }),
      hit("a.html (2)", { text: "Further below in a." }),
    ];
    const { input, status, results, titles, links } = await openBox(page, host, { base: "pages/" }, { hits });
    await input.fill("rain");
    await expect(status).toHaveText("2 results");
    await expect(titles).toHaveText(["Title of a.html", "Title of b.html"]);
    await expect(results.first().getByRole("listitem")).toHaveText(["FirstSome rain at a.html#one.", "SecondSome rain at two.", "ThirdThird"]);
    await expect(results.first()).toContainText("The beginning of a.");
    await expect(results.first()).not.toContainText("Further below");
    const hrefs = await links.evaluateAll((all) => all.map((link) => decodeURIComponent((link as HTMLAnchorElement).href)));
    const own = `${host}pages/`;
    expect(hrefs).toEqual([
      `${own}a.html`,
      `${own}a.html#one:~:text=Some-,rain,-at a.html#one.`,
      `${own}a.html#two:~:text=Some-,rain,-at two.`,
      `${own}a.html#two`,
      `${own}b.html`,
    ]);
  });

  test("fold the fourth section of a page and those after it", async ({ page, host }) => {
    const hits = Array.from({ length: 5 }, (_, at) => hit(`a.html#s${at}`, { section: `Section ${at}` }));
    const { box, input, links } = await openBox(page, host, { base: "pages/" }, { hits });
    await input.fill("rain");
    await expect(links).toHaveCount(4);
    await box.getByRole("button", { name: "2 more sections" }).click();
    await expect(links).toHaveCount(6);
    await expect(links.filter({ hasText: "Section 3" })).toBeFocused();
    await expect(box.getByRole("button")).toHaveCount(0);
  });

  test("are one for a page with passages in two languages, and two for documents of one name without a page", async ({ page, host }) => {
    const hits = [
      hit("a.html", { language: "fr", text: "La pluie de a." }),
      hit("a.html#two", { section: "Second" }),
    ];
    const { input, results } = await openBox(page, host, { base: "pages/" }, { hits });
    await input.fill("rain");
    await expect(results).toHaveCount(1);
    await expect(results).toHaveAttribute("lang", "fr");
    await expect(results.getByRole("listitem").getByText("Some rain")).toHaveAttribute("lang", "en");
    const apart = await openBox(page, host, {}, { hits: [hit("a", { language: "fr" }), hit("a")] });
    await apart.input.fill("rain");
    await expect(apart.results).toHaveCount(2);
  });

  test("are of more than a few pages, where one page has many passages", async ({ page, host }) => {
    const hits = [...Array.from({ length: 6 }, (_, at) => hit(`a.html (${at})`)), ...pages(9)];
    const { input, status, asked } = await openBox(page, host, { base: "pages/", limit: "6" }, { hits });
    await input.fill("rain");
    await expect(status).toHaveText("7 results");
    expect(await asked()).toEqual([6, 12]);
  });

  test("continue below what is read, without moving it", async ({ page, host }) => {
    const part = (name: string) => hit(`0.html#${name}`, { section: name });
    const hits = [part("first"), ...pages(4).slice(1), part("second"), hit("0.html"), ...pages(8).slice(4)];
    const { input, status, results, titles, links, more, asked } = await openBox(page, host, { base: "pages/", limit: "4" }, { hits });
    await input.fill("rain");
    await expect(status).toHaveText("4 results");
    expect(await asked()).toEqual([4]);
    const before = await titles.allTextContents();
    await more.click();
    await expect(status).toHaveText("6 results");
    expect((await titles.allTextContents()).slice(0, 4)).toEqual(before);
    await expect(links.filter({ hasText: "Title of 4.html" })).toBeFocused();
    await expect(results.first()).toHaveText("Title of 0.htmlfirstSome rain at 0.html#first.secondSome rain at 0.html#second.1 more section");
    await expect(links.filter({ hasText: "second" })).toBeHidden();
    await more.click();
    await expect(status).toHaveText("8 results");
    expect(await asked()).toEqual([4, 8, 12]);
    // All documents are there.
    await expect(more).toBeHidden();
  });

  test("stay where the search for more fails, and the next press tries again", async ({ page, host }) => {
    const { box, input, status, titles, more } = await openBox(page, host, { base: "pages/", limit: "2" }, { hits: pages(4) });
    await input.fill("rain");
    await expect(titles).toHaveCount(2);
    await box.evaluate(async (element: SmoothClirSearch) => {
      const engine = (await element.engine)!;
      const { search } = engine;
      const fails = async () => {
        Object.assign(engine, { search });
        throw new Error("no connection");
      };
      Object.assign(engine, { search: fails });
    });
    await more.click();
    await expect(status).toHaveText("The search failed.");
    await expect(box.locator("[part=reason]")).toHaveText("no connection");
    await expect(titles).toHaveCount(2);
    await more.click();
    await expect(titles).toHaveCount(4);
  });

  test("of more of an older query are never added to newer ones", async ({ page, host }) => {
    const { box, input, status, titles } = await openBox(page, host, { base: "pages/", limit: "2" }, { hits: pages(8) });
    await input.fill("rain");
    await expect(titles).toHaveCount(2);
    await box.evaluate(async (element: SmoothClirSearch) => {
      const engine = (await element.engine)!;
      const { search } = engine;
      // The newer query is under way when more of the older one is asked for, and answered first.
      const slow = async (query: string, options: object) => {
        await new Promise((resolve) => setTimeout(resolve, query === "rain" ? 200 : 50));
        return search(query, options);
      };
      Object.assign(engine, { search: slow });
      const newer = element.search("snow");
      element.shadowRoot!.querySelector<HTMLButtonElement>("[part~=more]")!.click();
      await newer;
      await new Promise((resolve) => setTimeout(resolve, 300));
    });
    await expect(status).toHaveText("2 results");
    await expect(titles).toHaveCount(2);
  });

  test("that do not fit are shown only when asked for, after those that do", async ({ page, host }) => {
    const hits = [hit("low.html", { fits: false }), hit("good.html"), hit("lower.html", { fits: false })];
    const { input, status, titles, more } = await openBox(page, host, { base: "pages/", limit: "3" }, { hits });
    await input.fill("rain");
    await expect(status).toHaveText("1 result");
    await expect(titles).toHaveText(["Title of good.html"]);
    await expect(more).toHaveText("More results");
    await more.click();
    await expect(titles).toHaveText(["Title of good.html", "Title of low.html", "Title of lower.html"]);
    await expect(more).toBeHidden();
  });

  test("of which none fits are said to be guesses, and folded away", async ({ page, host }) => {
    const { input, status, titles, more } = await openBox(page, host, { base: "pages/" }, { hits: pages(2, { fits: false }) });
    await input.fill("rain");
    await expect(status).toHaveText("Nothing here seems to answer this.");
    await expect(titles).toHaveCount(0);
    await expect(more).toHaveText("Show the nearest results");
    await more.click();
    await expect(titles).toHaveCount(2);
    await expect(status).toHaveText("Nothing here seems to answer this.");
  });

  test("name languages other than the page's", async ({ page, host }) => {
    const hits = [hit("a.html", { language: "fr" }), hit("c.html", { language: "it" }), hit("b.html")];
    const { input, status, titles } = await openBox(page, host, { base: "pages/" }, { hits });
    await input.fill("rain");
    await expect(status).toHaveText("3 results in French, Italian, and English");
    await expect(titles).toHaveText(["Title of a.html French", "Title of c.html Italian", "Title of b.html"]);
  });

  test("of an older query never take the place of newer ones", async ({ page, host }) => {
    const { box, titles } = await openBox(page, host, { base: "pages/" }, { hits: [hit("a.html")] });
    await box.evaluate(async (element: SmoothClirSearch) => {
      const engine = (await element.engine)!;
      const { matches } = engine;
      const answers = new Map<string, () => void>();
      // The first query's words come after the second one's.
      Object.assign(engine, {
        search: async (query: string) => [{ id: query, title: query, language: "en", text: "", fields: {} }],
        matches: async (query: string, documents: never[]) => {
          await new Promise<void>((resolve) => answers.set(query, resolve));
          return matches(query, documents);
        },
      });
      const asked = async (query: string) => {
        while (!answers.has(query)) await new Promise((resolve) => setTimeout(resolve, 5));
      };
      const one = element.search("one");
      await asked("one");
      const two = element.search("two");
      await asked("two");
      answers.get("two")!();
      await two;
      answers.get("one")!();
      await one;
    });
    await expect(titles).toHaveText(["two"]);
  });
});

test.describe("words of the query", () => {
  test("that are function words are neither marked nor looked for on the page", async ({ page, host }) => {
    const { box, input, links } = await openBox(page, host, { ...FILES, language: "fr", base: "pages/" });
    await input.fill(`what is the ${QUERY}`);
    await expect(links.first()).toBeVisible();
    const marks = await box.locator("[part=text] mark").allTextContents();
    expect(marks.some((mark) => /plui|pleu|mont/i.test(mark)), marks.join()).toBe(true);
    const functions = /^(le|la|les|l|d|de|des|du|un|une|est|sur|au|aux|à|en|ce|que|qui|what|is|the|over)$/i;
    expect(marks.filter((mark) => functions.test(mark))).toEqual([]);
    const looked = (await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).hash))).flatMap((hash) =>
      [...hash.matchAll(/text=([^&]*)/g)].map(([, text]) => decodeURIComponent(text!.replace(/^[^,]*-,/, "").replace(/,-.*$/, ""))),
    );
    expect(looked.length).toBeGreaterThan(0);
    expect(looked.filter((text) => functions.test(text))).toEqual([]);
  });

  test("stand in brackets after the words that answer them, once an excerpt", async ({ page, host }) => {
    const text = "Un oiseau, deux oiseaux, trois oiseaux et un parking.";
    const { box, input } = await openBox(page, host, {}, { hits: [hit("a.html", { language: "fr", text })] });
    await box.evaluate(async (element: SmoothClirSearch) => {
      const match = (token: string, ...terms: string[]) => ({ token, contribution: 1, terms: terms.map((term) => ({ token: term, probability: 1, count: 1 })) });
      // As the core names stems.
      Object.assign((await element.engine)!, { matches: async () => [[match("bird", "oiseau"), match("bird-", "oiseaux"), match("parks", "parking")]] });
    });
    await input.fill("birds in bird parks");
    await expect(box.locator("[part=text]")).toHaveText("Un oiseau (bird), deux oiseaux (birds), trois oiseaux et un parking.");
    await expect(box.locator("mark")).toHaveText(["oiseau", "oiseaux", "oiseaux", "parking"]);
  });
});

test.describe("the box's words", () => {
  const expected = {
    en: ["Search", "1 result", "1,234 results in French"],
    fr: ["Rechercher", "0 résultat", "1 234 résultats en français"],
    "fr-CH": ["Rechercher", "0 résultat", "1 234 résultats en français"],
    it: ["Cerca", "1 risultato", "1234 risultati in francese"],
    sw: ["Tafuta", "tokeo 1", "matokeo 1,234 kwa Kifaransa"],
    tl: ["Maghanap", "1 resulta", "1,234 resulta sa French"],
    fil: ["Maghanap", "1 resulta", "1,234 resulta sa French"],
    es: ["Buscar", "1 resultado", "1234 resultados en francés"],
    de: ["Suchen", "1 Ergebnis", "1.234 Ergebnisse auf Französisch"],
    "pt-BR": ["Pesquisar", "1 resultado", "1.234 resultados em francês"],
    ru: ["Поиск", "Результатов: 1", "Результатов: 1 234 (французский)"],
    "zh-CN": ["搜索", "1 个结果", "1,234 个结果 （法语）"],
    id: ["Cari", "1 hasil", "1.234 hasil dalam bahasa Prancis"],
    ar: ["بحث", "عدد النتائج: 1", "عدد النتائج: 1,234 (الفرنسية)"],
    hi: ["खोजें", "1 परिणाम", "1,234 परिणाम (फ़्रेंच)"],
    // A language that the box does not know.
    ja: ["Search", "1 result", "1,234 results in French"],
    "no tag": ["Search", "1 result", "1,234 results in French"],
  };
  test("are the page's, with its numbers and plurals", async ({ page, host }) => {
    await page.route("**/blank.html", (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html>" }));
    await page.goto(`${host}blank.html`);
    const said = await page.evaluate(async (tags) => {
      const address = "./search-box/strings.js";
      const { localeOf, namesOf } = await import(address);
      return tags.map((tag) => {
        const locale = localeOf(tag);
        const { label, found, inLanguages } = locale.strings;
        const one = tag.startsWith("fr") ? 0 : 1;
        return [tag, [label, found(one), `${found(1234)} ${inLanguages(namesOf(["fr"], locale))}`.replace(/[\u00a0\u202f]/g, " ")]];
      });
    }, Object.keys(expected));
    expect(Object.fromEntries(said)).toEqual({ ...expected, "fr-CH": said.find(([tag]) => tag === "fr-CH")![1] });
    expect((said.find(([tag]) => tag === "fr-CH")![1] as string[]).slice(0, 2)).toEqual(expected["fr-CH"].slice(0, 2));
  });

  test("are all there in every language", async ({ page, host }) => {
    await page.goto(`${host}search-box/strings.js`);
    const rows = await page.evaluate(async () => {
      const address = "/search-box/strings.js";
      const { localeOf } = await import(address);
      const say = (value: unknown) => (typeof value === "function" ? `${value(2)}${value("x")}` : String(value));
      return ["en", "fr", "it", "sw", "tl", "es", "de", "pt", "ru", "zh", "id", "ar", "hi"].map((tag) => Object.entries(localeOf(tag).strings).map(([key, value]) => `${key}: ${say(value)}`).sort());
    });
    const keys = (row: string[]) => row.map((line) => line.replace(/:.*/s, ""));
    for (const row of rows) {
      expect(keys(row)).toEqual(keys(rows[0]!));
      expect(row.filter((line) => /undefined|[#|{}]/.test(line) || line.endsWith(": "))).toEqual([]);
    }
    // None is another language's by mistake: only what is short may be the same.
    for (const [at, row] of rows.entries()) {
      const same = row.filter((line) => rows.some((other, place) => place !== at && other.includes(line)));
      expect(same.filter((line) => !/^(found|sections|inLanguages|filters): /.test(line))).toEqual([]);
    }
  });

  test("follow the element's language before the page's, and strings replace them", async ({ page, host }) => {
    const { box, input, status } = await openBox(page, host, { lang: "de", base: "pages/" }, { lang: "fr", hits: pages(1, { language: "fr" }) });
    await expect(input).toHaveAccessibleName("Suchen");
    await input.fill("rain");
    await expect(status).toHaveText("1 Ergebnis auf Französisch");
    await expect(status).toHaveAttribute("lang", "de");
    await box.evaluate((element: SmoothClirSearch) => (element.strings = { found: (count) => `${count} Seite` }));
    await input.fill("rains");
    await expect(status).toHaveText("1 Seite auf Französisch");
  });
});

test.describe("the language of a query", () => {
  test("is told where it is not the page's, and can be changed until the query is cleared", async ({ page, host }) => {
    const hits = [hit("a.html"), hit("b.html", { language: "de" })];
    const { input, titles, queryIn, languages, called } = await openBox(page, host, { base: "pages/" }, { hits, taken: "fr" });
    await input.fill("pluie");
    await expect(titles).toHaveCount(2);
    await expect(languages).toHaveAccessibleName(/^Query in/);
    await expect(languages).toHaveValue("fr");
    await expect(languages.locator("option")).toHaveText(["English", "German", "French"]);
    // It is only told: the engine takes it for that itself.
    expect(await called()).toEqual([["search", null], ["tokens", null], ["matches", null]]);
    await languages.focus();
    await page.keyboard.press("ArrowDown");
    await expect(languages).toBeFocused();
    await languages.selectOption("de");
    await expect.poll(called).toEqual([["search", "de"], ["tokens", "de"], ["matches", "de"]]);
    await expect(languages).toHaveValue("de");
    await input.fill("regen");
    await expect.poll(called).toEqual([["search", "de"], ["tokens", "de"], ["matches", "de"]]);
    await input.fill("");
    await expect(queryIn).toBeHidden();
    await input.fill("pluie");
    await expect.poll(async () => (await called()).map(([, language]) => language)).toEqual([null, null, null]);
    await expect(languages).toHaveValue("fr");
  });

  test("is not told where it is the page's, and is the attribute's where there is one", async ({ page, host }) => {
    const { input, titles, queryIn } = await openBox(page, host, {}, { lang: "fil", hits: pages(1), taken: "tl" });
    await input.fill("ulan");
    await expect(titles).toHaveCount(1);
    await expect(queryIn).toBeHidden();
    const fixed = await openBox(page, host, { "query-language": "fr" }, { hits: pages(1) });
    await fixed.input.fill("pluie");
    await expect(fixed.languages).toHaveValue("fr");
    expect((await fixed.called()).map(([, language]) => language)).toEqual(["fr", "fr", "fr"]);
    const told = await openBox(page, host, { "query-language": "auto" }, { hits: pages(1), taken: "it" });
    await told.input.fill("pioggia");
    await expect(told.languages).toHaveValue("it");
    expect((await told.called()).map(([, language]) => language)).toEqual([null, null, null]);
  });

  test("has its document encoder fetched when it is chosen, as the documents' language has", async ({ page, host }) => {
    const fetched: string[] = [];
    page.on("request", (request) => fetched.push(...(/document\.(\w+)\.safetensors/.exec(request.url())?.slice(1) ?? [])));
    const { box, input, results, languages } = await openBox(page, host, { ...FILES, language: "fr", limit: "3" }, { lang: "de" });
    await input.fill(QUERY);
    await expect(results.first()).toHaveAttribute("lang", "fr");
    await expect(languages.locator("option")).toHaveText(["Englisch", "Französisch", "Italienisch"]);
    expect(fetched).toEqual(["fr"]);
    await languages.selectOption("it");
    await input.fill("pioggia sulle montagne");
    await expect(results.first()).toHaveAttribute("lang", "fr");
    await expect.poll(() => fetched).toEqual(["fr", "it"]);
    await box.evaluate((element) => element.removeAttribute("language"));
    await languages.selectOption("en");
    await input.fill("rain over the hills");
    await expect(results).not.toHaveCount(0);
    expect(fetched).toEqual(["fr", "it"]);
  });
});

test.describe("packs of queries' languages", () => {
  const model = "models/query.safetensors models/document.fr.safetensors";
  const boxWithPacks = async (page: Page, host: string, lang: string, attributes: Record<string, string> = {}) => {
    const fetched: string[] = [];
    page.on("request", (request) => fetched.push(...(/document\.(\w+)\.safetensors/.exec(request.url())?.slice(1) ?? [])));
    const packs = "models/document.it.safetensors models/document.sw.safetensors";
    return { fetched, ...(await openBox(page, host, { model, packs, documents: FILES.documents, limit: "3", ...attributes }, { lang })) };
  };

  test("are fetched when their language is chosen, which the box offers with the first results", async ({ page, host }) => {
    const { fetched, input, results, languages } = await boxWithPacks(page, host, "en");
    await input.fill(QUERY);
    await expect(results).not.toHaveCount(0);
    await expect(languages).toHaveValue("en");
    await expect(languages.locator("option")).toHaveText(["English", "French", "Italian", "Swahili"]);
    expect(fetched).toEqual(["fr"]);
    await languages.selectOption("it");
    await input.fill("pioggia sulle montagne");
    await expect.poll(() => fetched).toEqual(["fr", "it"]);
    await expect(languages).toHaveValue("it");
    await expect(results).not.toHaveCount(0);
  });

  test("are waited for by every query that is typed meanwhile", async ({ page, host }) => {
    const { input, results, status, languages } = await boxWithPacks(page, host, "en");
    await input.fill(QUERY);
    await expect(results).not.toHaveCount(0);
    let release = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/document.it.safetensors", (route) => gate.then(() => fromGenerated(route)));
    await languages.selectOption("it");
    await expect(status).toHaveText("Loading the search…");
    await input.fill("pioggia");
    await page.waitForTimeout(300);
    release();
    await expect(results).not.toHaveCount(0);
    await expect(languages).toHaveValue("it");
  });

  test("are fetched where the box's own words are in their language, for queries in it", async ({ page, host }) => {
    const { fetched, input, results, languages } = await boxWithPacks(page, host, "it");
    await input.fill("pioggia sulle montagne");
    await expect(results).not.toHaveCount(0);
    expect(fetched.sort()).toEqual(["fr", "it"]);
    await expect(languages).toHaveValue("it");
  });

  test("are fetched for a query in a script that tells their language, and not for one of another language in it", async ({ page, host }) => {
    await page.route("**/document.ar.safetensors", (route) => route.fulfill({ status: 404, body: "" }));
    const { fetched, input, status } = await boxWithPacks(page, host, "en", { packs: "models/document.ar.safetensors models/document.sw.safetensors" });
    // Persian.
    await input.fill("باران و گچ");
    await expect(status).toHaveText("Nothing found.");
    expect(fetched).toEqual(["fr"]);
    await input.fill("المطر على الجبال");
    await expect(status).toHaveText("The search failed.");
    expect(fetched).toEqual(["fr", "ar"]);
  });

  test.describe("of a browser", () => {
    test.use({ locale: "sw-KE" });
    test("are fetched for a reader whose browser is in their language", async ({ page, host }) => {
      const { fetched, input, results } = await boxWithPacks(page, host, "en");
      await input.fill("mvua juu ya milima");
      await expect(results).not.toHaveCount(0);
      expect(fetched.sort()).toEqual(["fr", "sw"]);
    });
  });
});

test.describe("from right to left", () => {
  test("a query, its label and the names of languages are read in their own directions", async ({ page, host }) => {
    const hits = [hit("a.html", { language: "ar", title: "المطر", text: "المطر في الجبال، rain." }), hit("b.html")];
    const { box, input, results } = await openBox(page, host, { base: "pages/" }, { lang: "ar", dir: "rtl", hits });
    const direction = (element: Locator) => element.evaluate((one) => getComputedStyle(one).direction);
    expect(await direction(input)).toBe("rtl");
    await input.fill("rain");
    await expect(results).toHaveCount(2);
    expect(await direction(input)).toBe("ltr");
    expect(await direction(results.last())).toBe("ltr");
    expect(await direction(results.last().locator("[part=language]"))).toBe("rtl");
    await expect(results.last().locator("[part=language]")).toHaveText("الإنجليزية");
    expect(await direction(box.getByRole("status"))).toBe("rtl");
    await input.fill("المطر");
    await expect.poll(() => direction(input)).toBe("rtl");
    // The icon's side is the page's, whatever the query's direction.
    expect(await input.evaluate((element) => parseFloat(getComputedStyle(element).paddingRight))).toBeGreaterThan(30);
    await input.fill("rain");
    expect(await input.evaluate((element) => parseFloat(getComputedStyle(element).paddingRight))).toBeGreaterThan(30);
    await expect(results).toHaveCount(2);
    // What stands at the end in one direction stands there in the other.
    const [line, label] = await Promise.all([box.locator("[part=line]").boundingBox(), box.locator("[part=query-language]").boundingBox()]);
    expect(label!.x).toBeLessThan(line!.x + 1);
  });
});

test.describe("a box", () => {
  test("needs no attribute where defaults are defined, and goes before them where it has one", async ({ page, host }) => {
    const defaults = { model: FILES.model.split(" "), documents: FILES.documents.split(" "), base: "/below/", language: "fr" };
    const { box, input, links, results } = await openBox(page, host, { limit: "3" }, { defaults });
    await input.fill(QUERY);
    await expect(results.first()).toHaveAttribute("lang", "fr");
    expect(await links.first().getAttribute("href")).toMatch(new RegExp(`^${host}below/`));
    await box.evaluate((element) => (element.setAttribute("language", "it"), element.setAttribute("base", "/own/")));
    await input.fill("rain over the hills");
    await expect(results.first()).toHaveAttribute("lang", "it");
    expect(await links.first().getAttribute("href")).toMatch(new RegExp(`^${host}own/`));
    // Another name is another element.
    const other = await page.evaluate(async () => {
      const address = "./search-box.js";
      const { defineSearchBox, SmoothClirSearch } = await import(address);
      defineSearchBox("other-box", { base: "/other/" });
      defineSearchBox("other-box", { base: "/ignored/" });
      const other = document.createElement("other-box");
      return [other instanceof SmoothClirSearch, (other.constructor as typeof SmoothClirSearch).defaults.base, SmoothClirSearch.defaults.base];
    });
    expect(other).toEqual([true, "/other/", undefined]);
  });

  test("fetches the engine and its files when it is focused, and says how far they are", async ({ page, host }) => {
    const requests: string[] = [];
    page.on("request", (request) => requests.push(new URL(request.url()).pathname));
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/document.fr.safetensors", async (route) => {
      await held;
      await fromGenerated(route);
    });
    const { box, input, status, results } = await openBox(page, host, { ...FILES, language: "fr", limit: "3" });
    expect(requests.filter((path) => /engine|worker|wasm|safetensors/.test(path))).toEqual([]);
    await input.focus();
    await expect(status).toHaveText("Loading the search…");
    await expect(box.locator("[part=progress]")).toHaveText(/^[\d.]+ MB$/);
    await input.fill(QUERY);
    release();
    await expect(results).not.toHaveCount(0);
    await expect(status).toHaveText(/^\d results? in French$/);
    await expect(box.locator("[part=progress]")).toBeEmpty();
    // Texts of what is shown: three passages stand in three blocks at most.
    expect(requests.filter((path) => /texts\.\d+\.safetensors/.test(path)).length).toBeLessThanOrEqual(3);
  });

  test("is focused as a whole, and not by a press on an excerpt", async ({ page, host }) => {
    const { box, input, results } = await openBox(page, host, { base: "pages/" }, { hits: pages(1) });
    await box.evaluate((element: SmoothClirSearch) => element.focus());
    await expect(input).toBeFocused();
    await input.fill("rain");
    await expect(results).toHaveCount(1);
    await results.locator("[part=text]").click();
    await expect(input).not.toBeFocused();
  });

  const brokenBox = async (page: Page, host: string, lang: string) => {
    const state = { isThere: false };
    await page.route("**/query.safetensors", (route) => (state.isThere ? fromGenerated(route) : route.fulfill({ status: 404, body: "" })));
    const opened = await openBox(page, host, { ...FILES, language: "fr" }, { lang });
    return { state, reason: opened.box.locator("[part=reason]"), ...opened };
  };

  test("says that it failed in the reader's language and why in English, and tries again when asked", async ({ page, host }) => {
    const { state, box, input, status, reason, results, more } = await brokenBox(page, host, "fr");
    await page.evaluate(() => {
      const failures: unknown[] = [];
      Object.assign(window, { failures });
      document.addEventListener("smooth-clir-failed", (event) => {
        const { query, error } = (event as CustomEvent<{ query: string; error: { code: string } }>).detail;
        failures.push([query, error.code]);
      });
    });
    await input.fill(QUERY);
    await expect(status).toHaveText("La recherche a échoué.");
    await expect(reason).toHaveText(/^models\/query\.safetensors: the server answered 404/);
    await expect(reason).toHaveAttribute("lang", "en");
    // Not by the loading that the focus began, too.
    expect(await page.evaluate(() => (window as unknown as { failures: unknown[] }).failures)).toEqual([[QUERY, "http-status"]]);
    state.isThere = true;
    await expect(more).toHaveText("Réessayer");
    await more.click();
    await expect(results).not.toHaveCount(0);
    await expect(reason).toBeEmpty();
    expect(await box.evaluate((element) => element.shadowRoot!.activeElement?.id)).toBe("query");
  });

  test("tries again with the next query after a failure", async ({ page, host }) => {
    const { state, input, status, results } = await brokenBox(page, host, "en");
    await input.focus();
    await expect(status).toHaveText("The search failed.");
    state.isThere = true;
    await input.fill("rain");
    await expect(results).not.toHaveCount(0);
  });

  test("is used by keyboard: arrows through links and buttons, Escape back", async ({ page, host }) => {
    const hits = [...Array.from({ length: 4 }, (_, at) => hit(`a.html#s${at}`, { section: `Section ${at}` })), hit("b.html"), hit("c.html"), hit("d.html")];
    const { box, input, links, more } = await openBox(page, host, { base: "pages/", limit: "6" }, { hits });
    await page.keyboard.press("Tab");
    await expect(input).toBeFocused();
    await page.keyboard.type("rain");
    await expect(links).toHaveCount(6);
    const focused: string[] = [];
    for (let step = 0; step < 9; step++) {
      await page.keyboard.press("ArrowDown");
      focused.push((await box.evaluate((element) => element.shadowRoot!.activeElement!.textContent)) ?? "");
    }
    const inOrder = ["Title of a.html", "Section 0", "Section 1", "Section 2", "1 more section", "Title of b.html", "Title of c.html", "More results", "More results"];
    expect(focused).toEqual(inOrder);
    await page.keyboard.press("ArrowUp");
    await expect(links.filter({ hasText: "Title of c.html" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(input).toBeFocused();
    await expect(input).toHaveValue("rain");
    await expect(more).toBeVisible();
  });

  for (const [lang, dir] of [["en", "ltr"], ["ar", "rtl"]] as const) {
    for (const scheme of ["light", "dark"] as const) {
      test(`is accessible in ${scheme} colours from ${dir === "ltr" ? "left to right" : "right to left"}, at 320 px, which is 640 at 200 %`, async ({ browser, host }) => {
        const context = await browser.newContext({ viewport: { width: 320, height: 640 }, deviceScaleFactor: 2, colorScheme: scheme, hasTouch: true });
        const page = await context.newPage();
        const long = `https://example.org/${"unbroken".repeat(10)}.html`;
        const hits = [
          ...Array.from({ length: 5 }, (_, at) => hit(`a.html#s${at}`, { section: `Section ${at}`, language: "fr", text: `De la rain ${long}` })),
          ...pages(4),
          hit("last.html", { fits: false, language: "ar" }),
        ];
        const { box, input, results, links, more } = await openBox(page, host, { base: "pages/" }, { lang, dir, hits });
        await input.fill("rain");
        await expect(results).toHaveCount(5);
        await expectAccessible(page);
        await expectFits(page);
        await expectRoomForFingers(links);
        await expectRoomForFingers(box.getByRole("button"));
        await more.click();
        await expect(results).toHaveCount(6);
        const [icon, field] = await Promise.all([box.locator("svg").boundingBox(), input.boundingBox()]);
        expect(icon!.x < field!.x + field!.width / 2).toBe(dir === "ltr");
        // A result is read in its own direction, title and text alike.
        const starts = await results.first().locator("[part$=title], [part=text]").evaluateAll((all) => all.map((one) => getComputedStyle(one).direction));
        expect(new Set(starts)).toEqual(new Set(["ltr"]));
        await expect(results.last()).toHaveAttribute("dir", "rtl");
        await context.close();
      });
    }
  }

  test("shows what is marked and focused in forced colours", async ({ page, host }) => {
    await page.emulateMedia({ forcedColors: "active" });
    const { box, input } = await openBox(page, host, { base: "pages/" }, { hits: pages(1) });
    await input.fill("rain");
    const [mark, system] = await box.locator("[part=text] mark").evaluate((element) => {
      const probe = document.createElement("p");
      Object.assign(probe.style, { background: "Mark", color: "MarkText", forcedColorAdjust: "none" });
      document.body.append(probe);
      return [element, probe].map((one) => [getComputedStyle(one).backgroundColor, getComputedStyle(one).color]);
    });
    expect(mark).toEqual(system);
    await expect(input).toHaveCSS("outline-style", "solid");
  });
});

