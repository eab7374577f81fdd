// Documents filtered and sorted by their fields, and fused rankings, in Node.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { SmoothClir } from "smooth-clir";
import { fuse } from "smooth-clir/fuse";

const root = fileURLToPath(new URL("../../", import.meta.url));
const program = resolve(root, process.env.CARGO_TARGET_DIR ?? "target", "release/smooth-clir");
const models = join(root, "www/models");
const model = ["query", "document.fr"].map((name) => join(models, `${name}.safetensors`));
const DOCUMENTS = [
  { id: "a", text: "La pluie tombe sur la mer.", topic: ["sea", "sky"], year: 1984 },
  { id: "b", text: "La pluie tombe sur le désert.", topic: "sky", year: 9 },
  { id: "c", text: "La pluie." },
  { id: "d", text: "Le soleil brille sur la mer.", topic: "sea", year: 2024 },
];

describe("fields", () => {
  let folder, engine;
  const found = async (options) => (await engine.search("rain", options)).map(({ id }) => id);
  const chosen = async (filters) => (await found({ filters })).sort().join("");

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "fields-"));
    await writeFile(join(folder, "d.jsonl"), DOCUMENTS.map((of) => JSON.stringify(of)).join("\n"));
    const options = ["--language", "fr", "--field", "topic", "--field", "year", "--block", "1", "--out", "index/"];
    await promisify(execFile)(program, ["index", models, "d.jsonl", ...options], { cwd: folder });
    engine = await SmoothClir.load({ model, documents: join(folder, "index/index.safetensors") });
  });
  after(async () => {
    engine.close();
    await rm(folder, { recursive: true, force: true });
  });

  test("filters select documents with one of the values in each field", async () => {
    assert.equal(await chosen({}), "abcd");
    assert.equal(await chosen({ topic: "sea" }), "ad");
    assert.equal(await chosen({ topic: ["sea", "sky"], year: ["9", "1984"] }), "ab");
    assert.equal(await chosen({ topic: "desert" }), "");
    assert.equal(await chosen({ topic: [] }), "abcd");
    await assert.rejects(chosen({ tpoic: "sea" }), { code: "unknown-field", message: "no document has a field `tpoic`; fields: topic, year" });
  });

  test("hits have their fields, and each value has its count", async () => {
    const [hit] = await engine.search("rain", { filters: { topic: "sea", year: "1984" } });
    assert.deepEqual(hit.fields, { topic: ["sea", "sky"], year: ["1984"] });
    assert.deepEqual((await engine.search("rain", { limit: 4 })).find(({ id }) => id === "c").fields, {});
    assert.deepEqual(await engine.fields(), {
      topic: [["sea", 2], ["sky", 2]],
      year: [["1984", 1], ["2024", 1], ["9", 1]],
    });
  });

  test("a field may have the name of what every object has", async () => {
    const named = await SmoothClir.load({ model });
    await named.addUserDocuments([
      { id: "x", text: "La pluie tombe.", fields: JSON.parse('{ "__proto__": "sea", "constructor": "2" }') },
      { id: "y", text: "La pluie tombe toujours.", fields: JSON.parse('{ "constructor": "1" }') },
      { id: "z", text: "La pluie.", fields: {} },
    ], { language: "fr" });
    const hits = await named.search("rain", { sort: "constructor" });
    assert.deepEqual(hits.map(({ id }) => id), ["y", "x", "z"]);
    const [, { fields }] = hits;
    assert.deepEqual(Object.entries(fields), [["__proto__", ["sea"]], ["constructor", ["2"]]]);
    assert.equal(Object.getPrototypeOf(fields), Object.prototype);
    assert.deepEqual((await named.search("rain", { filters: JSON.parse('{ "__proto__": "sea" }') })).map(({ id }) => id), ["x"]);
    assert.deepEqual(Object.keys(await named.fields()), ["__proto__", "constructor"]);
    named.close();
  });

  test("hits are sorted by a field, as numbers or as words, those without it last", async () => {
    assert.equal((await found({ sort: "year" })).join(""), "badc");
    assert.equal((await found({ sort: "-year" })).join(""), "dabc");
    const [first] = await found({});
    assert.deepEqual(await found({ sort: "-year", limit: 1 }), [first]);
    const topics = (await engine.search("rain", { sort: "topic" })).map(({ fields }) => fields.topic?.[0]);
    assert.deepEqual(topics, ["sea", "sea", "sky", undefined]);
  });

  test("user documents have fields, also in the index file that they are exported to", async () => {
    const engine = await SmoothClir.load({ model });
    await engine.addUserDocuments([{ id: "x", text: "la pluie", fields: { topic: ["sky", "sea"] } }, { id: "y", text: "la pluie" }], { language: "fr" });
    const saved = await engine.exportUserDocuments();
    assert.deepEqual((await engine.documentsOf(saved)).map(({ fields }) => fields), [{ topic: ["sea", "sky"] }, {}]);
    await engine.removeUserDocuments();
    await engine.addDocuments(saved);
    assert.deepEqual((await engine.search("rain", { filters: { topic: "sky" } })).map(({ id }) => id), ["x"]);
    await engine.addUserDocuments([{ id: "w", text: "la pluie", fields: { constructor: "x" } }], { language: "fr" });
    assert.deepEqual((await engine.fields()).constructor, [["x", 1]]);
    assert.deepEqual((await engine.search("rain", { filters: { constructor: "x" } })).map(({ id }) => id), ["w"]);
    const wrong = engine.addUserDocuments([{ id: "z", text: "", fields: { topic: 1 } }], { language: "fr" });
    const message = "`documents[0].fields.topic` must be a string or an array of strings, got number";
    await assert.rejects(wrong, { code: "invalid-argument", message });
    engine.close();
  });

  test("an index that is made again does not change files of texts that are the same", async () => {
    const files = ["index", "texts.0", "texts.1", "texts.2", "texts.3"].map((name) => join(folder, `again/${name}.safetensors`));
    const index = async (documents) => {
      await writeFile(join(folder, "e.jsonl"), documents.map((of) => JSON.stringify(of)).join("\n"));
      const options = ["--language", "fr", "--block", "1", "--out", "again/"];
      return promisify(execFile)(program, ["index", models, "e.jsonl", ...options], { cwd: folder });
    };
    await index(DOCUMENTS);
    const before = await Promise.all(files.map((file) => readFile(file)));
    await index([DOCUMENTS[0], { ...DOCUMENTS[1], text: "La neige." }, DOCUMENTS[2]]);
    const after = await Promise.all(files.map((file) => readFile(file).catch(() => undefined)));
    assert.deepEqual(after.map((bytes, number) => bytes && before[number].equals(bytes)), [false, true, false, true, undefined]);
  });
});

test("rankings are fused by the sum of reciprocal ranks", () => {
  const fused = fuse([["a", "b", "a"], ["b", "c"]]);
  assert.deepEqual(fused.map(({ id }) => id), ["b", "a", "c"]);
  const expected = [1 / 62 + 1 / 61, 1 / 61, 1 / 62];
  fused.forEach(({ score }, place) => assert.ok(Math.abs(score - expected[place]) < 1e-15));
  assert.deepEqual(fuse([["a"], ["b"]], { k: 1 }), [{ id: "a", score: 0.5 }, { id: "b", score: 0.5 }]);
  assert.deepEqual(fuse([]), []);
});
