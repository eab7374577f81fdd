// Fuzzes what JavaScript reads of strangers, manifests and links to the page: node pkg-scripts/fuzz-js.mjs [RUNS [SEED]]
// Each input is an earlier one changed at random; the same seed gives the same inputs. After pkg-scripts/build.
import { createServer } from "vite";
import { isDeepStrictEqual } from "node:util";
import { KnownFiles } from "../npm/dist/loading/manifest.js";

const runs = Number(process.argv[2] ?? 100_000);
let state = Number(process.argv[3] ?? 1) % 2147483647 || 1;
const draw = (below) => (state = (state * 48271) % 2147483647) % below;
const one = (list) => list[draw(list.length)];

const vite = await createServer({ root: "www", server: { middlewareMode: true, ws: false, watch: null }, logLevel: "error" });
// What the state's modules ask the browser when they are loaded.
globalThis.document = { baseURI: "https://example.org/", documentElement: { lang: "en" } };
globalThis.location = new URL(document.baseURI);
const { fromHash, toHash } = await vite.ssrLoadModule("/src/state/state.ts");

const digest = "0123456789abcdef".repeat(4);
const manifest = (files) => JSON.stringify({ format: "smooth-clir-manifest", version: 1, files });
const encoder = new TextEncoder();
const base = new URL("https://example.org/models/manifest.json");

const targets = {
  manifest: {
    seeds: [
      manifest({}),
      manifest({ "query.safetensors": { bytes: 12, sha256: digest } }),
      manifest({ "a/b.safetensors": { bytes: 0, sha256: digest }, "https://elsewhere/c": { bytes: 1, sha256: digest } }),
    ],
    pieces: ['"', "{", "}", ":", ",", "null", "[]", "-1", "1e99", "__proto__", "../", "http://[", "//", "\\u0000", "\ud800", digest],
    run(text) {
      try {
        KnownFiles.parse(encoder.encode(text), "fuzz", base);
      } catch (error) {
        if (error.code !== "manifest") throw error;
      }
    },
  },
  link: {
    seeds: ["", "#q=rain&e=0.5", "#view=gradients&q=%E6%9D%B1&lang=fr", toHash(fromHash("#q=a&e=1") ?? {}), "#embed=1&hide=search"],
    pieces: ["#", "&", "=", "%", "%00", "%ff", "q=", "e=", "view=", "NaN", "Infinity", "-0", "1e999", "lang=", ",", "\ud800", "__proto__="],
    run(text) {
      const read = fromHash(text);
      if (read === undefined) return;
      const written = toHash(read);
      // What is written for a state gives that state again.
      if (!isDeepStrictEqual(fromHash(written) ?? fromHash("#"), read) && written !== "") {
        throw new Error(`${JSON.stringify(text)} became ${written}, which is another state`);
      }
    },
  },
};

function changed(text, pieces, seeds) {
  let changed = text;
  for (let times = 1 + draw(4); times > 0; times--) {
    const at = draw(changed.length + 1);
    const [before, after] = [changed.slice(0, at), changed.slice(at)];
    changed = [
      () => before + one(pieces) + after,
      () => before + String.fromCharCode(draw(one([128, 0x10000]))) + after,
      () => before + after.slice(1 + draw(8)),
      () => before + after.slice(0, draw(20)) + after,
      () => before + one(seeds).slice(draw(40)),
    ][draw(5)]();
  }
  return changed.slice(0, 4096);
}

for (const [name, { seeds, pieces, run }] of Object.entries(targets)) {
  const kept = [...seeds];
  const begun = Date.now();
  for (let number = 0; number < runs; number++) {
    const text = changed(one(kept), pieces, seeds);
    try {
      run(text);
    } catch (error) {
      console.error(`${name}, run ${number}: ${JSON.stringify(text)}`);
      throw error;
    }
    // A pool of some hundred, so that changes add up.
    if (draw(50) === 0) kept[kept.length < 200 ? kept.length : seeds.length + draw(kept.length - seeds.length)] = text;
  }
  console.log(`${name}: ${runs} inputs in ${Math.round((Date.now() - begun) / 1000)} s`);
}
await vite.close();
