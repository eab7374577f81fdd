// Loading over a faulty network: a server that answers each request as a test tells it.
import assert from "node:assert/strict";
import { createServer, STATUS_CODES } from "node:http";
import { readFile } from "node:fs/promises";
import { after, before, beforeEach, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { SmoothClir } from "smooth-clir";

const model = await readFile(fileURLToPath(new URL("../golden/model.safetensors", import.meta.url)));
const half = model.length >> 1;
const whole = { "content-length": model.length, "accept-ranges": "bytes", etag: '"one"' };

/** Sends half of the file, then ends the connection. */
const breakOff = (headers) => (_, response) => {
  response.writeHead(200, headers);
  response.write(model.subarray(0, half), () => setTimeout(() => response.destroy(), 20));
};
/** Sends the requested range, if it is still of the requested version. */
const send = (headers) => (request, response) => {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
  const isRest = from > 0 && request.headers["if-range"] === headers.etag;
  if (!isRest) return response.writeHead(200, headers).end(model);
  const range = `bytes ${from}-${model.length - 1}/${model.length}`;
  response.writeHead(206, { ...headers, "content-length": model.length - from, "content-range": range });
  response.end(model.subarray(from));
};
const refuse = (status, headers = {}) => (_, response) => response.writeHead(status, headers).end("no");

let server;
let url;
/** The server's answers, one per request; the last for all further ones. */
let does;
let requested;

before(async () => {
  server = createServer((request, response) => {
    const answer = does[Math.min(requested.length, does.length - 1)];
    requested.push(request.headers.range ?? "all");
    answer(request, response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${server.address().port}/model`;
});
after(() => server.close());
beforeEach(() => (requested = []));

const load = async (options = {}) => {
  const engine = await SmoothClir.load({ model: url, ...options });
  engine.close();
};
const refusal = (code, message) => (error) => {
  assert.deepEqual({ code: error.code, message: error.message }, { code, message });
  return true;
};

describe("a download that breaks off", () => {
  test("resumes, and its progress never decreases", async () => {
    does = [breakOff(whole), send(whole)];
    const loaded = [];
    await load({ onProgress: (progress) => loaded.push(progress.loaded) });
    assert.deepEqual(requested, ["all", `bytes=${half}-`]);
    assert.deepEqual(loaded, loaded.toSorted((a, b) => a - b));
    assert.equal(loaded.at(-1), model.length);
  });

  test("starts again if the file has changed", async () => {
    does = [breakOff(whole), send({ ...whole, etag: '"two"' })];
    await load();
    assert.deepEqual(requested, ["all", `bytes=${half}-`]);
  });

  test("starts again if the server cannot send ranges, or does not name a version", async () => {
    for (const headers of [{ "accept-ranges": undefined }, { etag: undefined }, { etag: 'W/"weak"' }]) {
      const given = Object.entries({ ...whole, ...headers }).filter(([, value]) => value !== undefined);
      requested = [];
      does = [breakOff(Object.fromEntries(given)), send(whole)];
      await load();
      assert.deepEqual(requested, ["all", "all"]);
    }
  });

  test("starts again if another range than requested is sent", async () => {
    const range = `bytes ${half + 1}-${model.length - 1}/${model.length}`;
    const other = (_, response) =>
      response.writeHead(206, { ...whole, "content-length": half - 1, "content-range": range }).end(model.subarray(half + 1));
    does = [breakOff(whole), other, send(whole)];
    await load();
    assert.deepEqual(requested, ["all", `bytes=${half}-`, "all"]);
  });

  test("is refused after the last retry, with the number of bytes that arrived", async () => {
    does = [breakOff(whole)];
    const message = `${url} is incomplete: ${half} of ${model.length} bytes arrived`;
    await assert.rejects(load({ retries: 1 }), refusal("incomplete", message));
    assert.equal(requested.length, 2);
  });
});

describe("a server that is busy", () => {
  test("is retried", async () => {
    does = [refuse(503, { "retry-after": "0" }), refuse(429, { "retry-after": "0" }), send(whole)];
    await load();
    assert.equal(requested.length, 3);
  });

  test("is not waited for if it asks for a long wait", async () => {
    does = [refuse(503, { "retry-after": "3600" })];
    await assert.rejects(load(), refusal("http-status", `${url}: the server answered 503 Service Unavailable`));
    assert.equal(requested.length, 1);
  });

  test("is not asked again after an abort", async () => {
    does = [refuse(503, { "retry-after": "5" })];
    const controller = new AbortController();
    const loading = load({ signal: controller.signal });
    setTimeout(() => controller.abort(), 100);
    await assert.rejects(loading, (error) => error.name === "AbortError");
    assert.equal(requested.length, 1);
  });
});

describe("a file that is longer than it may be", () => {
  /** Sends pieces for as long as anyone takes them, and counts their bytes. */
  let sent;
  const endless = (headers) => (_, response) => {
    response.writeHead(200, headers);
    const piece = new Uint8Array(1 << 16);
    const more = () => {
      sent += piece.length;
      if (!response.destroyed) response.write(piece, () => setImmediate(more));
    };
    more();
  };
  beforeEach(() => (sent = 0));
  const message = (most) => `${url} has more than ${most} bytes`;

  test("is refused by the length that the server announces, before its bytes", async () => {
    does = [endless({ "content-length": 734_003_200 })];
    await assert.rejects(load({ maxBytes: 1_000_000 }), refusal("too-many-bytes", message(1_000_000)));
    assert.ok(sent < 20_000_000, `${sent} bytes were sent`);
    assert.equal(requested.length, 1);
  });

  test("is refused as its bytes come, where the server announces nothing", async () => {
    does = [endless({})];
    await assert.rejects(load({ maxBytes: 1_000_000 }), refusal("too-many-bytes", message(1_000_000)));
    assert.ok(sent < 20_000_000, `${sent} bytes were sent`);
    assert.equal(requested.length, 1);
  });

  test("is loaded at the limit, and refused one byte above it", async () => {
    does = [send(whole)];
    await load({ maxBytes: model.length });
    await assert.rejects(load({ maxBytes: model.length - 1 }), refusal("too-many-bytes", message(model.length - 1)));
  });

  test("on disk is refused unread", async () => {
    const path = fileURLToPath(new URL("../golden/model.safetensors", import.meta.url));
    const most = model.length - 1;
    await load({ model: path, maxBytes: model.length });
    await assert.rejects(load({ model: path, maxBytes: most }), refusal("too-many-bytes", `${path} has more than ${most} bytes`));
  });

  test("a limit that is none is refused", async () => {
    does = [send(whole)];
    for (const maxBytes of [0, 0.5, Number.NaN]) {
      await assert.rejects(load({ maxBytes }), (error) => error.code === "invalid-argument" && /`maxBytes`/.test(error.message));
    }
  });
});

test("a body that fills no buffer of ours, such as an extension's or an older browser's, is read by pieces", async (t) => {
  const sizes = [1, 7, 0, 100, half];
  t.mock.method(globalThis, "fetch", async () => {
    let at = 0;
    const body = new ReadableStream({
      pull(controller) {
        if (at >= model.length) return controller.close();
        const size = sizes.shift() ?? model.length;
        controller.enqueue(new Uint8Array(model.subarray(at, at + size)));
        at += size;
      },
    });
    assert.throws(() => body.getReader({ mode: "byob" }), TypeError);
    return new Response(body);
  });
  const loaded = [];
  await load({ onProgress: (progress) => loaded.push(progress.loaded) });
  assert.equal(loaded.at(-1), model.length);
});

test("permanent failures are not retried", async () => {
  for (const status of [404, 403, 501]) {
    requested = [];
    does = [refuse(status)];
    const message = `${url}: the server answered ${status} ${STATUS_CODES[status]}`;
    await assert.rejects(load(), refusal("http-status", message));
    assert.equal(requested.length, 1);
  }
  requested = [];
  does = [(_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>")];
  await assert.rejects(load(), refusal("not-binary", `${url}: expected a model or an index, but the server sent text/html`));
  assert.equal(requested.length, 1);
});

test("an error of the caller's `onProgress` is passed on as it is", async () => {
  does = [send(whole)];
  const onProgress = () => {
    throw new RangeError("mine");
  };
  await assert.rejects(load({ onProgress }), RangeError);
  assert.equal(requested.length, 1);
});

test("an invalid number of retries is refused", async () => {
  does = [send(whole)];
  for (const retries of [-1, 0.5, Number.NaN]) {
    const message = `\`retries\` must be a non-negative integer, got ${retries}`;
    await assert.rejects(load({ retries }), refusal("invalid-argument", message));
  }
  assert.equal(requested.length, 0);
});
