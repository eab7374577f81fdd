// Which words of a query count in the search box.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { queryWords } from "../../npm/dist/search-box/query-words.js";

/** Weights of words in an encoder. */
const WEIGHTS = { where: 0.5, is: 0.1, the: 0.02, library: 1, book: 0.7, whereby: 0.9 };
const tokensOf = (query) => query.split(" ").map((token) => ({ token, known: token !== "zzyzx", weight: WEIGHTS[token] }));
const counting = (query, ...of) => of.filter(queryWords(tokensOf(query)).counts);

describe("the words of a query that count", () => {
  test("have three fifths of the query's largest weight or more", () => {
    assert.deepEqual(counting("where is the library book", "where", "is", "the", "library", "book"), ["library", "book"]);
    assert.deepEqual(counting("where is the", "where", "is", "the"), ["where"]);
    assert.deepEqual(counting("the", "the"), ["the"]);
  });

  test("are told from their stems, and a stem of two words counts if one of them does", () => {
    assert.deepEqual(counting("where is the library", "libr-", "wher-", "-ary", "-ere", "elsewhere"), ["libr-", "-ary", "elsewhere"]);
    assert.deepEqual(counting("where whereby", "wher-", "where"), ["wher-"]);
  });

  test("are all words of a model that weighs them alike, and words without a row", () => {
    const alike = "where is the".split(" ").map((token) => ({ token, known: true }));
    assert.deepEqual(["where", "the"].filter(queryWords(alike).counts), ["where", "the"]);
    assert.deepEqual(counting("the library cassowary", "the", "cassowary"), ["cassowary"]);
  });

  test("are the spellings that the model reads", () => {
    const { all, counts } = queryWords([{ token: "libary", known: true, interpreted: "library", weight: 1 }, ...tokensOf("the zzyzx")]);
    assert.deepEqual(all, ["library", "the"]);
    assert.deepEqual(["library", "the"].filter(counts), ["library"]);
  });
});
