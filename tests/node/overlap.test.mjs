// Calls that overlap, in Node: none ends the engine, and each resolves or rejects.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { SmoothClir } from "smooth-clir";

const generated = fileURLToPath(new URL("../../www/public/generated/", import.meta.url));
const model = ["query", "document.fr"].map((name) => join(generated, `${name}.safetensors`));
const documents = ["fr", "it", "sw", "tl"].map((language) => join(generated, `documents/${language}/demo.safetensors`));
const QUERY = "rain over the mountains";

/** An engine, its French hits, and a judgement on the last of them. */
async function begun() {
  const engine = await SmoothClir.load({ model, documents });
  const before = await engine.search(QUERY, { language: "fr", limit: 20 });
  return { engine, before, judgements: [{ query: QUERY, document: before.at(-1).id, language: "fr", grade: 2 }] };
}

describe("calls of learn that overlap", () => {
  test("on the same judgements follow each other", async () => {
    const [{ engine, judgements }, other] = await Promise.all([begun(), begun()]);
    const both = await Promise.all([engine.learn(judgements, { steps: 3 }), engine.learn(judgements, { steps: 3 })]);
    const first = await other.engine.learn(judgements, { steps: 3 });
    const second = await other.engine.learn(judgements, { steps: 3 });
    assert.deepEqual(both.map(({ losses }) => losses), [first.losses, second.losses]);
    engine.close();
    other.engine.close();
  });

  test("on other judgements take the place of the one before", async () => {
    const { engine, before, judgements } = await begun();
    const others = [{ ...judgements[0], document: before[9].id }];
    const long = { steps: 1_000_000, learningRate: 1e-9 };
    const [first, second] = await Promise.allSettled([engine.learn(judgements, long), engine.learn(others)]);
    assert.equal(first.reason?.code, "aborted");
    assert.equal(second.status, "fulfilled", String(second.reason));
    engine.close();
  });

  for (const change of ["undo", "reset"]) {
    test(`are cancelled by ${change}, and leave no change`, async () => {
      const { engine, before, judgements } = await begun();
      let changed;
      const onProgress = ({ step }) => (changed ??= step === 2 ? engine[change]() : undefined);
      await assert.rejects(engine.learn(judgements, { onProgress }), { code: "aborted", message: "fine-tuning was cancelled" });
      await changed;
      assert.deepEqual(await engine.search(QUERY, { language: "fr", limit: 20 }), before);
      assert.equal((await engine.learn(judgements)).judgements, 1);
      engine.close();
    });
  }

  test("end with the model that they are on", async () => {
    const { engine, judgements } = await begun();
    let loading;
    const onProgress = () => (loading ??= engine.loadModel(model, documents));
    // So small steps that it would take minutes.
    await assert.rejects(engine.learn(judgements, { steps: 1_000_000, learningRate: 1e-9, onProgress }), { code: "closed", message: "another model was loaded meanwhile" });
    await loading;
    assert.equal((await engine.search(QUERY)).length, 10);
    engine.close();
  });

  test("end with an error of the caller's `onProgress`", async () => {
    const { engine, before, judgements } = await begun();
    const own = new Error("mine");
    const onProgress = () => {
      throw own;
    };
    await assert.rejects(engine.learn(judgements, { onProgress }), (error) => error === own);
    assert.deepEqual(await engine.search(QUERY, { language: "fr", limit: 20 }), before);
    engine.close();
  });

  test("end when the engine is closed", async () => {
    const { engine, judgements } = await begun();
    await engine.export();
    const learning = engine.learn(judgements, { onProgress: () => engine.close() });
    await assert.rejects(learning, { code: "closed", message: "the engine is closed" });
  });
});

test("of two models loaded at once the later one has its documents, each once", async () => {
  const { engine } = await begun();
  const count = engine.documentCount;
  const [first, second] = await Promise.allSettled([engine.loadModel(model, documents), engine.loadModel(model, documents)]);
  // Where the second came before the documents of the first, these are not for it.
  assert.ok(first.status === "fulfilled" || first.reason.code === "closed", String(first.reason));
  assert.equal(second.status, "fulfilled", String(second.reason));
  assert.equal(engine.documentCount, count);
  assert.equal((await engine.documents()).ids.length, count);
  engine.close();
});

describe("texts of an index", () => {
  let server, url;
  const requested = [];

  before(async () => {
    server = createServer(async (request, response) => {
      requested.push(request.url);
      // Never answered.
      if (request.url.includes("slow") && request.url.includes("texts.")) return;
      const name = request.url.split("?")[0].replace("/slow", "");
      const bytes = await readFile(join(generated, name)).catch(() => undefined);
      response.writeHead(bytes ? 200 : 404).end(bytes);
    });
    await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
    url = `http://127.0.0.1:${server.address().port}`;
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });

  test("are requested with the query of the index's URL", async () => {
    const engine = await SmoothClir.load({ model, documents: `${url}/documents/fr/demo.safetensors?sig=a/b` });
    await engine.search(QUERY, { limit: 3 });
    const texts = requested.filter((path) => path.includes("texts."));
    assert.ok(texts.length > 0 && texts.every((path) => /^\/documents\/fr\/texts\.\d+\.safetensors\?sig=a\/b$/.test(path)), String(texts));
    engine.close();
  });

  test("that never arrive do not keep a search pending when the engine is closed", async () => {
    const engine = await SmoothClir.load({ model, documents: `${url}/slow/documents/fr/demo.safetensors` });
    const searches = [1, 2, 3].map((limit) => engine.search(QUERY, { limit }));
    setTimeout(() => engine.close(), 50);
    for (const { reason } of await Promise.allSettled(searches)) assert.equal(reason?.code, "closed");
  });
});

test("of a model’s files three are on their way at once, so that a browser has connections left", async () => {
  const files = ["query", "document.fr", "document.it", "document.sw", "document.tl", "documents/fr/demo"].map((name) => `${name}.safetensors`);
  const [asked, open] = [[], new Set()];
  let most = 0;
  const server = createServer(async (request, response) => {
    asked.push(request.url.slice(1));
    open.add(request.url);
    most = Math.max(most, open.size);
    const bytes = await readFile(join(generated, request.url));
    // Time for a fourth.
    await new Promise((resolve) => setTimeout(resolve, 100));
    open.delete(request.url);
    response.end(bytes);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const addresses = files.map((file) => `http://127.0.0.1:${server.address().port}/${file}`);
  const engine = await SmoothClir.load({ model: addresses.slice(0, -1), documents: addresses.slice(-1) });
  server.close();
  assert.equal(most, 3);
  assert.deepEqual(asked.slice(0, 3).sort(), files.slice(0, 3).sort());
  assert.deepEqual(asked.toSorted(), files.toSorted());
  assert.deepEqual(engine.languages, ["fr"]);
  engine.close();
});
