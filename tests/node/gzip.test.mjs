// Files that are stored compressed: from hosts that send them as they are, and from hosts that send their content.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { SmoothClir } from "smooth-clir";

const golden = (name) => readFile(fileURLToPath(new URL(`../golden/${name}`, import.meta.url)));
const [model, index] = await Promise.all([golden("model.safetensors"), golden("index.safetensors")]);
const [modelGz, indexGz] = [gzipSync(model), gzipSync(index)];
const half = modelGz.length >> 1;
const digest = (bytes) => ({ bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") });
const manifestOf = (files) => JSON.stringify({ format: "smooth-clir-manifest", version: 1, files });

/** What the server sends, by path: bytes, with headers, or a function that answers. */
let files;
let requested;
let server;
let base;
before(async () => {
  server = createServer((request, response) => {
    requested.push(request.url);
    const file = files[request.url];
    if (typeof file === "function") return file(request, response);
    response.writeHead(file ? 200 : 404, { "content-type": "application/gzip" }).end(file);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${server.address().port}`;
});
after(() => server.close());
beforeEach(() => (requested = []));

/** Sends the content, as hosts do that take `.gz` for an encoding. */
const asContent = (bytes) => (_, response) =>
  response.writeHead(200, { "content-encoding": "gzip", "content-length": bytes.length }).end(bytes);
const hits = async (engine) => {
  const found = await engine.search("rain over the mountains");
  engine.close();
  return found.map(({ id, score }) => [id, score]);
};
const expected = await hits(await SmoothClir.load({ model, documents: index }));
const load = (options = {}) => SmoothClir.load({ model: `${base}/model.gz`, documents: `${base}/index.gz`, ...options });
const refusal = (code, message) => (error) => {
  assert.deepEqual({ code: error.code, message: error.message }, { code, message });
  return true;
};

describe("a .gz file", () => {
  test("is decompressed, whether or not its host has already done so", async () => {
    files = { "/model.gz": modelGz, "/index.gz": asContent(indexGz) };
    assert.ok(expected.length > 0);
    assert.deepEqual(await hits(await load()), expected);
    // A signed URL.
    files = { "/model.gz?key=1": modelGz, "/index.gz": indexGz };
    assert.deepEqual(await hits(await load({ model: `${base}/model.gz?key=1` })), expected);
  });

  test("is decompressed from a path in Node", async () => {
    const folder = await mkdtemp(join(tmpdir(), "smooth-clir-gzip-"));
    const path = join(folder, "model.safetensors.gz");
    await writeFile(path, modelGz);
    (await SmoothClir.load({ model: path })).close();
    await writeFile(path, modelGz.subarray(0, half));
    const message = `${path} is cut or damaged: its ${half} bytes are not a whole gzip file`;
    await assert.rejects(SmoothClir.load({ model: path }), refusal("gzip", message));
    await rm(folder, { recursive: true });
  });

  test("that is cut or damaged is refused with the code gzip", async () => {
    const damaged = Buffer.from(modelGz);
    damaged[half] ^= 0xff;
    for (const bytes of [modelGz.subarray(0, half), modelGz.subarray(0, -1), damaged, Buffer.concat([modelGz, Buffer.from("rest")])]) {
      files = { "/model.gz": bytes };
      const message = `${base}/model.gz is cut or damaged: its ${bytes.length} bytes are not a whole gzip file`;
      await assert.rejects(load({ documents: [] }), refusal("gzip", message));
    }
  });

  test("resumes after it broke off", async () => {
    const headers = { "content-length": modelGz.length, "accept-ranges": "bytes", etag: '"one"' };
    const answers = [
      (_, response) => response.writeHead(200, headers).write(modelGz.subarray(0, half), () => setTimeout(() => response.destroy(), 20)),
      ({ headers: { range } }, response) => {
        assert.equal(range, `bytes=${half}-`);
        const rest = modelGz.subarray(half);
        response.writeHead(206, { ...headers, "content-length": rest.length, "content-range": `bytes ${half}-${modelGz.length - 1}/${modelGz.length}` }).end(rest);
      },
    ];
    files = { "/model.gz": (...call) => answers.shift()(...call), "/index.gz": indexGz };
    assert.deepEqual(await hits(await load()), expected);
  });

  test("begins anew where its host cannot continue, which may have another one by then", async () => {
    const other = gzipSync(Buffer.concat([model.subarray(0, -1), Buffer.from([model.at(-1) ^ 1])]), { level: 1 });
    assert.notDeepEqual(other.subarray(0, half), modelGz.subarray(0, half));
    const answers = [
      (_, response) => response.writeHead(200, { "content-length": other.length }).write(other.subarray(0, half), () => setTimeout(() => response.destroy(), 20)),
      (_, response) => response.end(modelGz),
    ];
    files = { "/model.gz": (...call) => answers.shift()(...call), "/index.gz": indexGz };
    assert.deepEqual(await hits(await load()), expected);
    assert.equal(answers.length, 0);
  });

  test("may have maxBytes of content, and no more", async () => {
    files = { "/model.gz": modelGz };
    (await load({ documents: [], maxBytes: model.length })).close();
    const most = model.length - 1;
    assert.ok(modelGz.length < most);
    await assert.rejects(load({ documents: [], maxBytes: most }), refusal("too-many-bytes", `${base}/model.gz has more than ${most} bytes`));
  });

  test("rejects with the reason of an abort once its bytes have arrived", async () => {
    const controller = new AbortController();
    files = { "/model.gz": modelGz };
    // Once all of it has arrived.
    const onProgress = ({ loaded }) => loaded === modelGz.length && controller.abort();
    await assert.rejects(load({ documents: [], signal: controller.signal, onProgress }), { name: "AbortError" });
  });

  test("is decompressed by its name only", async () => {
    files = { "/model": modelGz };
    await assert.rejects(load({ model: `${base}/model`, documents: [] }), { code: "not-safetensors" });
    await assert.rejects(SmoothClir.load({ model: new Uint8Array(modelGz) }), { code: "not-safetensors" });
  });
});

describe("a .gz file of a manifest", () => {
  /** The Cache API, as far as it is used. */
  const kept = new Map();
  const cache = {
    match: async (of) => (kept.has(String(of.url ?? of)) ? new Response(kept.get(String(of.url ?? of))) : undefined),
    put: async (of, response) => void kept.set(String(of.url ?? of), new Uint8Array(await response.arrayBuffer())),
    delete: async (of) => kept.delete(String(of.url ?? of)),
    keys: async () => [],
  };
  before(() => (globalThis.caches = { open: async () => cache }));
  after(() => delete globalThis.caches);
  beforeEach(() => kept.clear());
  const manifest = () => `${base}/manifest.json`;
  const listing = (entries) => (_, response) => response.end(manifestOf(entries));

  test("is checked as it is stored, and kept so", async () => {
    files = { "/manifest.json": listing({ "model.gz": digest(modelGz) }), "/model.gz": modelGz };
    (await load({ documents: [], manifest: manifest() })).close();
    assert.deepEqual([...kept].find(([key]) => key.includes("sha256"))[1].length, modelGz.length);
    requested = [];
    (await load({ documents: [], manifest: manifest() })).close();
    assert.deepEqual(requested, ["/manifest.json"]);

    kept.clear();
    const other = gzipSync(model, { level: 1 });
    files["/model.gz"] = other;
    await assert.rejects(load({ documents: [], manifest: manifest() }), { code: "digest" });
  });

  test("that the host decompresses is checked by the entry of its content", async () => {
    const both = { "model.gz": digest(modelGz), model: digest(model) };
    files = { "/manifest.json": listing(both), "/model.gz": asContent(modelGz) };
    (await load({ documents: [], manifest: manifest() })).close();
    requested = [];
    (await load({ documents: [], manifest: manifest() })).close();
    assert.deepEqual(requested, ["/manifest.json"]);

    kept.clear();
    const other = Buffer.from(model);
    other[other.length - 1] ^= 1;
    files["/model.gz"] = asContent(gzipSync(other));
    await assert.rejects(load({ documents: [], manifest: manifest() }), { code: "digest" });
    files = { "/manifest.json": listing(both), "/model.gz": modelGz };
    (await load({ documents: [], manifest: manifest() })).close();
  });

  test("that the host decompresses, and of which only the stored file is listed, says what to list", async () => {
    files = { "/manifest.json": listing({ "model.gz": digest(modelGz) }), "/model.gz": asContent(modelGz) };
    const problem = `more than ${modelGz.length} bytes; if the server sends it decompressed, list ${base}/model too`;
    const message = `${base}/model.gz does not match ${manifest()}: ${problem}`;
    await assert.rejects(load({ documents: [], manifest: manifest() }), refusal("digest", message));
  });
});
