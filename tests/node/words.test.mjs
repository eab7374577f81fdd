// A model with translations, through the npm package in Node.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { SmoothClir } from "smooth-clir";

const folder = fileURLToPath(new URL("../../www/public/generated/", import.meta.url));
const query = join(folder, "models/query.safetensors");
const side = (language) => join(folder, `models/document.${language}.safetensors`);
const documents = ["fr", "it", "sw", "tl"].map((language) => join(folder, `documents/${language}/full.safetensors`));
const skip = existsSync(query) ? false : "the page was built without files in www/models";
const QUERY = "storm over the mountains";
const close = (found, expected) => assert.ok(Math.abs(found - expected) < 1e-6, `${found} ${expected}`);

describe("a model with translations", { skip }, () => {
  const load = (languages) => SmoothClir.load({ model: [query, ...languages.map(side)], documents });

  test("ranks by the dense and the lexical score, and `dense` is the weight of the first", async () => {
    const engine = await load(["fr"]);
    const search = (dense) => engine.search(QUERY, { language: "fr", limit: 3000, dense });
    const [usual, vectors, words] = [await search(), await search(1), await search(0)];
    for (const hits of [usual, vectors, words]) {
      assert.ok(hits.every(({ score }, place) => place === 0 || score <= hits[place - 1].score));
    }
    const [{ id }] = usual;
    const explain = (dense) => engine.explain(QUERY, { document: id, language: "fr", dense });
    for (const [hits, dense] of [[usual, undefined], [vectors, 1], [words, 0]]) {
      const hit = hits.find((hit) => hit.id === id);
      const { weights, similarity, lexical, score } = await explain(dense);
      close(hit.score, score);
      close(hit.similarity, similarity);
      close(score, weights[0] * similarity + weights[1] * lexical);
    }
    const [both, [dense]] = [(await explain()).weights, (await explain(1)).weights];
    close(dense, both[0] + both[1]);
    assert.equal((await explain(1)).weights[1], 0);
    assert.equal((await explain(0)).weights[0], 0);
    engine.close();
  });

  test("says in English what a word most likely stands for, as a dictionary has it", async () => {
    const engine = await load(["fr", "sw"]);
    const swahili = await engine.gloss(["maji", "Samaki", "mvua", "xqztq", ""], { language: "sw" });
    assert.deepEqual(swahili, ["water", "fish", "rain", undefined, undefined]);
    assert.deepEqual(await engine.gloss(["pluie", "l’eau"], { language: "fr" }), ["rain", "the water"]);
    // Neither translations nor documents.
    assert.deepEqual(await engine.gloss(["acqua"], { language: "it" }), [undefined]);
    assert.deepEqual(await engine.gloss([], { language: "fr" }), []);
    engine.close();
  });

  test("has the words of many documents that answer a query, as their explanations have them", async () => {
    const engine = await load(["fr", "sw"]);
    const hits = await engine.search(QUERY, { limit: 6 });
    const names = hits.map(({ id, language }) => ({ document: id, language }));
    const explained = await Promise.all(names.map((name) => engine.explain(QUERY, name)));
    assert.deepEqual(await engine.matches(QUERY, names), explained.map(({ matches }) => matches));
    assert.ok(explained.some(({ matches }) => matches.length > 0));
    assert.deepEqual(await engine.matches(QUERY, [{ document: "none" }, { document: hits[0].id, language: "zz" }]), [[], []]);
    engine.close();
  });

  test("explains which translations matched, and their contributions", async () => {
    const engine = await load(["fr"]);
    const [hit] = await engine.search(QUERY, { language: "fr" });
    const { matches, weights, lexical } = await engine.explain(QUERY, { document: hit.id, language: "fr" });
    assert.ok(matches.length > 0);
    close(matches.reduce((sum, { contribution }) => sum + contribution, 0), weights[1] * lexical);
    assert.ok(matches.some(({ token }) => token.endsWith("-")));
    const words = hit.text.normalize("NFKC").toLowerCase().match(/[\p{L}\p{N}]+/gu);
    // "rain-" is the four letters that words begin with.
    const isOf = (words, token) =>
      words.some((word) => (token.endsWith("-") ? word.slice(0, 4) === token.slice(0, -1) : word === token));
    for (const { token, terms } of matches) {
      assert.ok(isOf(QUERY.split(" "), token), token);
      for (const { token, probability, count } of terms) {
        assert.ok(probability > 0 && probability <= 1 && count >= 1);
        assert.ok(isOf(words, token), `${token} in: ${words.join(" ")}`);
      }
    }
    engine.close();
  });

  test("has no lexical score for a language whose document encoder is not loaded", async () => {
    const engine = await load(["fr"]);
    const hits = await engine.search(QUERY, { language: "sw" });
    assert.ok(hits.length > 0 && hits.every(({ lexical }) => !lexical));
    const { lexical, matches } = await engine.explain(QUERY, { document: hits[0].id, language: "sw" });
    assert.deepEqual([lexical, matches], [undefined, []]);
    engine.close();
  });

  test("is ranked in WebAssembly, with the reason", async () => {
    const engine = await load([]);
    const { kind, reason } = await engine.rankOnGpu({ force: true });
    assert.equal(kind, "wasm");
    assert.equal(reason, "this model has a lexical score, which is computed there");
    engine.close();
  });
});
