// The npm package in Node, as it is published: from npm/dist, without a worker.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { SmoothClir, SmoothClirError } from "smooth-clir";

const folder = fileURLToPath(new URL("../../www/public/generated/", import.meta.url));
const model = join(folder, "query.safetensors");
const documents = ["fr", "it", "sw", "tl"].map((language) => join(folder, `documents/${language}/demo.safetensors`));
const [french] = documents;
const golden = (name) => fileURLToPath(new URL(`../golden/${name}`, import.meta.url));
const QUERY = "rain over the mountains";

const refusal = (code, message) => (error) => {
  assert.ok(error instanceof SmoothClirError, String(error));
  assert.equal(error.code, code);
  if (message instanceof RegExp) assert.match(error.message, message);
  else assert.equal(error.message, message);
  return true;
};
const aborted = (error) => error.name === "AbortError";

describe("loading and searching", () => {
  test("from paths", async () => {
    const engine = await SmoothClir.load({ model, documents });
    const hits = await engine.search(QUERY, { limit: 5 });
    assert.equal(hits.length, 5);
    for (const hit of hits) {
      assert.deepEqual(
        Object.entries(hit).map(([key, value]) => `${key}: ${typeof value}`).sort(),
        [
          "documentNorm: number",
          "dot: number",
          "fields: object",
          "fits: boolean",
          "id: string",
          "language: string",
          "lexical: undefined",
          "probability: undefined",
          "score: number",
          "section: string",
          "similarity: number",
          "text: string",
          "title: string",
        ],
      );
    }
    assert.ok(hits.every(({ score }, place) => place === 0 || score <= hits[place - 1].score));
    assert.equal(engine.documentCount, 2432);
    assert.deepEqual([...engine.languages].sort(), ["fr", "it", "sw", "tl"]);
    assert.ok(engine.dimension > 0 && engine.epsilon >= 0);
    assert.equal(typeof engine.description.config, "object");
    assert.match(engine.description.space, /^[0-9a-f]{64}$/);
    engine.close();
  });

  test("from an index in several files: texts are fetched when they are shown", async () => {
    const requested = [];
    const server = createServer(async (request, response) => {
      requested.push(request.url);
      const bytes = await readFile(golden(request.url.slice(1))).catch(() => undefined);
      response.writeHead(bytes ? 200 : 404).end(bytes);
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${server.address().port}/`;
    const model = golden("model.safetensors");
    const whole = await SmoothClir.load({ model, documents: golden("index.safetensors") });
    const search = (engine, limit) => engine.search("rain over the mountains", { limit });
    for (const documents of [`${url}parts/index.safetensors`, golden("parts/index.safetensors")]) {
      const engine = await SmoothClir.load({ model, documents });
      for (const limit of [2, 2, 100]) assert.deepEqual(await search(engine, limit), await search(whole, limit));
      engine.close();
    }
    assert.equal(requested.filter((path) => path.endsWith("index.safetensors")).length, 1);
    assert.equal(requested.length, 1 + 5, String(requested));
    const early = await SmoothClir.load({ model, documents: `${url}parts/index.safetensors` });
    await early.fetchTexts();
    assert.equal(requested.length, 2 * (1 + 5), String(requested));
    assert.deepEqual(await search(early, 100), await search(whole, 100));
    assert.equal(requested.length, 2 * (1 + 5));
    early.close();
    const bytes = await SmoothClir.load({ model, documents: await readFile(golden("parts/index.safetensors")) });
    await assert.rejects(search(bytes, 2), refusal(
      "missing-texts",
      "the texts of the documents cannot be fetched: their index was given as bytes, so their location is unknown",
    ));
    const lost = await SmoothClir.load({ model, documents: `${url}parts/index.safetensors` });
    server.close();
    server.closeAllConnections();
    await assert.rejects(search(lost, 2), refusal("network", new RegExp(`^${url}parts/texts\\.\\d\\.safetensors could not be fetched: .+`)));
    for (const engine of [whole, bytes, lost]) engine.close();
  });

  test("from bytes, which stay the caller's; and the answers are the same", async () => {
    const [model, documents] = [golden("model.safetensors"), golden("index.safetensors")];
    const bytes = { model: await readFile(model), documents: new Uint8Array(await readFile(documents)) };
    const engine = await SmoothClir.load(bytes);
    const other = await SmoothClir.load({ model: pathToFileURL(model), documents: [documents], worker: false });
    assert.deepEqual(await engine.search(QUERY), await other.search(QUERY));
    assert.ok(bytes.model.byteLength > 0 && bytes.documents.byteLength > 0);
    engine.close();
    other.close();
  });

  test("documents can be added later, and progress is reported in bytes", async () => {
    const engine = await SmoothClir.load({ model });
    assert.equal(engine.documentCount, 0);
    assert.deepEqual(await engine.search(QUERY), []);
    const seen = [];
    await engine.addDocuments(french, { onProgress: (progress) => seen.push(progress) });
    const { length } = await readFile(french);
    assert.deepEqual(seen.at(-1), { file: french, loaded: length, total: length });
    assert.equal((await engine.search(QUERY)).length, 10);
    engine.close();
  });

  test("the score is eq. (1) of paper 1, whatever epsilon is", async () => {
    const engine = await SmoothClir.load({ model, documents });
    // From epsilon 0 follows |q|; it must then explain the others.
    const at = async (epsilon) => {
      const hits = await engine.search(QUERY, { epsilon, limit: 2432 });
      return new Map(hits.map((hit) => [hit.language + hit.id, hit]));
    };
    const [zero, one, three] = await Promise.all([0, 1, 3].map(at));
    assert.equal(zero.size, 2432);
    for (const [id, { score, dot, documentNorm }] of zero) {
      if (Math.abs(dot) < 1e-3) continue;
      const queryNorm = dot / (score * documentNorm);
      for (const [epsilon, hits] of [[1, one], [3, three]]) {
        const expected = dot / ((queryNorm + epsilon) * (documentNorm + epsilon));
        assert.ok(Math.abs(hits.get(id).score - expected) < 1e-5, `${id} at ${epsilon}`);
      }
    }
    engine.close();
  });

  test("language, limit and tokens", async () => {
    const engine = await SmoothClir.load({ model, documents });
    const hits = await engine.search(QUERY, { language: "sw", limit: 3 });
    assert.deepEqual(hits.map(({ language }) => language), ["sw", "sw", "sw"]);
    assert.deepEqual(await engine.tokens("Rain, zzyzx!"), [
      { token: "rain", known: true },
      { token: "zzyzx", known: false },
    ]);
    assert.deepEqual(await engine.search("zzyzx"), []);
    assert.deepEqual(await engine.search(""), []);
    engine.close();
  });

  test("the gradient map needs no model and has Figure 1's largest values", async () => {
    const engine = await SmoothClir.start();
    for (const epsilon of [0.05, 0.2, 0.5]) {
      const map = await engine.gradientMap({ size: 41, extent: 2, epsilon });
      assert.ok(map instanceof Float32Array && map.length === 41 * 41);
      const expected = 1 / ((Math.SQRT2 + epsilon) * epsilon);
      assert.ok(Math.abs(Math.max(...map) - expected) < 1e-4 * expected);
      assert.equal(map[(41 * 41 - 1) / 2], Math.max(...map));
    }
    const cosine = await engine.gradientMap({ size: 3, extent: 2, epsilon: 0 });
    assert.deepEqual([...cosine].map(Number.isNaN), [0, 0, 0, 0, 1, 0, 0, 0, 0].map(Boolean));
    engine.close();
  });
});

describe("refusals", () => {
  const text = "expected a model or an index, but";
  let scratch;
  let server;
  let base;
  let length;

  before(async () => {
    scratch = await mkdtemp(join(tmpdir(), "smooth-clir-"));
    const whole = await readFile(model);
    ({ length } = whole);
    await writeFile(join(scratch, "half"), whole.subarray(0, whole.length / 2));
    await writeFile(join(scratch, "page.html"), "<!doctype html><title>Not found</title>");
    const changed = Buffer.from(whole);
    changed[changed.length - 1] ^= 1;
    await writeFile(join(scratch, "changed"), changed);
    server = createServer((request, response) => {
      const binary = { "content-type": "application/octet-stream" };
      if (request.url === "/model") response.writeHead(200, { ...binary, "content-length": whole.length }).end(whole);
      else if (request.url === "/page") response.writeHead(200, { "content-type": "text/html" }).end("<p>Welcome");
      else if (request.url === "/page-as-binary") response.writeHead(200, binary).end("<p>Welcome to this host");
      else if (request.url === "/cut") {
        response.writeHead(200, { ...binary, "content-length": whole.length });
        response.write(whole.subarray(0, 1000), () => response.destroy());
      } else if (request.url === "/slow") response.writeHead(200, binary).write(whole.subarray(0, 1000));
      else response.writeHead(404).end();
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${server.address().port}`;
  });

  after(async () => {
    server.closeAllConnections();
    server.close();
    await rm(scratch, { recursive: true });
  });

  test("a missing file", async () => {
    const path = join(scratch, "nowhere");
    await assert.rejects(SmoothClir.load({ model: path }), refusal("unreadable", `${path} cannot be read: ENOENT: no such file or directory, open '${path}'`));
  });

  test("half a file", () => {
    const cut = /^not a whole safetensors file \(\d+ bytes\): tensor `query\.embedding` ends at byte \d+ of the data, which are cut off at \d+$/;
    return assert.rejects(SmoothClir.load({ model: join(scratch, "half") }), refusal("not-safetensors", cut));
  });

  test("one changed byte", () => {
    const changed = /^digest [0-9a-f]{64} does not match the file's own, [0-9a-f]{64}: the file was damaged or edited$/;
    return assert.rejects(SmoothClir.load({ model: join(scratch, "changed") }), refusal("digest", changed));
  });

  test("a page of HTML as a file", () =>
    assert.rejects(SmoothClir.load({ model: join(scratch, "page.html") }), refusal("not-binary", `${join(scratch, "page.html")}: ${text} its first byte is \`<\``)));

  test("a page of HTML as bytes", async () => {
    const bytes = await readFile(join(scratch, "page.html"));
    await assert.rejects(SmoothClir.load({ model: bytes }), refusal("not-binary", `the given bytes: ${text} its first byte is \`<\``));
  });

  test("a model in the place of an index, and an index in the place of a model", async () => {
    await assert.rejects(SmoothClir.load({ model, documents: model }), refusal("metadata", 'metadata `kind`: found "model", expected "index"'));
    await assert.rejects(SmoothClir.load({ model: french }), refusal("metadata", 'metadata `kind`: found "index", expected "model"'));
  });

  test("over HTTP: 404, pages, a cut body, no host", async () => {
    const load = (path) => SmoothClir.load({ model: base + path, retries: 0 });
    await assert.rejects(load("/nowhere"), refusal("http-status", `${base}/nowhere: the server answered 404 Not Found`));
    await assert.rejects(load("/page"), refusal("not-binary", `${base}/page: ${text} the server sent text/html`));
    await assert.rejects(load("/page-as-binary"), refusal("not-binary", `${base}/page-as-binary: ${text} its first byte is \`<\``));
    await assert.rejects(load("/cut"), refusal("incomplete", new RegExp(`^${base}/cut is incomplete: \\d+ of ${length} bytes arrived$`)));
    const closed = "http://127.0.0.1:1/model";
    await assert.rejects(SmoothClir.load({ model: closed, retries: 0 }), refusal("network", `${closed} could not be fetched: fetch failed`));
    const engine = await load("/model");
    engine.close();
  });

  test("with `onMissing`, documents that are missing or broken do not prevent a search of the others", async () => {
    const lost = [join(scratch, "nowhere"), join(scratch, "half")];
    const all = [lost[0], ...documents, lost[1]];
    const nowhere = `${lost[0]} cannot be read: ENOENT: no such file or directory, open '${lost[0]}'`;
    await assert.rejects(SmoothClir.load({ model, documents: all }), refusal("unreadable", nowhere));
    const told = [];
    const onMissing = ({ file, error }) => told.push([file, error.code]);
    const engine = await SmoothClir.load({ model, documents: all, onMissing });
    assert.deepEqual(told, [[lost[0], "unreadable"], [lost[1], "not-safetensors"]]);
    assert.equal(engine.documentCount, 2432);
    assert.equal((await engine.search(QUERY)).length, 10);
    await assert.rejects(engine.addDocuments(lost, { onMissing }), refusal("unreadable", nowhere));
    assert.equal(told.length, 4);
    engine.close();
    // The model itself is always needed.
    await assert.rejects(SmoothClir.load({ model: lost[0], documents, onMissing }), refusal("unreadable", nowhere));
    assert.equal(told.length, 4);
  });

  test("an abort, before and while loading", async () => {
    const signal = AbortSignal.abort();
    await assert.rejects(SmoothClir.load({ model, signal }), aborted);
    const controller = new AbortController();
    const onProgress = ({ loaded }) => loaded > 0 && controller.abort();
    await assert.rejects(SmoothClir.load({ model: `${base}/slow`, signal: controller.signal, onProgress }), aborted);
  });

  test("an aborted search", async () => {
    const engine = await SmoothClir.load({ model, documents });
    const controller = new AbortController();
    const search = engine.search(QUERY, { signal: controller.signal });
    controller.abort();
    await assert.rejects(search, aborted);
    assert.equal((await engine.search(QUERY)).length, 10);
    engine.close();
  });

  test("a closed engine", async () => {
    const engine = await SmoothClir.load({ model, documents });
    const pending = engine.search(QUERY);
    engine.close();
    await assert.rejects(pending, refusal("closed", "the engine is closed"));
    await assert.rejects(engine.search(QUERY), refusal("closed", "the engine is closed"));
    engine.close();
  });

  test("an engine that was started beforehand, which a load that fails closes", async () => {
    const [first, second] = [SmoothClir.start(), SmoothClir.start()];
    assert.equal(await SmoothClir.load({ model, documents }, first), await first);
    await assert.rejects(SmoothClir.load({ model: french }, second), refusal("metadata", 'metadata `kind`: found "index", expected "model"'));
    await assert.rejects((await second).search(QUERY), refusal("closed", "the engine is closed"));
    (await first).close();
  });

  test("a search before a model", async () => {
    const engine = await SmoothClir.start();
    await assert.rejects(engine.search(QUERY), refusal("no-model", "no model is loaded yet"));
    engine.close();
  });

  test("a worker in an environment without workers", () =>
    assert.rejects(SmoothClir.load({ model, worker: true }), refusal("worker-failed", "this environment has no workers")));

  test("arguments that the core refuses", async () => {
    const engine = await SmoothClir.load({ model, documents });
    const epsilon = "`epsilon` must be a finite number of 0 or more, got";
    await assert.rejects(engine.search(QUERY, { epsilon: -1 }), refusal("epsilon", `${epsilon} -1`));
    await assert.rejects(engine.search(QUERY, { epsilon: Number.NaN }), refusal("epsilon", `${epsilon} NaN`));
    const [{ id }] = await engine.search(QUERY);
    for (const dense of [-0.1, 1.1, Number.NaN]) {
      const message = `\`dense\` must be a number from 0 to 1, got ${dense}`;
      await assert.rejects(engine.search(QUERY, { dense }), refusal("dense", message));
      await assert.rejects(engine.explain(QUERY, { document: id, dense }), refusal("dense", message));
    }
    await assert.rejects(engine.search(QUERY, { language: "xx" }), refusal("unknown-language", "no documents in `xx` are loaded; loaded: fr, it, sw, tl"));
    await assert.rejects(engine.search("rain ".repeat(300_000)), refusal("query-too-long", "`query` must have at most 1048576 bytes, got 1500000"));
    await assert.rejects(engine.gradientMap({ size: 3, extent: 2, epsilon: -1 }), refusal("epsilon", `${epsilon} -1`));
    assert.equal((await engine.search(QUERY)).length, 10);
    engine.close();
  });
});
