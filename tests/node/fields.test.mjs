// Documents that are chosen and sorted by what they are about, and rankings that become one, in Node.
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

  test("documents have one of the values in each of them", async () => {
    assert.equal(await chosen({}), "abcd");
    assert.equal(await chosen({ topic: "sea" }), "ad");
    assert.equal(await chosen({ topic: ["sea", "sky"], year: ["9", "1984"] }), "ab");
    assert.equal(await chosen({ topic: "desert" }), "");
    assert.equal(await chosen({ topic: [] }), "abcd");
    await assert.rejects(chosen({ tpoic: "sea" }), { code: "missing-part", message: /`tpoic`.*topic, year/ });
  });

  test("hits have them, and each value has its count", async () => {
    const [hit] = await engine.search("rain", { filters: { topic: "sea", year: "1984" } });
    assert.deepEqual(hit.fields, { topic: ["sea", "sky"], year: ["1984"] });
    assert.deepEqual((await engine.search("rain", { limit: 4 })).find(({ id }) => id === "c").fields, {});
    assert.deepEqual(await engine.fields(), {
      topic: [["sea", 2], ["sky", 2]],
      year: [["1984", 1], ["2024", 1], ["9", 1]],
    });
  });

  test("the best documents are sorted by them, as numbers or as words, those without at the end", async () => {
    assert.equal((await found({ sort: "year" })).join(""), "badc");
    assert.equal((await found({ sort: "-year" })).join(""), "dabc");
    const [first] = await found({});
    assert.deepEqual(await found({ sort: "-year", limit: 1 }), [first]);
    const topics = (await engine.search("rain", { sort: "topic" })).map(({ fields }) => fields.topic?.[0]);
    assert.deepEqual(topics, ["sea", "sea", "sky", undefined]);
  });

  test("texts of one's own have them too, and keep them in the file that they are saved in", async () => {
    const own = await SmoothClir.load({ model });
    await own.addTexts([{ id: "x", text: "la pluie", fields: { topic: ["sky", "sea"] } }, { id: "y", text: "la pluie" }], { language: "fr" });
    const saved = await own.texts();
    assert.deepEqual((await own.textsOf(saved)).map(({ fields }) => fields), [{ topic: ["sea", "sky"] }, {}]);
    await own.removeTexts();
    await own.addDocuments(saved);
    assert.deepEqual((await own.search("rain", { filters: { topic: "sky" } })).map(({ id }) => id), ["x"]);
    await own.addTexts([{ id: "w", text: "la pluie", fields: { constructor: "x" } }], { language: "fr" });
    assert.deepEqual((await own.fields()).constructor, [["x", 1]]);
    assert.deepEqual((await own.search("rain", { filters: { constructor: "x" } })).map(({ id }) => id), ["w"]);
    await assert.rejects(own.addTexts([{ id: "z", text: "", fields: { topic: 1 } }], { language: "fr" }), { code: "invalid-argument" });
    own.close();
  });

  test("an index that is made again leaves the files of texts alone that are the same", async () => {
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

test("rankings become one by the sum of reciprocal ranks", () => {
  const fused = fuse([["a", "b", "a"], ["b", "c"]]);
  assert.deepEqual(fused.map(({ id }) => id), ["b", "a", "c"]);
  const expected = [1 / 62 + 1 / 61, 1 / 61, 1 / 62];
  fused.forEach(({ score }, place) => assert.ok(Math.abs(score - expected[place]) < 1e-15));
  assert.deepEqual(fuse([["a"], ["b"]], { k: 1 }), [{ id: "a", score: 0.5 }, { id: "b", score: 0.5 }]);
  assert.deepEqual(fuse([]), []);
});
