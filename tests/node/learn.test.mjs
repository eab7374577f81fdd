// Fine-tuning through the npm package, in Node.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { SmoothClir, SmoothClirError } from "smooth-clir";

const root = fileURLToPath(new URL("../../", import.meta.url));
const generated = (name) => join(root, "www/public/generated", name);
const program = resolve(root, process.env.CARGO_TARGET_DIR ?? "target", "release/smooth-clir");
const LANGUAGES = ["fr", "it", "sw", "tl"];
const documents = LANGUAGES.map((language) => generated(`documents/${language}/demo.safetensors`));
const sides = LANGUAGES.map((language) => generated(`document.${language}.safetensors`));
const QUERY = "rain over the mountains";
const everything = { limit: 10_000 };

const load = async (model) => {
  const engine = await SmoothClir.load({ model, documents });
  await engine.fetchTexts();
  return engine;
};
const whole = () => load([generated("query.safetensors"), ...sides]);
const place = (hits, { id, language }) => hits.findIndex((hit) => hit.id === id && hit.language === language);
const code = (expected) => (error) => {
  assert.ok(error instanceof SmoothClirError, String(error));
  assert.equal(error.code, expected, error.message);
  return true;
};

/** An engine, its hits, and the judgement of the document at rank 20. */
async function begun() {
  const engine = await whole();
  const before = await engine.search(QUERY, everything);
  const { id, language } = before[19];
  return { engine, before, judgement: { query: QUERY, document: id, language, grade: 2 } };
}

describe("fine-tuning from judgements", () => {
  test("a document that is judged relevant comes first", async () => {
    const { engine, before, judgement } = await begun();
    const { losses, documents, pending, rows, judgements } = await engine.learn([judgement]);
    assert.equal(judgements, 1);
    assert.ok(rows > 5 && documents > 0 && documents < 2432, `${rows} rows, ${documents} documents`);
    assert.equal(pending, 0);
    assert.ok(losses.length > 1 && losses.every((loss, step) => step === 0 || loss < losses[step - 1]), String(losses));
    const after = await engine.search(QUERY, everything);
    assert.equal(place(after, before[19]), 0);
    engine.close();
  });

  test("the full module searches as the smaller one did", async () => {
    const { engine, before } = await begun();
    await engine.export();
    assert.deepEqual(await engine.search(QUERY, everything), before);
    engine.close();
  });

  test("each step is reported", async () => {
    const { engine, judgement } = await begun();
    const told = [];
    const { losses } = await engine.learn([judgement], { steps: 5, onProgress: (progress) => told.push(progress) });
    assert.deepEqual(told, losses.map((loss, at) => ({ step: at + 1, steps: 5, loss })));
    engine.close();
  });

  test("the steps end once the loss is 0", async () => {
    const { engine, judgement } = await begun();
    const { losses } = await engine.learn([judgement], { steps: 10_000 });
    assert.ok(losses.length < 10_000);
    assert.equal(losses.at(-1), 0);
    engine.close();
  });

  test("the same judgements continue the steps", async () => {
    const [once, twice] = [await begun(), await begun()];
    const { losses } = await once.engine.learn([once.judgement], { steps: 6 });
    const first = await twice.engine.learn([twice.judgement], { steps: 2 });
    const second = await twice.engine.learn([twice.judgement], { steps: 4 });
    assert.deepEqual([...first.losses, ...second.losses], losses);
    assert.deepEqual(await twice.engine.search(QUERY, everything), await once.engine.search(QUERY, everything));
    once.engine.close();
    twice.engine.close();
  });

  test("undo takes back one call at a time, and says when there is none left", async () => {
    const { engine, before, judgement } = await begun();
    await engine.learn([judgement], { steps: 3 });
    const between = await engine.search(QUERY, everything);
    await engine.learn([{ ...judgement, grade: 0 }], { steps: 3 });
    await engine.undo();
    assert.deepEqual(await engine.search(QUERY, everything), between);
    await engine.undo();
    assert.deepEqual(await engine.search(QUERY, everything), before);
    assert.equal(await engine.undo(), undefined);
    assert.equal(await engine.learned(), undefined);
    engine.close();
  });

  test("reset goes back to the model as it was loaded, and can be undone", async () => {
    const { engine, before, judgement } = await begun();
    assert.equal(await engine.reset(), undefined);
    await engine.learn([judgement]);
    const tuned = await engine.search(QUERY, everything);
    await engine.reset();
    assert.deepEqual(await engine.search(QUERY, everything), before);
    await engine.undo();
    assert.deepEqual(await engine.search(QUERY, everything), tuned);
    engine.close();
  });

  test("an abort rejects with the signal's reason and leaves the model as it was", async () => {
    const { engine, before, judgement } = await begun();
    const controller = new AbortController();
    const options = {
      steps: 1e9,
      learningRate: 1e-9,
      signal: controller.signal,
      onProgress: ({ step }) => step === 50 && controller.abort(),
    };
    await assert.rejects(engine.learn([judgement], options), (error) => error.name === "AbortError");
    assert.deepEqual(await engine.search(QUERY, everything), before);
    assert.equal(await engine.undo(), undefined);
    engine.close();
  });

  test("the changes of fine-tuning are restored on another visit, by the same model only", async () => {
    const { engine, judgement } = await begun();
    await engine.learn([judgement]);
    const learned = await engine.learned();
    const tuned = await engine.search(QUERY, everything);
    engine.close();
    const again = await whole();
    await again.remember(learned);
    assert.deepEqual(await again.search(QUERY, everything), tuned);
    const fresh = await again.search(QUERY, everything);
    await assert.rejects(again.remember(learned.slice(0, -3)), code("not-safetensors"));
    assert.deepEqual(await again.search(QUERY, everything), fresh);
    again.close();
    const golden = (name) => join(root, "tests/golden", name);
    const other = await SmoothClir.load({ model: golden("model.safetensors"), documents: golden("index.safetensors") });
    await assert.rejects(other.remember(learned), code("mismatch"));
    other.close();
  });

  test("document encoders can be added later, and fine-tuning needs them", async () => {
    const engine = await load(generated("query.safetensors"));
    const [{ id, language }] = await engine.search(QUERY);
    const judgement = { query: QUERY, document: id, language, grade: 0 };
    await assert.rejects(engine.learn([judgement]), code("missing-encoder"));
    await engine.addModel(sides);
    assert.equal((await engine.learn([judgement])).judgements, 1);
    await assert.rejects(engine.addModel(sides[0]), code("twice"));
    engine.close();
  });

  test("without a GPU the steps are taken in WebAssembly, and the reason is given", async () => {
    const { engine, judgement } = await begun();
    assert.equal(engine.device, undefined);
    const { device } = await engine.learn([judgement], { steps: 1 });
    assert.deepEqual(device, engine.device);
    assert.deepEqual([device.kind, device.name], ["wasm", "WebAssembly"]);
    assert.match(device.reason, /WebGPU/);
    const { device: chosen } = await engine.learn([judgement], { steps: 1, device: "wasm" });
    assert.match(chosen.reason, /requested/);
    engine.close();
  });

  test("judgements that cannot be used are refused with a code", async () => {
    const { engine, judgement } = await begun();
    const refused = async (judgements, options, expected) =>
      assert.rejects(engine.learn(judgements, options), code(expected), JSON.stringify([judgements, options]));
    for (const judgements of [[], undefined, [null], [{}], [{ ...judgement, grade: 1.5 }], [{ ...judgement, grade: -1 }]]) {
      await refused(judgements, {}, "invalid-argument");
    }
    await refused([{ ...judgement, grade: 3 }], {}, "judgement");
    await refused([{ ...judgement, query: "" }], {}, "judgement");
    await refused([{ ...judgement, document: "nothing of the kind" }], {}, "unknown-document");
    await refused([judgement], { steps: 0 }, "invalid-argument");
    await refused([judgement], { steps: "many" }, "invalid-argument");
    await refused([judgement], { device: "abacus" }, "invalid-argument");
    await refused([judgement], { learningRate: 0 }, "learning-option");
    await refused([judgement], { pull: Number.NaN }, "learning-option");
    await refused([judgement], { clip: -1 }, "learning-option");
    engine.close();
    await assert.rejects(engine.learn([judgement]), code("closed"));
  });

  describe("user documents", () => {
    const folders = [];
    after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));
    const texts = [
      { id: "one", title: "La pluie", text: "La pluie tombe sur la montagne et dans la forêt." },
      { id: "two", title: "", text: "zzyzx qwrtp" },
      { id: "three", title: "Le pain", text: "On fait le pain avec de la farine, du sel et de l'eau." },
    ];

    test("are encoded to the bytes of the program's own index, whatever fine-tuning came before", async () => {
      const { engine, judgement } = await begun();
      await engine.learn([judgement], { steps: 3 });
      const told = [];
      const { documents, unknown, knownWords, words } = await engine.addUserDocuments(texts, {
        language: "fr",
        onProgress: (progress) => told.push(progress),
      });
      assert.deepEqual([documents, unknown, knownWords[1], words[1]], [3, 1, 0, 2]);
      assert.equal(words[0], 10);
      assert.deepEqual(told.at(-1), { done: 3, documents: 3 });
      const folder = await mkdtemp(join(tmpdir(), "smooth-clir-"));
      folders.push(folder);
      const [table, index] = [join(folder, "documents.tsv"), join(folder, "index.safetensors")];
      await writeFile(table, texts.map(({ id, title, text }) => `${id}\t${title}\t${text}\n`).join(""));
      const model = join(folder, "model/");
      await mkdir(model);
      for (const side of ["query", ...LANGUAGES.map((language) => `document.${language}`)]) {
        await copyFile(generated(`${side}.safetensors`), join(model, `${side}.safetensors`));
      }
      const run = promisify(execFile);
      await run(program, ["index", model, table, "--language", "fr", "--precision", "i8", "--out", index]);
      assert.deepEqual(Buffer.from(await engine.exportUserDocuments()), await readFile(index));
      engine.close();
    });

    test("are found beside the others, saved, loaded again, and removed", async () => {
      const { engine, before } = await begun();
      const count = engine.documentCount;
      await engine.addUserDocuments(texts, { language: "fr" });
      assert.equal(engine.documentCount, count + 3);
      const hits = await engine.search("flour, salt and water", everything);
      assert.equal(place(hits, { id: "three", language: "fr" }), 0);
      const saved = await engine.exportUserDocuments();
      await engine.removeUserDocuments();
      assert.equal(engine.documentCount, count);
      assert.deepEqual(await engine.search(QUERY, everything), before);
      assert.equal(await engine.exportUserDocuments(), undefined);
      await engine.addDocuments(saved);
      assert.deepEqual(await engine.search("flour, salt and water", everything), hits);
      assert.deepEqual(await engine.documentsOf(saved), texts.map((text) => ({ ...text, section: "", language: "fr", fields: {} })));
      engine.close();
    });

    test("an abort adds none of them", async () => {
      const { engine } = await begun();
      const many = Array.from({ length: 20_000 }, (_, at) => ({ id: `many ${at}`, text: "La pluie tombe. ".repeat(20) }));
      const controller = new AbortController();
      const adding = engine.addUserDocuments(many, {
        language: "fr",
        signal: controller.signal,
        onProgress: () => controller.abort(),
      });
      await assert.rejects(adding, (error) => error.name === "AbortError");
      assert.equal(await engine.exportUserDocuments(), undefined);
      assert.equal(engine.documentCount, 2432);
      engine.close();
    });

    test("documents that cannot be encoded are refused with a code", async () => {
      const engine = await load(generated("query.safetensors"));
      await assert.rejects(engine.addUserDocuments(texts, { language: "fr" }), code("missing-encoder"));
      await engine.addModel(sides);
      await assert.rejects(engine.addUserDocuments(texts, { language: "de" }), code("missing-encoder"));
      for (const bad of [[{}], [null], [{ id: 1, text: "" }], [{ id: "a" }], "text"]) {
        await assert.rejects(engine.addUserDocuments(bad, { language: "fr" }), code("invalid-argument"), JSON.stringify(bad));
      }
      await assert.rejects(engine.addUserDocuments([texts[0], texts[0]], { language: "fr" }), code("twice"));
      await assert.rejects(engine.documentsOf(new Uint8Array(9)), code("not-safetensors"));
      assert.equal(engine.documentCount, 2432);
      engine.close();
    });
  });

  describe("an export", () => {
    const folders = [];
    after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

    test("is a model that the program verifies, and its index ranks as the fine-tuned engine", async () => {
      const { engine, judgement } = await begun();
      await engine.learn([judgement]);
      const tuned = await engine.search(QUERY, everything);
      const { bytes, largestError, meanError } = await engine.export();
      assert.ok(largestError > 0 && largestError < 0.05, `8 bits cost ${largestError}`);
      assert.ok(meanError > 0 && meanError < largestError);
      engine.close();
      const folder = await mkdtemp(join(tmpdir(), "smooth-clir-"));
      folders.push(folder);
      const model = join(folder, "model.safetensors");
      await writeFile(model, bytes);
      const run = promisify(execFile);
      await run(program, ["verify", model]);
      const documents = join(folder, "documents.safetensors");
      await run(program, ["index", model, "--precision", "i8", "--out", documents]);
      const exported = await SmoothClir.load({ model, documents });
      const found = await exported.search(QUERY, everything);
      assert.equal(place(found, tuned[0]), 0);
      const scores = new Map(tuned.map(({ id, language, score }) => [`${language} ${id}`, score]));
      for (const { id, language, score } of found) {
        const difference = Math.abs(score - scores.get(`${language} ${id}`));
        assert.ok(difference < 0.02, `${language} ${id}: ${difference}`);
      }
      exported.close();
      await assert.rejects(SmoothClir.load({ model, documents: generated("documents/fr/demo.safetensors") }), code("mismatch"));
    });
  });
});
