// Each contender, in Node and in Chromium alike: from documents to a function from a query to the
// places of the best ten. Rivals hold vectors of length 1, so that their dot products and
// distances order documents as cosines do.
import * as tf from "@tensorflow/tfjs-core";
import { setThreadsCount, setWasmPaths } from "@tensorflow/tfjs-backend-wasm";
import * as ort from "onnxruntime-web/wasm";
import * as ours from "ours";
import initSqlite from "sqlite-vec-wasm-demo";
import * as voy from "voy-search/voy_search_bg.js";

import { matrixProduct } from "./onnx.mjs";

const DIMENSION = 64;
const LIMIT = 10;

const bytes = async (url) => (await fetch(url)).arrayBuffer();

function toUnitLength(vectors) {
  for (let start = 0; start < vectors.length; start += DIMENSION) {
    const vector = vectors.subarray(start, start + DIMENSION);
    const norm = Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));
    for (let i = 0; i < DIMENSION; i++) vector[i] /= norm;
  }
  return vectors;
}

/** The places of the largest numbers, largest first. */
class Best {
  places = [];
  scores = [];
  bar = -Infinity;

  offer(place, score) {
    let at = this.scores.length;
    while (at > 0 && this.scores[at - 1] < score) at--;
    this.scores.splice(at, 0, score);
    this.places.splice(at, 0, place);
    if (this.scores.length > LIMIT) {
      this.scores.pop();
      this.places.pop();
    }
    if (this.scores.length === LIMIT) this.bar = this.scores[LIMIT - 1];
  }

  static of(scores) {
    const best = new Best();
    for (let place = 0; place < scores.length; place++) {
      if (scores[place] > best.bar) best.offer(place, scores[place]);
    }
    return best.places;
  }
}

function javascript(vectors) {
  return (query) => {
    const best = new Best();
    const count = vectors.length / DIMENSION;
    for (let place = 0; place < count; place++) {
      let [a, b, c, d] = [0, 0, 0, 0];
      const start = place * DIMENSION;
      for (let i = 0; i < DIMENSION; i += 4) {
        a += vectors[start + i] * query[i];
        b += vectors[start + i + 1] * query[i + 1];
        c += vectors[start + i + 2] * query[i + 2];
        d += vectors[start + i + 3] * query[i + 3];
      }
      const score = a + b + (c + d);
      if (score > best.bar) best.offer(place, score);
    }
    return best.places;
  };
}

async function smoothClir(vectors, base, integers) {
  await ours.default({ module_or_path: bytes(`${base}ours.wasm`) });
  const documents = new ours.Documents(vectors, integers);
  return (query) => documents.search(query, LIMIT);
}

async function onnxruntime(vectors, base) {
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmBinary = await bytes(`${base}ort-wasm-simd-threaded.wasm`);
  const session = await ort.InferenceSession.create(matrixProduct(vectors, DIMENSION), {
    executionProviders: ["wasm"],
  });
  return async (query) => {
    const { scores } = await session.run({ query: new ort.Tensor("float32", query, [DIMENSION, 1]) });
    const places = Best.of(scores.data);
    scores.dispose();
    return places;
  };
}

async function tensorflow(vectors, base) {
  // In Node it opens files.
  setWasmPaths(globalThis.wasmFolder ?? base);
  setThreadsCount(1);
  if (!(await tf.setBackend("wasm"))) throw new Error("no backend");
  const documents = tf.tensor2d(vectors, [vectors.length / DIMENSION, DIMENSION]);
  return (query) => {
    const column = tf.tensor2d(query, [DIMENSION, 1]);
    const scores = tf.matMul(documents, column);
    const places = Best.of(scores.dataSync());
    tf.dispose([column, scores]);
    return places;
  };
}

async function sqliteVec(vectors, base) {
  const sqlite = await initSqlite({ locateFile: (name) => base + name });
  const database = new sqlite.oo1.DB(":memory:");
  database.exec(`create virtual table documents using vec0(vector float[${DIMENSION}])`);
  const insert = database.prepare("insert into documents(rowid, vector) values (?, ?)");
  database.transaction(() => {
    for (let place = 0; place * DIMENSION < vectors.length; place++) {
      const vector = vectors.slice(place * DIMENSION, (place + 1) * DIMENSION);
      insert.bind([place, vector.buffer]).stepReset();
    }
  });
  const select = database.prepare(
    `select rowid from documents where vector match ? and k = ${LIMIT} order by distance`,
  );
  return (query) => {
    select.bind(1, query.slice().buffer);
    const places = [];
    while (select.step()) places.push(select.getInt(0));
    select.reset();
    return places;
  };
}

async function voySearch(vectors, base) {
  const imports = { "./voy_search_bg.js": voy };
  const { instance } = await WebAssembly.instantiate(await bytes(`${base}voy_search_bg.wasm`), imports);
  voy.__wbg_set_wasm(instance.exports);
  const embeddings = Array.from({ length: vectors.length / DIMENSION }, (_, place) => ({
    id: String(place),
    title: "",
    url: "",
    embeddings: Array.from(vectors.subarray(place * DIMENSION, (place + 1) * DIMENSION)),
  }));
  const index = new voy.Voy({ embeddings });
  return (query) => index.search(query, LIMIT).neighbors.map(({ id }) => Number(id));
}

const contenders = {
  "smooth-clir f32": (vectors, base) => smoothClir(vectors, base, false),
  "smooth-clir i8": (vectors, base) => smoothClir(vectors, base, true),
  "JavaScript": (vectors) => javascript(toUnitLength(vectors)),
  "onnxruntime-web": (vectors, base) => onnxruntime(toUnitLength(vectors), base),
  "tfjs-backend-wasm": (vectors, base) => tensorflow(toUnitLength(vectors), base),
  "sqlite-vec": (vectors, base) => sqliteVec(toUnitLength(vectors), base),
  "voy": (vectors, base) => voySearch(toUnitLength(vectors), base),
};

/** A function that times queries of `base`, one after the other. */
export async function prepare(contender, base) {
  const queries = toUnitLength(new Float32Array(await bytes(`${base}queries.f32`)));
  const documents = new Float32Array(await bytes(`${base}documents.f32`));
  const search = await contenders[contender](documents, base);
  return async (first, count) => {
    let found;
    const start = performance.now();
    for (let number = first; number < first + count; number++) {
      const at = (number * DIMENSION) % queries.length;
      found = search(queries.subarray(at, at + DIMENSION));
      // A promise costs time, so only who gives one waits for it.
      if (found instanceof Promise) found = await found;
    }
    return { milliseconds: performance.now() - start, found: Array.from(found) };
  };
}
