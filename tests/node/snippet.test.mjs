// The part of a text that is shown for a query, and the words that are highlighted in it.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { answered, snippet } from "smooth-clir/snippet";

const matches = (...words) =>
  words.map(([token, contribution, ...terms]) => ({ token, contribution, terms: terms.map((token) => ({ token, probability: 1, count: 1 })) }));
/** The text with the highlighted words in brackets. */
const marked = ({ text, ranges }) =>
  ranges.reduceRight((text, [from, to]) => `${text.slice(0, from)}[${text.slice(from, to)}]${text.slice(to)}`, text);
const shown = (text, words, found) => marked(snippet(text, found, { words }));

describe("a snippet", () => {
  test("is a short text whole, with the matches highlighted", () => {
    assert.equal(shown("La pioggia cade.", 30, matches(["rain", 1, "pioggia"])), "La [pioggia] cade.");
  });

  test("is the beginning of the text without matches", () => {
    assert.equal(shown("one two three four", 2, []), "one two …");
  });

  test("is the window with the best matches, in its middle", () => {
    const text = "a b c d rain e f g h rain hills i j k";
    assert.equal(shown(text, 4, matches(["rain", 1, "rain"], ["hills", 1, "hills"])), "… h [rain] [hills] i …");
  });

  test("prefers the largest contribution to the most frequent word", () => {
    const text = "hills hills hills hills x x x x rain x x x x";
    assert.equal(shown(text, 3, matches(["hills", 0.4, "hills"], ["rain", 1, "rain"])), "… x [rain] x …");
  });

  test("highlights no words with very small contributions", () => {
    assert.equal(shown("the rain", 9, matches(["the", 0.09, "the"], ["rain", 1, "rain"])), "the [rain]");
    const rain = { token: "rain", contribution: 1, terms: [{ token: "pluie", probability: 0.9, count: 1 }, { token: "il", probability: 0.05, count: 1 }] };
    assert.equal(shown("il pleut, la pluie", 9, [rain]), "il pleut, la [pluie]");
  });

  test("highlights a word of the text's subject however often the text repeats it", () => {
    const often = { token: "package", contribution: 0.5, terms: [{ token: "paquets", probability: 1, count: 7 }] };
    assert.equal(shown("installer des paquets", 9, [...matches(["install", 1, "installer"]), often]), "[installer] des [paquets]");
  });

  test("matches stems as the model does, and other letter cases and apostrophes", () => {
    const found = matches(["rains", 1, "piog-"], ["to buy", 1, "-unua"], ["cow", 1, "ng'ombe"], ["water", 1, "eau"]);
    assert.equal(shown("PIOGGE, alinunua Ng’ombe l’eau", 9, found), "[PIOGGE], [alinunua] [Ng’ombe] l’[eau]");
  });

  test("says of each highlighted word which word of the query it answers", () => {
    const found = matches(["rain", 1, "pluie", "averse"], ["hills", 1, "colline-"]);
    const { text, ranges, answers } = snippet("Une averse, puis la pluie sur les collines.", found);
    assert.deepEqual(ranges.map(([from, to]) => text.slice(from, to)), ["averse", "pluie", "collines"]);
    assert.deepEqual(answers, ["rain", "rain", "hills"]);
  });

  test("takes of two words that a word may answer the one that it answers more likely", () => {
    const bird = { token: "bird", contribution: 1, terms: [{ token: "kuruka", probability: 0.3, count: 1 }, { token: "ndege", probability: 0.7, count: 1 }] };
    const found = [bird, ...matches(["fly", 1, "kuruka"])];
    assert.deepEqual(snippet("ndege huyu hawezi kuruka", found).answers, ["bird", "fly"]);
  });

  test("matches pairs of characters in scripts without spaces", () => {
    assert.equal(shown("東京都の雨", 9, matches(["capital", 1, "京都"])), "東[京都]の雨");
    assert.equal(shown("大雨の都", 9, matches(["rain", 1, "雨"], ["capital", 1, "京都"])), "大[雨]の都");
  });

  test("matches Arabic and Hindi words with and without signs that may be left out", () => {
    assert.equal(shown("في المَدْرَسَة الكبيرة", 9, matches(["school", 1, "المدرسه"])), "في [المَدْرَسَة] الكبيرة");
    assert.equal(shown("إلى أحمد", 9, matches(["ahmad", 1, "احمد"], ["to", 1, "الي"])), "[إلى] [أحمد]");
    assert.equal(shown("मुझे ज़रूरत है", 9, matches(["need", 1, "जरूरत"])), "मुझे [ज़रूरत] है");
    assert.equal(shown("क्\u200dषमा", 9, matches(["pardon", 1, "क्षमा"])), "[क्\u200dषमा]");
  });

  test("keeps characters of two units whole", () => {
    assert.equal(shown("𠮷𠮷 rain 🌧 x", 9, matches(["rain", 1, "rain"])), "𠮷𠮷 [rain] 🌧 x");
  });

  test("has the default number of words for NaN, and at least one", () => {
    const text = "w ".repeat(40).trim();
    assert.equal(snippet(text, [], { words: Number.NaN }).text, snippet(text, []).text);
    for (const words of [0, -1, 1.5]) assert.equal(snippet(text, [], { words }).text, "w …");
  });

  test("is empty for a text without words", () => {
    assert.deepEqual(snippet("", matches(["rain", 1, "rain"])), { text: "", ranges: [], answers: [] });
    assert.deepEqual(snippet("… — !", []), { text: "… — !", ranges: [], answers: [] });
  });
});

test("what a match is of is its word or, of a stem, the words of the query that begin or end so", () => {
  const words = ["bird", "birds", "walking", "rain-"];
  for (const [token, expected] of [
    ["bird", ["bird"]],
    ["wing", ["wing"]],
    ["bird-", ["bird", "birds"]],
    ["-ing", ["walking"]],
    ["rain-", ["rain-"]],
    ["wing-", []],
  ]) {
    assert.deepEqual(answered(token, words), expected, token);
  }
});
