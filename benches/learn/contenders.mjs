// The same fine-tuning for each contender: relevance judgements on documents of the built-in corpus, full batches, SOSL
// through smooth cosine similarity, tanh and the mean, Adam. Each gives a function that takes so
// many steps and returns the loss before the last of them.
import * as tf from "@tensorflow/tfjs-core";
import { setThreadsCount, setWasmPaths } from "@tensorflow/tfjs-backend-wasm";
import "@tensorflow/tfjs-backend-webgpu";
import "@tensorflow/tfjs-core/dist/register_all_gradients.js";

import { places, encoder, strings, tensors } from "./files.mjs";

const LANGUAGE = "fr";
const QUERIES = 16;
const RATE = 1e-4;

const bytes = async (url) => new Uint8Array(await (await fetch(url)).arrayBuffer());

/** Queries of three words each, on four documents each, with grades in turn. */
function judgementsOf(query, index) {
  const plain = query.words.filter((word) => /^[a-z]{4,}$/.test(word));
  const [ids, texts] = [strings(index, "ids"), strings(index, "texts")];
  const which = index.config.languages.indexOf(LANGUAGE);
  const language = index.get("language");
  const documents = ids.map((id, at) => ({ id, text: texts[at] })).filter((_, at) => language[at] === which);
  return Array.from({ length: 4 * QUERIES }, (_, number) => {
    const words = [0, 1, 2].map((word) => plain[(97 * (3 * (number >> 2) + word)) % plain.length]);
    const { id, text } = documents[(13 * number) % documents.length];
    return { query: words.join(" "), document: id, text, language: LANGUAGE, grade: number % 3 };
  });
}

async function smoothClir(files, judgements, device) {
  const { SmoothClir } = await import(files.package);
  const model = [files.query, files.document];
  const engine = await SmoothClir.load({ model, documents: files.documents, worker: false });
  return async (steps) => {
    const learned = await engine.learn(judgements, { steps, learningRate: RATE, device });
    if (learned.device.kind !== device) throw new Error(learned.device.reason);
    return learned.losses.at(-1);
  };
}

/** The rows that texts touch, and how much of each goes into each text's mean. */
function touched(encoder, texts) {
  const words = texts.map((text) => places(encoder, text));
  const rows = [...new Set(words.flat())].sort((a, b) => a - b);
  const at = new Map(rows.map((row, place) => [row, place]));
  const shares = new Float32Array(texts.length * rows.length);
  for (const [text, its] of words.entries()) {
    for (const word of its) shares[text * rows.length + at.get(word)] += 1 / its.length;
  }
  const { dimension } = encoder;
  const numbers = rows.flatMap((row) => [...encoder.rows.subarray(row * dimension, (row + 1) * dimension)]);
  return { rows: tf.variable(tf.tensor2d(numbers, [rows.length, dimension])), shares: tf.tensor2d(shares, [texts.length, rows.length]) };
}

async function tensorflow(files, judgements, config, encoders, backend) {
  setWasmPaths(files.base);
  setThreadsCount(1);
  if (!(await tf.setBackend(backend))) throw new Error(`no ${backend}`);
  await tf.ready();
  const texts = [judgements.map(({ query }) => query), judgements.map(({ text }) => text)];
  const [q, d] = encoders.map((encoder, which) => touched(encoder, texts[which]));
  const edges = [-1, ...config.thresholds, 1];
  const from = tf.tensor1d(judgements.map(({ grade }) => edges[grade]));
  const to = tf.tensor1d(judgements.map(({ grade }) => edges[grade + 1]));
  const norm = (vectors) => tf.add(tf.sqrt(tf.sum(tf.square(vectors), 1)), config.epsilon);
  const loss = () => {
    const [x, y] = [q, d].map(({ shares, rows }) => tf.tanh(tf.matMul(shares, rows)));
    const r = tf.div(tf.sum(tf.mul(x, y), 1), tf.mul(norm(x), norm(y)));
    return tf.mean(tf.add(tf.square(tf.relu(tf.sub(from, r))), tf.square(tf.relu(tf.sub(r, to)))));
  };
  const adam = tf.train.adam(RATE, 0.9, 0.999, 1e-8);
  return async (steps) => {
    let last = Number.NaN;
    for (let step = 0; step < steps; step++) {
      const value = adam.minimize(loss, true);
      // The loss is shown after each step, as ours is.
      [last] = await value.data();
      value.dispose();
    }
    return last;
  };
}

/** A contender by name; `files` says where its files are. */
export async function prepare(name, files) {
  const [model, document, index] = (await Promise.all([files.query, files.document, files.documents].map(bytes))).map(tensors);
  const encoders = [encoder(model, "query"), encoder(document, `document.${LANGUAGE}`)];
  const judgements = judgementsOf(encoders[0], index);
  const [library, device] = name.split(" ");
  if (library === "smooth-clir") return smoothClir(files, judgements, device);
  return tensorflow(files, judgements, model.config, encoders, device);
}
