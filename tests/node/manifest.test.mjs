// Files of a manifest: only the right bytes are used, and only they are kept.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { SmoothClir } from "smooth-clir";

const read = (name) => readFile(fileURLToPath(new URL(`../golden/${name}`, import.meta.url)));
const [model, index] = await Promise.all([read("model.safetensors"), read("index.safetensors")]);
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");
const manifestOf = (files) =>
  JSON.stringify({
    format: "smooth-clir-manifest",
    version: 1,
    files: Object.fromEntries(
      Object.entries(files).map(([place, bytes]) => [place, { bytes: bytes.length, sha256: sha256(bytes) }]),
    ),
  });

/** The Cache API, as far as it is used; `broken` makes it fail like one without room. */
class FakeCache {
  kept = new Map();
  broken = false;
  #href = (of) => (of.url ? of.url : String(of));
  async match(of) {
    const bytes = this.kept.get(this.#href(of));
    return bytes && new Response(bytes);
  }
  async put(of, response) {
    if (this.broken) throw new DOMException("no room", "QuotaExceededError");
    this.kept.set(this.#href(of), new Uint8Array(await response.arrayBuffer()));
  }
  async delete(of) {
    return this.kept.delete(this.#href(of));
  }
  async keys(of, { ignoreSearch }) {
    const path = (href) => (ignoreSearch ? href.split("?")[0] : href);
    return [...this.kept.keys()].filter((href) => path(href) === path(String(of))).map((url) => ({ url }));
  }
  get files() {
    return [...this.kept.keys()].filter((href) => href.includes("sha256="));
  }
}

let server;
let base;
let files;
let requested;
let cache;

before(async () => {
  server = createServer((request, response) => {
    requested.push(request.url);
    const found = files[request.url];
    const { bytes = found, type = "application/octet-stream" } = found?.bytes ? found : {};
    response.writeHead(found ? 200 : 404, { "content-type": type }).end(bytes);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${server.address().port}`;
});
after(() => server.close());
beforeEach(() => {
  requested = [];
  files = {
    "/files/manifest.json": manifestOf({ "model.safetensors": model, "index.safetensors": index }),
    "/files/model.safetensors": model,
    "/files/index.safetensors": index,
  };
  cache = new FakeCache();
  globalThis.caches = { open: async () => cache };
});
afterEach(() => delete globalThis.caches);

const load = async (options = {}) => {
  const engine = await SmoothClir.load({
    model: `${base}/files/model.safetensors`,
    documents: `${base}/files/index.safetensors`,
    manifest: `${base}/files/manifest.json`,
    retries: 0,
    ...options,
  });
  const hits = await engine.search("rain over the mountains", { limit: 2 });
  engine.close();
  return hits;
};
const refusal = (code, message) => (error) => {
  assert.equal(error.code, code, error.message);
  if (message instanceof RegExp) assert.match(error.message, message);
  else assert.equal(error.message, message);
  return true;
};
const asksForFiles = () => requested.filter((url) => url.endsWith(".safetensors")).sort();
const BOTH = ["/files/index.safetensors", "/files/model.safetensors"];

test("a file is read no further than the manifest says, twice at most", async () => {
  let sent = 0;
  const endless = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/octet-stream" });
    const more = () => {
      sent += 1 << 16;
      if (!response.destroyed) response.write(new Uint8Array(1 << 16), () => setImmediate(more));
    };
    more();
  });
  await new Promise((resolve) => endless.listen(0, "127.0.0.1", resolve));
  const file = `http://127.0.0.1:${endless.address().port}/model.safetensors`;
  files["/files/manifest.json"] = manifestOf({ [file]: model });
  try {
    const message = `${file} does not match ${base}/files/manifest.json: more than ${model.length} bytes`;
    await assert.rejects(load({ model: file, documents: [] }), refusal("digest", message));
    assert.ok(sent < 40_000_000, `${sent} bytes were sent`);
  } finally {
    endless.closeAllConnections();
    endless.close();
  }
});

describe("a manifest of which the page knows the digest", () => {
  const integrityOf = (text) => `sha256-${createHash("sha256").update(text).digest("base64")}`;

  test("is used, and any other is refused, also one that was kept and one in a file", async () => {
    const integrity = integrityOf(files["/files/manifest.json"]);
    const hits = await load({ integrity });
    assert.equal(hits.length, 2);
    // Whoever changed the files changed the manifest too.
    files["/files/model.safetensors"] = index;
    files["/files/manifest.json"] = manifestOf({ "model.safetensors": index, "index.safetensors": index });
    const found = integrityOf(files["/files/manifest.json"]);
    const message = `${base}/files/manifest.json is ${found}, expected ${integrity}`;
    await assert.rejects(load({ integrity }), refusal("digest", message));
    // The right one is still kept. Without a connection, it is used, and refused where another is asked for.
    const fetch = globalThis.fetch;
    globalThis.fetch = () => Promise.reject(new TypeError("no connection"));
    try {
      assert.deepEqual(await load({ integrity }), hits);
      const other = `${base}/files/manifest.json is ${integrity}, expected ${found}`;
      await assert.rejects(load({ integrity: found }), refusal("digest", other));
    } finally {
      globalThis.fetch = fetch;
    }
    const folder = await mkdtemp(join(tmpdir(), "integrity-"));
    const place = join(folder, "manifest.json");
    await writeFile(place, files["/files/manifest.json"]);
    await assert.rejects(load({ manifest: place, integrity }), refusal("digest", `${place} is ${found}, expected ${integrity}`));
    await rm(folder, { recursive: true });
  });

  test("is refused where no digest can be computed, which `integrity` promises", async () => {
    const integrity = integrityOf(files["/files/manifest.json"]);
    const own = Object.getOwnPropertyDescriptor(globalThis, "crypto");
    Object.defineProperty(globalThis, "crypto", { value: {}, configurable: true });
    try {
      const message = `${base}/files/manifest.json cannot be checked: a page loaded by plain http has no digests`;
      await assert.rejects(load({ integrity }), refusal("digest", message));
    } finally {
      Object.defineProperty(globalThis, "crypto", own);
    }
  });

  test("has a digest that is one, and is there", async () => {
    for (const integrity of ["", "sha256-", "sha512-AAAA", "0".repeat(64)]) {
      await assert.rejects(load({ integrity }), refusal("invalid-argument", `\`integrity\` must be "sha256-" and base64, got ${integrity}`));
    }
    const integrity = integrityOf("");
    await assert.rejects(load({ manifest: undefined, integrity }), refusal("invalid-argument", "`integrity` goes with `manifest`"));
    assert.deepEqual(requested, []);
  });
});

test("a manifest of more than 16 MiB is refused, and a file that it says is longer than `maxBytes`", async () => {
  const message = (file, most) => `${base}/files/${file} has more than ${most} bytes`;
  const maxBytes = model.length - 1;
  await assert.rejects(load({ maxBytes }), refusal("too-many-bytes", message("model.safetensors", maxBytes)));
  files["/files/manifest.json"] = `${" ".repeat(2 ** 24)}{}`;
  await assert.rejects(load(), refusal("too-many-bytes", message("manifest.json", 2 ** 24)));
});

describe("files that are right", () => {
  test("are fetched once, and found in the cache after that", async () => {
    const first = await load();
    assert.deepEqual(asksForFiles(), BOTH);
    const progress = new Map();
    assert.deepEqual(await load({ onProgress: ({ file, loaded, total }) => progress.set(file, [loaded, total]) }), first);
    assert.deepEqual(asksForFiles(), BOTH);
    assert.deepEqual(progress.get(`${base}/files/model.safetensors`), [model.length, model.length]);
  });

  test("are searched without a connection once they are here", async () => {
    const first = await load();
    const fetch = globalThis.fetch;
    globalThis.fetch = () => Promise.reject(new TypeError("no connection"));
    try {
      assert.deepEqual(await load(), first);
    } finally {
      globalThis.fetch = fetch;
    }
  });

  test("are not kept with `cache: false`, or if there is no room", async () => {
    await load({ cache: false });
    assert.equal(cache.kept.size, 0);
    cache.broken = true;
    await load();
    assert.equal(cache.kept.size, 0);
    assert.equal(asksForFiles().length, 4);
  });

  test("of the texts of an index are checked and kept too, if the manifest lists them", async () => {
    const parts = new Map();
    for (const name of ["index", "texts.0", "texts.1", "texts.2", "texts.3", "texts.4"]) {
      parts.set(`${name}.safetensors`, await read(`parts/${name}.safetensors`));
    }
    const all = Object.fromEntries([["model.safetensors", model], ...parts]);
    for (const [name, bytes] of parts) files[`/files/${name}`] = bytes;
    files["/files/manifest.json"] = manifestOf(all);
    const first = await load();
    assert.ok(first.length === 2 && cache.kept.size > 3, `${cache.kept.size} kept`);
    const fetched = asksForFiles().length;
    assert.deepEqual(await load(), first);
    assert.equal(asksForFiles().length, fetched);

    cache.kept.clear();
    const changed = { ...all };
    for (const name of parts.keys()) if (name.startsWith("texts")) changed[name] = Buffer.from(parts.get(name)).reverse();
    files["/files/manifest.json"] = manifestOf(changed);
    await assert.rejects(load(), refusal("digest", new RegExp(`^${base}/files/texts\\.\\d\\.safetensors does not match ${base}/files/manifest\\.json: its SHA-256 is [0-9a-f]{64}, expected [0-9a-f]{64}$`)));
    files["/files/manifest.json"] = manifestOf({ "model.safetensors": model, "index.safetensors": all["index.safetensors"] });
    assert.deepEqual(await load(), first);
  });

  test("take the place of an earlier version", async () => {
    const other = manifestOf({ "model.safetensors": model, "index.safetensors": model });
    files["/files/manifest.json"] = other;
    files["/files/index.safetensors"] = model;
    await assert.rejects(load(), refusal("metadata", 'metadata `kind`: found "model", expected "index"')); // Right by the manifest, but not an index.
    files["/files/manifest.json"] = manifestOf({ "model.safetensors": model, "index.safetensors": index });
    files["/files/index.safetensors"] = index;
    await load();
    assert.equal(cache.files.length, 2);
  });

  test("are those of a folder in Node", async () => {
    const folder = await mkdtemp(join(tmpdir(), "smooth clir #"));
    try {
      await writeFile(join(folder, "model.safetensors"), model);
      const manifest = join(folder, "manifest.json");
      await writeFile(manifest, manifestOf({ "model.safetensors": model }));
      const engine = await SmoothClir.load({ model: join(folder, "model.safetensors"), manifest });
      engine.close();
      await writeFile(join(folder, "model.safetensors"), index);
      await assert.rejects(
        SmoothClir.load({ model: join(folder, "model.safetensors"), manifest }),
        refusal("digest", `${join(folder, "model.safetensors")} does not match ${manifest}: ${index.length} bytes, expected ${model.length}`),
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe("files that are wrong", () => {
  test("in the cache are dropped and fetched once more", async () => {
    const first = await load();
    for (const key of cache.files) {
      const bytes = cache.kept.get(key);
      bytes[bytes.length >> 1] ^= 1;
    }
    assert.deepEqual(await load(), first);
    assert.deepEqual(asksForFiles(), [...BOTH, ...BOTH].sort());
    await load();
    assert.equal(asksForFiles().length, 4);
  });

  test("from the server are fetched once more, then refused and not kept", async () => {
    const bad = Buffer.from(model);
    bad[bad.length >> 1] ^= 1;
    files["/files/model.safetensors"] = bad;
    await assert.rejects(load(), refusal(
      "digest",
      `${base}/files/model.safetensors does not match ${base}/files/manifest.json: its SHA-256 is ${sha256(bad)}, expected ${sha256(model)}`,
    ));
    assert.equal(requested.filter((url) => url.includes("model.safetensors")).length, 2);
    assert.ok(!cache.files.some((key) => key.includes("model.safetensors")));
  });

  test("of another length are refused by that", async () => {
    files["/files/model.safetensors"] = model.subarray(1);
    await assert.rejects(load(), refusal("incomplete", `${base}/files/model.safetensors is incomplete: ${model.length - 1} of ${model.length} bytes arrived`));
  });

  test("which are a page are never kept", async () => {
    files["/files/model.safetensors"] = { bytes: Buffer.from("<p>Not here</p>"), type: "text/html" };
    await assert.rejects(load(), refusal("not-binary", `${base}/files/model.safetensors: expected a model or an index, but the server sent text/html`));
    assert.ok(!cache.files.some((key) => key.includes("model.safetensors")));
  });

  test("because the manifest does not list them are refused before they are fetched", async () => {
    files["/files/manifest.json"] = manifestOf({ "model.safetensors": model });
    await assert.rejects(load(), refusal("manifest", `${base}/files/manifest.json does not list ${base}/files/index.safetensors`));
    assert.ok(!requested.includes("/files/index.safetensors"));
  });
});

test("an invalid manifest is refused, with the reason", async () => {
  const entry = { bytes: 1, sha256: "0".repeat(64) };
  for (const [text, says] of [
    ["", "not JSON"],
    ["{", "not JSON"],
    [Buffer.from([0xff, 0xfe]), "not JSON"],
    ["null", "not a manifest of smooth-clir"],
    ["[]", "not a manifest of smooth-clir"],
    [JSON.stringify({ format: "smooth-clir-manifest", version: 2, files: {} }), "version 2 is not supported, expected 1"],
    [JSON.stringify({ format: "smooth-clir-manifest", version: 1 }), "`files` is missing"],
    ...[{ ...entry, bytes: -1 }, { ...entry, bytes: "1" }, { ...entry, sha256: "0" }, { bytes: 1 }, null, 1].map((wrong) => [
      JSON.stringify({ format: "smooth-clir-manifest", version: 1, files: { "a.safetensors": wrong } }),
      "a.safetensors has no valid `bytes` and `sha256`",
    ]),
    [JSON.stringify({ format: "smooth-clir-manifest", version: 1, files: { "http://[": entry } }), "invalid URL: `http://[`"],
  ]) {
    files["/files/manifest.json"] = { bytes: Buffer.from(text), type: "application/json" };
    await assert.rejects(load({ cache: false }), refusal("manifest", `${base}/files/manifest.json: ${says}`));
  }
  delete files["/files/manifest.json"];
  await assert.rejects(load(), refusal("http-status", `${base}/files/manifest.json: the server answered 404 Not Found`));
});
