// Every fetch of a visit fails once, in each way in which a network fails, and then succeeds.
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { SmoothClir, SmoothClirError } from "smooth-clir";
import { serve } from "../static-host.mjs";

const folder = fileURLToPath(new URL("../../www/public/generated/", import.meta.url));
const QUERY = "rain over the mountains";
const real = globalThis.fetch;

/** A body that breaks off in the middle. */
const brokenOff = (bytes) =>
  new ReadableStream({
    pull(controller) {
      controller.enqueue(bytes.subarray(0, bytes.length >> 1));
      controller.error(new TypeError("terminated"));
    },
  });

const FAULTS = {
  "the network fails": async () => {
    throw new TypeError("fetch failed");
  },
  "the server is busy": async () => new Response("busy", { status: 503 }),
  "a page comes instead": async () => new Response("<!doctype html><p>Sign in", { headers: { "content-type": "text/html" } }),
  "it breaks off": async (...given) => {
    const answer = await real(...given);
    return new Response(brokenOff(new Uint8Array(await answer.arrayBuffer())), { headers: answer.headers });
  },
  "half of it comes as if it were all": async (...given) => {
    const bytes = new Uint8Array(await (await real(...given)).arrayBuffer());
    return new Response(bytes.subarray(0, bytes.length >> 1));
  },
  "a file of another model comes": async () => real(`${host.url}methods/fr/lsi.safetensors`),
};

let host;

/** The calls of a visit, with its fetches counted from 0; the fetch with the number `at` fails. */
async function visit(fault, at, retries) {
  let count = 0;
  globalThis.fetch = (...given) => (count++ === at ? fault(...given) : real(...given));
  const of = (name) => host.url + name;
  const engine = await SmoothClir.start();
  const tried = async (act) => {
    const before = count;
    try {
      return await act();
    } catch (error) {
      assert.ok(error instanceof SmoothClirError && error.code !== "internal" && error.message.length > 10, String(error));
      assert.ok(at >= before && at < count, `an error where nothing failed: ${error}`);
      failed.push(error.code);
      return act();
    }
  };
  const failed = [];
  try {
    await tried(() => engine.loadModel(of("query.safetensors"), of("documents/fr/demo.safetensors"), { retries }));
    await tried(() => engine.addModel(of("document.fr.safetensors"), { retries }));
    const hits = await tried(() => engine.search(QUERY, { limit: 3, language: "fr" }));
    await engine.learn([{ query: QUERY, document: hits[2].id, language: "fr", grade: 2 }], { steps: 3 });
    const tuned = await tried(() => engine.search(QUERY, { limit: 3, language: "fr" }));
    return { hits, tuned, count, failed };
  } finally {
    globalThis.fetch = real;
    engine.close();
  }
}

describe("each fetch of a visit", () => {
  let whole;
  before(async () => {
    host = await serve("/", { folder });
    whole = await visit(undefined, -1, 0);
  });
  after(() => host.close());

  for (const [what, fault] of Object.entries(FAULTS)) {
    test(`if ${what}, the failure has a code, everything else works, and a retry succeeds`, async () => {
      assert.ok(whole.count >= 4, `${whole.count} fetches`);
      for (let at = 0; at < whole.count; at++) {
        const { hits, tuned, failed } = await visit(fault, at, 0);
        assert.deepEqual({ hits, tuned }, { hits: whole.hits, tuned: whole.tuned }, `fetch ${at}`);
        assert.ok(failed.length <= 1, failed.join());
      }
    });
  }

  test("temporary failures are retried without an error", async () => {
    for (const what of ["the network fails", "the server is busy", "it breaks off"]) {
      for (let at = 0; at < whole.count; at++) {
        const { hits, failed } = await visit(FAULTS[what], at, 3);
        assert.deepEqual({ hits, failed }, { hits: whole.hits, failed: [] }, `${what}, fetch ${at}`);
      }
    }
  });
});
