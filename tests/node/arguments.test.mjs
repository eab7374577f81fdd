// Arguments of the wrong type or out of range: each refusal names the argument, what it must be and what it was.
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { SmoothClir, SmoothClirError } from "smooth-clir";
import { DocumentReader } from "smooth-clir/documents";

const golden = (name) => join(fileURLToPath(new URL("../golden/", import.meta.url)), name);
const [model, documents] = [golden("model.safetensors"), golden("index.safetensors")];
const QUERY = "rain over the mountains";

const refused = (promise, message, code = "invalid-argument") =>
  assert.rejects(promise, (error) => {
    assert.ok(error instanceof SmoothClirError, String(error));
    assert.deepEqual({ code: error.code, message: error.message }, { code, message });
    return true;
  });

describe("arguments", () => {
  let engine;
  before(async () => (engine = await SmoothClir.load({ model, documents })));
  after(() => engine.close());

  test("of load and start", async () => {
    const source = "must be a URL, a Uint8Array or, in Node, a path";
    await refused(SmoothClir.load(), `\`model\` ${source}, got undefined`);
    await refused(SmoothClir.load({}), `\`model\` ${source}, got undefined`);
    await refused(SmoothClir.load({ model: 42 }), `\`model\` ${source}, got number`);
    await refused(SmoothClir.load({ model: [model, null] }), `\`model[1]\` ${source}, got null`);
    await refused(SmoothClir.load({ model: [] }), "no model files were given");
    await refused(SmoothClir.load({ model, documents: {} }), `\`documents\` ${source}, got object`);
    await refused(SmoothClir.load({ model: "http://" }), "invalid URL: `http://`");
    await refused(SmoothClir.load({ model, manifest: "http://[x]/" }), "invalid URL: `http://[x]/`");
    await refused(SmoothClir.load({ model: "http://127.0.0.1/", retries: -1 }), "`retries` must be a non-negative integer, got -1");
    const worker = '`worker` must be "auto", a boolean or a URL';
    await refused(SmoothClir.load({ model, worker: "maybe" }), `${worker}, got "maybe"`);
    await refused(SmoothClir.start({ worker: 1 }), `${worker}, got number`);
    await refused(engine.addDocuments([]), "no index files were given");
    await refused(engine.addDocuments(), `\`source\` ${source}, got undefined`);
    await refused(engine.addModel([]), "no model files were given");
  });

  test("of search", async () => {
    await refused(engine.search(42), "`query` must be a string, got number");
    await refused(engine.search(["rain"]), "`query` must be a string, got array");
    await refused(engine.search(QUERY, { epsilon: "1" }), "`epsilon` must be a number, got string");
    await refused(engine.search(QUERY, { dense: null }), "`dense` must be a number, got null");
    await refused(engine.search(QUERY, { limit: -3 }), "`limit` must be a positive integer, got -3");
    await refused(engine.search(QUERY, { limit: 0 }), "`limit` must be a positive integer, got 0");
    await refused(engine.search(QUERY, { limit: 1.5 }), "`limit` must be a positive integer, got 1.5");
    await refused(engine.search(QUERY, { limit: "10" }), "`limit` must be a positive integer, got string");
    await refused(engine.search(QUERY, { limit: 2 ** 32 }), "`limit` must be at most 4294967295, got 4294967296");
    await refused(engine.search(QUERY, { language: 5 }), "`language` must be a string, got number");
    await refused(engine.search(QUERY, { sort: 5 }), "`sort` must be a string, got number");
    await refused(engine.search(QUERY, { signal: 1 }), "`signal` must be an AbortSignal, got number");
    for (const [filters, message] of [
      ["sea", "`filters` must be an object, got string"],
      [[], "`filters` must be an object, got array"],
      [null, "`filters` must be an object, got null"],
      [{ topic: 1 }, "`filters.topic` must be a string or an array of strings, got number"],
      [{ topic: ["sea", 1] }, "`filters.topic[1]` must be a string, got number"],
    ]) {
      await refused(engine.search(QUERY, { filters }), message);
    }
    assert.equal((await engine.search(QUERY, null)).length, 10);
    assert.equal((await engine.search(QUERY, { limit: undefined, epsilon: undefined })).length, 10);
  });

  test("of no option that there is", async () => {
    const none = (name) => `unknown option \`${name}\``;
    const training = { queries: [], documents: [], qrels: [] };
    for (const [name, call] of Object.entries({
      document: (options) => SmoothClir.load({ model, ...options }),
      workers: (options) => SmoothClir.start(options),
      manifests: (options) => engine.loadModel(model, documents, options),
      retry: (options) => engine.addDocuments(documents, options),
      onMissing: (options) => engine.addModel(model, options),
      limt: (options) => engine.search(QUERY, options),
      lang: (options) => engine.tokens(QUERY, options),
      query: (options) => engine.gloss(["maji"], { language: "sw", ...options }),
      filters: (options) => engine.matches(QUERY, [], options),
      id: (options) => engine.explain(QUERY, { document: "a", ...options }),
      epsilon: (options) => engine.dots(QUERY, options),
      width: (options) => engine.gradientMap({ size: 3, extent: 1, epsilon: 1, ...options }),
      forced: (options) => engine.rankOnGpu(options),
      signals: (options) => engine.fetchTexts(options),
      rate: (options) => engine.learn([], options),
      prefix: (options) => engine.addUserDocuments([], { language: "fr", ...options }),
      epochs: (options) => engine.startTraining(training, options),
    })) {
      await refused(call({ [name]: 1 }), none(name));
    }
    assert.equal((await engine.search(QUERY, { limt: undefined })).length, 10);
    assert.equal((await engine.tokens(QUERY, null)).length, 4);
  });

  test("of what belongs to a search", async () => {
    await refused(engine.tokens(), "`query` must be a string, got undefined");
    await refused(engine.gloss("maji", { language: "sw" }), "`words` must be an array, got string");
    await refused(engine.gloss(["maji", 1], { language: "sw" }), "`words[1]` must be a string, got number");
    await refused(engine.gloss(["maji"], {}), "`language` must be a string, got undefined");
    await refused(engine.gloss(["maji"]), "`options` must be an object, got undefined");
    await refused(engine.matches(1, []), "`query` must be a string, got number");
    await refused(engine.matches(QUERY, "a"), "`documents` must be an array, got string");
    await refused(engine.matches(QUERY, [undefined]), "`documents[0].document` must be a string, got undefined");
    await refused(engine.matches(QUERY, [{ document: "a", language: 5 }]), "`documents[0].language` must be a string, got number");
    await refused(engine.dots(1), "`query` must be a string, got number");
    await refused(engine.explain(QUERY), "`document` must be a string, got undefined");
    await refused(engine.explain(QUERY, { document: "a", language: 5 }), "`language` must be a string, got number");
    await refused(engine.explain(QUERY, { document: "a", epsilon: "1" }), "`epsilon` must be a number, got string");
    await refused(engine.removeLanguage(), "`language` must be a string, got undefined");
    await refused(engine.rankOnGpu({ force: "yes" }), "`force` must be a boolean, got string");
    await refused(engine.gradientMap({ size: 0, extent: 2, epsilon: 1 }), "`size` must be a positive integer, got 0");
    await refused(engine.gradientMap({ size: 2049, extent: 2, epsilon: 1 }), "`size` must be at most 2048, got 2049");
    await refused(engine.gradientMap({ size: 3, extent: 0, epsilon: 1 }), "`extent` must be a finite number above 0, got 0");
    await refused(engine.gradientMap({ size: 3, extent: 1 }), "`epsilon` must be a number, got undefined");
  });

  test("of fine-tuning", async () => {
    const judgement = { query: QUERY, document: "a", grade: 2 };
    await refused(engine.learn(), "`judgements` must be an array, got undefined");
    await refused(engine.learn([]), "`judgements` must not be empty");
    await refused(engine.learn([judgement, null]), "`judgements[1]` must be an object, got null");
    await refused(engine.learn([{}]), "`judgements[0].query` must be a string, got undefined");
    await refused(engine.learn([{ query: QUERY }]), "`judgements[0].document` must be a string, got undefined");
    await refused(engine.learn([{ ...judgement, language: 1 }]), "`judgements[0].language` must be a string, got number");
    await refused(engine.learn([{ ...judgement, grade: 1.5 }]), "`judgements[0].grade` must be a non-negative integer, got 1.5");
    await refused(engine.learn([{ ...judgement, grade: 256 }]), "`judgements[0].grade` must be at most 255, got 256");
    await refused(engine.learn([judgement], { steps: 0 }), "`steps` must be a positive integer, got 0");
    await refused(engine.learn([judgement], { steps: "many" }), "`steps` must be a positive integer, got string");
    await refused(engine.learn([judgement], { pull: "0" }), "`pull` must be a number, got string");
    await refused(engine.learn([judgement], { device: "abacus" }), '`device` must be "auto", "webgpu" or "wasm", got "abacus"');
    await refused(engine.remember("bytes"), "`learned` must be a Uint8Array, got string");
  });

  test("of user documents", async () => {
    const language = "fr";
    await refused(engine.addUserDocuments([]), "`language` must be a string, got undefined");
    await refused(engine.addUserDocuments("text", { language }), "`documents` must be an array, got string");
    await refused(engine.addUserDocuments([null], { language }), "`documents[0]` must be an object, got null");
    await refused(engine.addUserDocuments([{ id: 1, text: "" }], { language }), "`documents[0].id` must be a string, got number");
    await refused(engine.addUserDocuments([{ id: "a" }], { language }), "`documents[0].text` must be a string, got undefined");
    await refused(engine.addUserDocuments([{ id: "a", title: 1, text: "" }], { language }), "`documents[0].title` must be a string, got number");
    const fields = { topic: 1 };
    await refused(
      engine.addUserDocuments([{ id: "a", text: "", fields }], { language }),
      "`documents[0].fields.topic` must be a string or an array of strings, got number",
    );
    await refused(engine.documentsOf([1]), "`index` must be a Uint8Array, got array");
  });

  test("of a training", async () => {
    const texts = [{ id: "a", text: "rain" }];
    const given = { queries: texts, documents: texts, qrels: [{ query: "a", document: "a", grade: 1 }] };
    await refused(engine.startTraining(), "`queries` must be an array, got undefined");
    await refused(engine.startTraining({ ...given, documents: [{ id: 1, text: "" }] }), "`documents[0].id` must be a string, got number");
    await refused(engine.startTraining({ ...given, queries: [{ id: "a" }] }), "`queries[0].text` must be a string, got undefined");
    await refused(engine.startTraining({ ...given, qrels: [1] }), "`qrels[0]` must be an object, got number");
    await refused(engine.startTraining({ ...given, qrels: [{ query: "a", document: "a", grade: -1 }] }), "`qrels[0].grade` must be a non-negative integer, got -1");
    await refused(engine.startTraining(given, { learningRate: "x" }), "`learningRate` must be a number, got string");
    await refused(engine.startTraining(given, { thresholds: [0.2, "x"] }), "`thresholds[1]` must be a number, got string");
    await refused(engine.startTraining(given, { thresholds: 0.2 }), "`thresholds` must be an array, got number");
    const dimension = "`dimension` must be an integer from 1 to 4096, got 4097";
    await refused(engine.startTraining(given, { dimension: 4097 }), dimension, "learning-option");
    await refused(engine.startTraining(given, { negatives: -1 }), "`negatives` must be a non-negative integer, got -1");
    await refused(engine.startTraining(given, { seed: 2 ** 32 }), "`seed` must be at most 4294967295, got 4294967296");
    await refused(engine.startTraining(given, { device: 1 }), '`device` must be "auto", "webgpu" or "wasm", got number');
    const many = ["a", "b", "c", "d", "e", "f", "g", "h"].map((id) => ({ id, text: `rain ${id}` }));
    const qrels = many.map(({ id }) => ({ query: id, document: id, grade: 2 }));
    const usual = { thresholds: undefined, dimension: undefined, negatives: 0 };
    const training = await engine.startTraining({ queries: many, documents: many, qrels }, usual);
    await refused(training.step(2 ** 40), "`count` must be at most 1000000, got 1099511627776");
    await refused(training.step(0), "`count` must be a positive integer, got 0");
    await refused(training.evaluate({ seen: 1 }), "`seen` must be a boolean, got number");
    await training.end();
  });

  test("of the readers", async () => {
    const reader = await DocumentReader.load();
    const bytes = new Uint8Array();
    const take = () => {};
    const source = "`file.bytes` must be a Uint8Array, or an object with `length` and `read`";
    for (const [call, message] of [
      [() => reader.read(), "`file` must be an object, got undefined"],
      [() => reader.read("a.md", take), "`file` must be an object, got string"],
      [() => reader.read({ bytes }, take), "`file.name` must be a string, got undefined"],
      [() => reader.read({ name: "a.md" }, take), `${source}, got undefined`],
      [() => reader.read({ name: "a.md", bytes: "text" }, take), `${source}, got string`],
      [() => reader.read({ name: "a.md", bytes: new ArrayBuffer(8) }, take), `${source}, got object`],
      [() => reader.read({ name: "a.md", bytes }), "`take` must be a function, got undefined"],
      [() => reader.read({ name: "a.md", bytes, format: "md" }, take), '`file.format` must be "markdown", "html", "text", "csv", "tsv" or "json", got "md"'],
      [() => reader.read({ name: "a.md", bytes }, take, { words: 0 }), "`words` must be a positive integer, got 0"],
      [() => reader.read({ name: "a.md", bytes }, take, { word: 5 }), "unknown option `word`"],
      [() => reader.cut({ name: "a.pdf" }, take), "`document.paragraphs` must be an array, got undefined"],
      [() => reader.cut({ name: "a.pdf", paragraphs: ["text"] }, take), "`document.paragraphs[0]` must be an object, got string"],
      [() => reader.cut({ name: "a.pdf", paragraphs: [{ text: "a", fragment: 3 }] }, take), "`document.paragraphs[0].fragment` must be a string, got number"],
    ]) {
      await refused((async () => call())(), message);
    }
  });
});
