// Which words of a query count in the search box, by dot products alone.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Weights } from "../../npm/dist/search-box/weights.js";

/** Vectors of words and their weights in an encoder. */
const WORDS = { where: [1, 2, 0, 0.5], is: [0.2, 1, 1, 2], the: [0.5, 0.5, 0.5, 0.1], library: [-1, 0, 2, 1], book: [2, -1, 1, 0] };
const WEIGHTS = { where: 0.5, is: 0.1, the: 0.02, library: 1, book: 0.7 };
const DOCUMENTS = [[1, 0, 0, 1], [0, 1, 0, 2], [0, 0, 1, 0], [1, 1, 1, 1], [2, -1, 0, 1]];

const wordsOf = (query) => query.split(" ");
const mean = (words) => {
  const all = words.reduce((sum, word) => sum + (WEIGHTS[word] ?? 1), 0);
  return DOCUMENTS[0].map((_, at) => words.reduce((sum, word) => sum + ((WEIGHTS[word] ?? 1) * (WORDS[word] ?? [1, 1, word.length, 2])[at]) / all, 0));
};
/** The largest of each dimension: no mean of two words. */
const largest = (words) => DOCUMENTS[0].map((_, at) => Math.max(...words.map((word) => WORDS[word][at])));

function engineOf(encoder = mean, documentCount = DOCUMENTS.length) {
  const asked = [];
  const dots = async (query) => {
    asked.push(query);
    const vector = encoder(wordsOf(query));
    return { queryNorm: 1, dots: Float32Array.from(DOCUMENTS, (document) => document.reduce((sum, value, at) => sum + value * vector[at], 0)) };
  };
  const tokens = async (query) => wordsOf(query).map((token) => ({ token, known: token !== "zzyzx" }));
  return { engine: { documentCount, tokens, dots }, asked };
}
const counting = async (query, ...of) => {
  const { counts } = await new Weights(engineOf(...of).engine).of(query);
  return wordsOf(query).filter(counts);
};

describe("the words of a query that count", () => {
  test("have three fifths of the largest weight or more, whatever the first word is", async () => {
    for (const query of ["where is the library book", "the where book library is", "library the book is where"]) {
      assert.deepEqual(await counting(query), wordsOf(query).filter((word) => ["library", "book"].includes(word)), query);
    }
    // By the largest weight of the query, not by that of all words.
    assert.deepEqual(await counting("where is the"), ["where"]);
    assert.deepEqual(await counting("the"), ["the"]);
    const weights = new Weights(engineOf().engine);
    await weights.of("library");
    assert.deepEqual(["the", "is"].filter((await weights.of("the is")).counts), ["is"]);
    assert.deepEqual(await counting("the zzyzx"), ["the", "zzyzx"]);
  });

  test("are told from their stems, and none of another query's is lost", async () => {
    const { counts } = await new Weights(engineOf().engine).of("where is the library");
    assert.deepEqual(["libr-", "wher-", "-ary", "-ere", "elsewhere"].filter(counts), ["libr-", "-ary", "elsewhere"]);
    // A stem of two words counts if one of them does.
    assert.deepEqual(["wher-", "where"].filter((await new Weights(engineOf().engine).of("where whereby")).counts), ["wher-"]);
  });

  test("are all words of an encoder that is no mean", async () => {
    assert.deepEqual(await counting("where is the library book", largest), ["where", "is", "the", "library", "book"]);
  });

  test("are weighed once", async () => {
    const { engine, asked } = engineOf();
    const weights = new Weights(engine);
    await weights.of("where is");
    await weights.of("where is the");
    assert.deepEqual(asked.toSorted(), ["is", "the", "where", "where is", "where the"]);
  });

  test("are all words of a long query, and in a large collection", async () => {
    const long = (words) => ["the", ...Array.from({ length: words - 1 }, (_, at) => `word${"x".repeat(at)}`)].join(" ");
    assert.equal((await counting(long(24))).includes("the"), false);
    assert.equal((await counting(long(25))).includes("the"), true);
    assert.deepEqual(await counting("the library", mean, 100_000), ["library"]);
    assert.deepEqual(await counting("the library", mean, 100_001), ["the", "library"]);
  });
});
