// Languages that are added and removed while others are searched, in Node.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

// The memory of each module that is started.
const memories = [];
const { instantiate } = WebAssembly;
WebAssembly.instantiate = async (...given) => {
  const started = await instantiate(...given);
  memories.push((started.instance ?? started).exports.memory);
  return started;
};
const { SmoothClir } = await import("smooth-clir");

const root = fileURLToPath(new URL("../../", import.meta.url));
const program = resolve(root, process.env.CARGO_TARGET_DIR ?? "target", "release/smooth-clir");
const models = join(root, "www/models");
const query = join(models, "query.safetensors");
const side = (language) => join(models, `document.${language}.safetensors`);
const QUERY = "rain over the mountains";

describe("languages", () => {
  let folder;
  const texts = (language) => join(folder, language, "index.safetensors");
  const load = (...languages) =>
    SmoothClir.load({ model: [query, ...languages.map(side)], documents: languages.map(texts) });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "languages-"));
    for (const language of ["fr", "sw"]) {
      const options = ["--language", language, "--precision", "i8", "--block", "40", "--out", `${join(folder, language)}/`];
      await promisify(execFile)(program, ["index", models, ...options]);
    }
  });
  after(() => rm(folder, { recursive: true, force: true }));

  test("one that is removed is no longer found, and texts of the others are still fetched", async () => {
    const both = await load("sw", "fr");
    const alone = await load("fr");
    await both.search(QUERY, { language: "sw" });
    await both.removeLanguage("sw");
    assert.deepEqual(both.languages, ["fr"]);
    assert.equal(both.documentCount, alone.documentCount);
    assert.deepEqual(await both.search(QUERY, { limit: 100 }), await alone.search(QUERY, { limit: 100 }));
    const unknown = { code: "unknown-language", message: "no documents in `sw` are loaded; loaded: fr" };
    await assert.rejects(both.search(QUERY, { language: "sw" }), unknown);
    await assert.rejects(both.removeLanguage("sw"), unknown);
    both.close();
    alone.close();
  });

  test("one can be added without the full module, and removed where that is loaded", async () => {
    const [engine, both] = [await load("fr"), await load("fr", "sw")];
    const started = memories.length;
    await engine.addModel(side("sw"));
    await engine.addDocuments(texts("sw"));
    assert.equal(memories.length, started);
    assert.deepEqual(await engine.search(QUERY), await both.search(QUERY));
    await engine.addUserDocuments([{ id: "mine", text: "mvua" }], { language: "sw" });
    assert.equal(memories.length, started + 1);
    await engine.removeLanguage("fr");
    const alone = await load("sw");
    await alone.addUserDocuments([{ id: "mine", text: "mvua" }], { language: "sw" });
    assert.deepEqual(await engine.search(QUERY, { limit: 1000 }), await alone.search(QUERY, { limit: 1000 }));
    for (const of of [engine, both, alone]) of.close();
  });

  test("texts of documents that are added after user documents are fetched from beside their index", async () => {
    const engine = await load("fr");
    await engine.addUserDocuments([{ id: "mine", text: "la pluie" }], { language: "fr" });
    await engine.addModel(side("sw"));
    await engine.addDocuments(texts("sw"));
    const [first] = await engine.search(QUERY, { language: "sw" });
    assert.equal(first.language, "sw");
    await engine.removeUserDocuments();
    const both = await load("fr", "sw");
    assert.deepEqual(await engine.search(QUERY, { limit: 1000 }), await both.search(QUERY, { limit: 1000 }));
    for (const of of [engine, both]) of.close();
  });

  test("one that is removed during a search is not among its hits", async () => {
    const engine = await load("fr", "sw");
    const searching = engine.search(QUERY);
    await engine.removeLanguage("sw");
    assert.ok((await searching).every((hit) => hit.language === "fr"));
    engine.close();
  });

  test("the memory of one that is removed is used for the next", async () => {
    const engine = await load("fr");
    const change = async () => {
      await engine.addModel(side("sw"));
      await engine.addDocuments(texts("sw"));
      await engine.search(QUERY);
      await engine.removeLanguage("sw");
    };
    for (let round = 0; round < 3; round++) await change();
    const sizes = () => memories.map(({ buffer }) => buffer.byteLength);
    const before = sizes();
    for (let round = 0; round < 30; round++) await change();
    assert.deepEqual(sizes(), before);
    engine.close();
  });
});

describe("a query", () => {
  const folder = join(root, "www/public/generated");
  const file = (name) => join(folder, `${name}.safetensors`);
  const TELLING = { en: "snow falls in the mountains in winter", fr: "la neige tombe sur les montagnes en hiver", it: "la neve cade sulle montagne in inverno", sw: "theluji inaanguka milimani" };
  let engine;
  before(async () => {
    const encoders = ["fr", "it", "sw"].map((language) => file(`models/document.${language}`));
    const documents = ["fr", "it", "sw", "tl"].map((language) => file(`documents/${language}/full`));
    engine = await SmoothClir.load({ model: [file("models/query"), ...encoders], documents });
  });
  after(() => engine.close());

  test("is taken for the language of its words, and for English where none is told", async () => {
    for (const [language, query] of Object.entries(TELLING)) assert.equal(await engine.languageOf(query), language, query);
    for (const query of ["", "12", "zzqx", "taxi"]) assert.equal(await engine.languageOf(query), "en", query);
  });

  test("in any language finds documents in the others, as if its language had been chosen", async () => {
    for (const query of [TELLING.fr, TELLING.it, TELLING.sw]) {
      const language = await engine.languageOf(query);
      const options = { limit: 10 };
      const hits = await engine.search(query, options);
      assert.deepEqual(hits, await engine.search(query, { ...options, queryLanguage: language }));
      for (const other of ["fr", "it", "sw"]) {
        const found = await engine.search(query, { ...options, language: other });
        assert.ok(found.slice(0, 5).some(({ id }) => /snow|mountain|winter/.test(id)), `${language} to ${other}: ${found.map(({ id }) => id)}`);
      }
    }
  });

  test("is read in the language that is chosen for it, everywhere", async () => {
    // French: bread. English: hurt, ache.
    const query = "pain";
    const [found] = await engine.search(query, { queryLanguage: "fr", language: "it" });
    const [other] = await engine.search(query, { queryLanguage: "en", language: "it" });
    assert.match(found.id, /bread|baker/);
    assert.doesNotMatch(other.id, /bread|baker/);
    const words = async (queryLanguage) => {
      const explanation = await engine.explain(query, { document: found.id, language: "it", queryLanguage });
      const [matches] = await engine.matches(query, [{ document: found.id, language: "it" }], { queryLanguage });
      assert.deepEqual(matches, explanation.matches);
      return matches.flatMap(({ terms }) => terms.map(({ token }) => token));
    };
    assert.ok((await words("fr")).includes("pane"));
    assert.ok(!(await words("en")).includes("pane"));
    assert.notDeepEqual(await engine.dots(query, { queryLanguage: "fr" }), await engine.dots(query, { queryLanguage: "en" }));
    const unknown = { code: "unknown-language" };
    await assert.rejects(engine.search(query, { queryLanguage: "tl" }), unknown);
  });
});

test("no language fills the list of English queries where all documents are there in each", async () => {
  const folder = join(root, "www/public/generated");
  const encoders = ["fr", "it", "sw", "tl"];
  const files = (names) => names.map((name) => join(folder, `${name}.safetensors`));
  const model = files(["query", ...encoders.map((language) => `document.${language}`)].map((name) => `models/${name}`));
  const engine = await SmoothClir.load({ model, documents: files(encoders.map((language) => `documents/${language}/full`)) });
  const typed = (await readFile(join(root, "trainer/corpus/typed.tsv"), "utf8")).trim().split("\n").map((line) => line.split("\t"));
  const queries = typed.filter(([, language]) => language === "*").map(([, , , query]) => query);
  const counts = new Map(encoders.map((language) => [language, 0]));
  let [all, filled] = [0, 0];
  for (const query of queries) {
    const hits = await engine.search(query, { limit: 10 });
    for (const { language } of hits) counts.set(language, counts.get(language) + 1);
    all += hits.length;
    if (new Set(hits.map(({ language }) => language)).size === 1) filled += 1;
  }
  engine.close();
  assert.ok(queries.length >= 200);
  // Even shares would be a quarter.
  for (const [language, count] of counts) assert.ok(count > 0.14 * all && count < 0.4 * all, `${language}: ${count} of ${all}`);
  // Names that are words of one language alone.
  assert.ok(filled <= 0.02 * queries.length, `${filled} of ${queries.length} lists are of one language`);
});
