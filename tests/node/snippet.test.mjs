// What of a text is shown for a query, and what is marked in it.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { snippet } from "smooth-clir/snippet";

const taken = (...words) => words.map(([token, adds, ...terms]) => ({ token, adds, terms: terms.map((token) => ({ token, share: 1, count: 1 })) }));
/** The text with what is marked in brackets. */
const marked = ({ text, ranges }) =>
  ranges.reduceRight((text, [from, to]) => `${text.slice(0, from)}[${text.slice(from, to)}]${text.slice(to)}`, text);
const shown = (text, words, found) => marked(snippet(text, found, { words }));

describe("a snippet", () => {
  test("is a short text whole, with what was found marked", () => {
    assert.equal(shown("La pioggia cade.", 30, taken(["rain", 1, "pioggia"])), "La [pioggia] cade.");
  });

  test("is the beginning where nothing was found", () => {
    assert.equal(shown("one two three four", 2, []), "one two …");
  });

  test("is the stretch with most of what was found, in its middle", () => {
    const text = "a b c d rain e f g h rain hills i j k";
    assert.equal(shown(text, 4, taken(["rain", 1, "rain"], ["hills", 1, "hills"])), "… h [rain] [hills] i …");
  });

  test("prefers what adds most to what is there often", () => {
    const text = "hills hills hills hills x x x x rain x x x x";
    assert.equal(shown(text, 3, taken(["hills", 0.4, "hills"], ["rain", 1, "rain"])), "… x [rain] x …");
  });

  test("marks no words that add next to nothing", () => {
    assert.equal(shown("the rain", 9, taken(["the", 0.09, "the"], ["rain", 1, "rain"])), "the [rain]");
    const rain = { token: "rain", adds: 1, terms: [{ token: "pluie", share: 0.9, count: 1 }, { token: "il", share: 0.05, count: 1 }] };
    assert.equal(shown("il pleut, la pluie", 9, [rain]), "il pleut, la [pluie]");
  });

  test("takes words by their stems as the model does, and by other letter cases and apostrophes", () => {
    const found = taken(["rains", 1, "piog-"], ["to buy", 1, "-unua"], ["cow", 1, "ng'ombe"], ["water", 1, "eau"]);
    assert.equal(shown("PIOGGE, alinunua Ng’ombe l’eau", 9, found), "[PIOGGE], [alinunua] [Ng’ombe] l’[eau]");
  });

  test("takes pairs of characters where words have no spaces between them", () => {
    assert.equal(shown("東京都の雨", 9, taken(["capital", 1, "京都"])), "東[京都]の雨");
  });

  test("keeps characters of two units whole", () => {
    assert.equal(shown("𠮷𠮷 rain 🌧 x", 9, taken(["rain", 1, "rain"])), "𠮷𠮷 [rain] 🌧 x");
  });

  test("of no number of words has as many as usual, and one at least", () => {
    const text = "w ".repeat(40).trim();
    assert.equal(snippet(text, [], { words: Number.NaN }).text, snippet(text, []).text);
    for (const words of [0, -1, 1.5]) assert.equal(snippet(text, [], { words }).text, "w …");
  });

  test("is empty for a text without words", () => {
    assert.deepEqual(snippet("", taken(["rain", 1, "rain"])), { text: "", ranges: [] });
    assert.deepEqual(snippet("… — !", []), { text: "… — !", ranges: [] });
  });
});
