// Real traps of WebAssembly, in Node: the instance is never used again, and the next call loads the engine into another one.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { afterEach, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { SmoothClir, SmoothClirError } from "smooth-clir";
import { Lab } from "smooth-clir/lab";

const generated = fileURLToPath(new URL("../../www/public/generated/", import.meta.url));
const file = (name) => join(generated, `${name}.safetensors`);
const model = ["query", "document.fr"].map(file);
const documents = ["fr", "it", "sw", "tl"].map((language) => file(`documents/${language}/demo`));
const QUERY = "rain over the mountains";

/** The exports of the last instance of a module of the package. */
const exportsOf = async (name) => (await import(`../../npm/dist/${name}/smooth_clir.js`)).default();

/** Grows a memory until there is no more. */
function exhaust(memory) {
  for (let pages = 2 ** 16; pages >= 1; pages /= 2) {
    try {
      for (;;) memory.grow(pages);
    } catch {
      // Fewer pages, then.
    }
  }
}

const stopped = (error) => {
  assert.ok(error instanceof SmoothClirError, String(error));
  assert.equal(error.code, "wasm-failed");
  assert.match(error.message, /^the WebAssembly module stopped/);
  return true;
};

/** Runs out of memory in a module of the package; returns the memory, and what did not fit. */
async function trap(engine, name = "wasm") {
  const { memory } = await exportsOf(name);
  // More than the allocator can have in reserve.
  const large = new Uint8Array(memory.buffer.byteLength);
  exhaust(memory);
  await assert.rejects(engine.addDocuments(large), stopped);
  return { memory, large };
}

/** Asserts that a module of the package has an instance with another memory than this one. */
const assertLeft = async (memory, name = "wasm") => assert.notEqual((await exportsOf(name)).memory, memory);

/** Errors that reach no caller, such as those of callbacks: Node would end. */
const uncaught = [];
process.on("uncaughtException", (error) => uncaught.push(error));
process.on("unhandledRejection", (error) => uncaught.push(error));
afterEach(() => assert.deepEqual(uncaught, []));

/** Indexes of a few documents, by language. */
const indexes = {};
before(async () => {
  const texts = {
    fr: ["Le vent souffle sur la montagne.", "La pluie tombe.", "Le chat dort.", "Un loup court dans la neige."],
    it: ["La pioggia cade sulle montagne.", "Il gatto dorme."],
    sw: ["Mvua inanyesha milimani.", "Simba analala."],
  };
  for (const [language, all] of Object.entries(texts)) {
    const engine = await SmoothClir.load({ model: ["query", `document.${language}`].map(file) });
    await engine.addUserDocuments(all.map((text, at) => ({ id: `${at}`, text })), { language });
    indexes[language] = await engine.exportUserDocuments();
    engine.close();
  }
});

const load = async () => {
  const engine = await SmoothClir.load({ model, documents });
  await engine.fetchTexts();
  return engine;
};
/** All that an engine answers of its documents. */
const everything = async (engine) => ({
  hits: await engine.search(QUERY, { limit: 10_000 }),
  documents: await engine.documents(),
  fields: await engine.fields(),
  explained: await engine.explain(QUERY, { document: (await engine.search(QUERY, { limit: 1 }))[0].id }),
  learned: await engine.learned(),
  own: await engine.exportUserDocuments(),
  state: [engine.documentCount, engine.languages, engine.epsilon, engine.dimension],
});

describe("out of memory", () => {
  test("a call rejects, and the next one is answered as before, by a new instance", async () => {
    const engine = await load();
    const before = await everything(engine);
    const { memory, large } = await trap(engine);
    assert.throws(() => memory.grow(1), RangeError);
    assert.deepEqual(await everything(engine), before);
    // The call that trapped is answered, too.
    await assert.rejects(engine.addDocuments(large), { code: "not-safetensors" });
    await assertLeft(memory);
    engine.close();
  });

  test("nothing reaches the instance again, not even the garbage collector", async () => {
    const engine = await load();
    const exports = await exportsOf("wasm");
    await trap(engine);
    assert.throws(() => exports.engine_files(1), stopped);
    // A finalizer, which has no caller to tell.
    exports.__wbg_engine_free(1, 0);
    engine.close();
  });

  test("calls that come at once wait for the same new engine", async () => {
    const engine = await load();
    const hits = await engine.search(QUERY);
    const documents = await engine.documents();
    const { memory } = await trap(engine);
    assert.deepEqual(await Promise.all([engine.search(QUERY), engine.documents(), engine.search(QUERY)]), [hits, documents, hits]);
    await assertLeft(memory);
    engine.close();
  });

  test("what was added, removed and learned is there, and each change can be undone", async () => {
    const engine = await SmoothClir.load({ model: ["query", "document.fr", "document.it"].map(file), documents: [indexes.it, indexes.fr] });
    await engine.addUserDocuments([{ id: "a", text: "La pluie tombe sur les montagnes." }], { language: "fr" });
    await engine.addUserDocuments([{ id: "b", text: "Il leone dorme." }], { language: "it" });
    await engine.removeLanguage("it");
    await engine.addModel(file("document.sw"));
    await engine.addDocuments(indexes.sw);
    await engine.addUserDocuments([{ id: "c", text: "Le lion dort.", fields: { topic: ["animals"] } }], { language: "fr" });
    const judged = (await engine.search(QUERY, { language: "fr", limit: 20 })).at(-1);
    const judgement = { query: QUERY, document: judged.id, language: "fr", grade: 2 };
    const states = [await everything(engine)];
    for (const steps of [2, 3]) {
      await engine.learn([judgement], { steps });
      states.push(await everything(engine));
    }
    await engine.reset();
    states.push(await everything(engine));
    await engine.undo();
    const { memory } = await trap(engine, "full");
    assert.deepEqual(await everything(engine), states[2]);
    await assertLeft(memory, "full");
    await engine.undo();
    assert.deepEqual(await everything(engine), states[1]);
    await engine.undo();
    assert.deepEqual(await everything(engine), states[0]);
    assert.equal(await engine.undo(), undefined);
    // The batches are still the user's own.
    await engine.removeUserDocuments();
    assert.equal(await engine.exportUserDocuments(), undefined);
    engine.close();
  });

  test("texts that were shown are not fetched again, and others still are", async () => {
    const requested = [];
    const server = createServer(async (request, response) => {
      requested.push(request.url);
      response.end(await readFile(join(generated, request.url)));
    });
    await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
    const url = `http://127.0.0.1:${server.address().port}/documents/fr/demo.safetensors`;
    const engine = await SmoothClir.load({ model, documents: url });
    const hits = await engine.search(QUERY);
    const shown = requested.length;
    const { memory } = await trap(engine);
    assert.deepEqual(await engine.search(QUERY), hits);
    await assertLeft(memory);
    assert.equal(requested.length, shown);
    await engine.fetchTexts();
    assert.ok(requested.length > shown);
    assert.equal(new Set(requested).size, requested.length);
    engine.close();
    server.close();
  });

  test("a call under way rejects, and leaves no change", async () => {
    const engine = await load();
    const before = await engine.search(QUERY, { language: "fr", limit: 20 });
    const judgements = [{ query: QUERY, document: before.at(-1).id, language: "fr", grade: 2 }];
    let failing;
    const onProgress = ({ step }) => {
      if (step === 2) failing = trap(engine, "full");
    };
    await assert.rejects(engine.learn(judgements, { steps: 1_000_000, learningRate: 1e-9, onProgress }), stopped);
    await failing;
    assert.deepEqual(await engine.search(QUERY, { language: "fr", limit: 20 }), before);
    assert.equal((await engine.learn(judgements, { steps: 2 })).losses.length, 2);
    engine.close();
  });

  test("another engine on the thread, which shares the instance, goes on as well", async () => {
    const [engine, other] = [await load(), await load()];
    const before = await everything(other);
    const { memory } = await trap(engine);
    assert.deepEqual(await everything(other), before);
    await assertLeft(memory);
    assert.deepEqual(await everything(engine), before);
    engine.close();
    other.close();
  });

  test("a trap at each try rejects each call, once", async () => {
    const engine = await load();
    const before = await everything(engine);
    for (let round = 0; round < 3; round++) {
      const { memory } = await trap(engine);
      await engine.fields();
      await assertLeft(memory);
    }
    assert.deepEqual(await everything(engine), before);
    engine.close();
  });

  test("another model can be loaded in its place", async () => {
    const engine = await load();
    await trap(engine);
    await engine.loadModel(file("query"));
    assert.equal(engine.documentCount, 0);
    assert.equal((await engine.documents()).ids.length, 0);
    engine.close();
  });

  test("a training from scratch is at an end, and another one can start", async () => {
    const engine = await load();
    const texts = (prefix, words) => words.map((text, at) => ({ id: `${prefix}${at}`, text }));
    const words = ["rain", "wind", "snow", "sun", "fog", "hail"];
    const queries = texts("q", words);
    const collection = { queries, documents: texts("d", words), qrels: queries.map(({ id }, at) => ({ query: id, document: `d${at}`, grade: 2 })) };
    const options = { device: "wasm", dimension: 4, negatives: 1 };
    const training = await engine.startTraining(collection, options);
    const { memory } = await exportsOf("full");
    const huge = { ...collection, documents: texts("d", [...words, " ".repeat(memory.buffer.byteLength)]) };
    exhaust(memory);
    await assert.rejects(engine.startTraining(huge, options), stopped);
    await assert.rejects(training.step(), { code: "closed", message: "this training has ended" });
    assert.equal((await (await engine.startTraining(collection, options)).step(2)).losses.length, 2);
    assert.equal((await engine.search(QUERY)).length, 10);
    engine.close();
  });
});

describe("a memory that was overwritten", () => {
  const overwrite = ({ memory }) => new Uint8Array(memory.buffer).fill(0xff);
  const lost = { code: "closed", message: /^the engine could not be loaded again after its WebAssembly module stopped: / };

  test("is seen by the digests of the files, and another model can be loaded", async () => {
    const engine = await load();
    overwrite(await exportsOf("wasm"));
    await assert.rejects(engine.search(QUERY), stopped);
    for (let round = 0; round < 2; round++) await assert.rejects(engine.search(QUERY), lost);
    await engine.loadModel(model, documents);
    assert.equal((await engine.search(QUERY)).length, 10);
    engine.close();
  });

  test("ends the call that waits for a step of fine-tuning, which no call of ours is in", async () => {
    const engine = await load();
    const { id } = (await engine.search(QUERY, { language: "fr" })).at(-1);
    await engine.export();
    const exports = await exportsOf("full");
    // The step is under way, and its future is polled next.
    const onProgress = ({ step }) => step === 2 && queueMicrotask(() => overwrite(exports));
    const judgements = [{ query: QUERY, document: id, language: "fr", grade: 2 }];
    await assert.rejects(engine.learn(judgements, { steps: 1_000_000, learningRate: 1e-9, onProgress }), stopped);
    engine.close();
  });
});

test("the laboratory's module is started again", async () => {
  const engine = await SmoothClir.start();
  const map = { size: 9, extent: 1, epsilon: 0.5 };
  const before = await engine.gradientMap(map);
  const lab = await Lab.load();
  exhaust((await exportsOf("lab")).memory);
  await assert.rejects(engine.gradientMap({ ...map, size: 2048 }), stopped);
  assert.throws(() => lab.planeMap("x1", [1, 1], 9, 1, 0.5), stopped);
  assert.deepEqual(await engine.gradientMap(map), before);
  assert.deepEqual(lab.planeMap("x1", [1, 1], 9, 1, 0.5), before);
  engine.close();
});

