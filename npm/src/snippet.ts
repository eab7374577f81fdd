import type { LexicalMatch } from "./types.js";

/** Part of a text. */
export interface Snippet {
  /** With `…` where the text continues. */
  text: string;
  /** The matched words in it: from and to, in UTF-16 units, ascending, disjoint. */
  ranges: [from: number, to: number][];
  /** For each range, the word of the query that it answers: the token of its match. */
  answers: string[];
}

interface Place {
  from: number;
  to: number;
  /** The number of the match; -1 if the word is not matched. */
  match: number;
}

// Words as the core splits texts: also at apostrophes, except in the letter ng' of Swahili.
const WORDS = /(?:ng['’](?=[aeiou])|[\p{L}\p{M}\p{N}\u200c\u200d])+/giu;
/** Signs that the core drops: of Arabic and Hindi, and joiners. */
const DROPPED = /[\u0640\u064b-\u0655\u0670\u093c\u200c\u200d]/gu;
/** Letters that the core reads as others: forms of alef, teh marbuta, alef maksura. */
const READ_AS: Record<string, string> = { "\u0622": "\u0627", "\u0623": "\u0627", "\u0625": "\u0627", "\u0671": "\u0627", "\u0629": "\u0647", "\u0649": "\u064a" };
/** Words that contribute less than this part of the largest contribution, such as articles and unlikely translations, are not highlighted. */
const LEAST_PART = 0.2;
/** Scripts without spaces between words: the core splits their texts into pairs of characters, and ideographs. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * The part of a document's text, of at most `words` words, that best matches a query: for a list of results. The
 * `matches` are those of {@link SmoothClir.matches}; if there are none, it is the text's beginning.
 *
 * ```js
 * const [matches] = await engine.matches("rain", [{ document: hit.id, language: hit.language }]);
 * const { text, ranges } = snippet(hit.text, matches);
 * ```
 */
export function snippet(text: string, matches: readonly LexicalMatch[], { words = 30 }: { words?: number } = {}): Snippet {
  // At least one word; the default for NaN.
  words = Number.isNaN(words) ? 30 : Math.max(Math.trunc(words), 1);
  const places = placesOf(text, matches);
  // A text without words: as many characters as that number of words would have.
  if (places.length === 0) return { text: [...text].slice(0, 6 * words).join(""), ranges: [], answers: [] };
  const first = bestStart(places, matches, words);
  const shown = places.slice(first, first + words);
  const from = first === 0 ? 0 : shown[0]!.from;
  const last = first + words >= places.length;
  const to = last ? text.length : shown.at(-1)!.to;
  const before = first === 0 ? "" : "… ";
  const moved = before.length - from;
  const matched = shown.filter(({ match }) => match >= 0);
  return {
    text: before + text.slice(from, to) + (last ? "" : " …"),
    ranges: matched.map(({ from, to }) => [from + moved, to + moved]),
    answers: matched.map(({ match }) => matches[match]!.token),
  };
}

/**
 * The words of a query that the token of a match, or of an answer of a snippet, is of: itself or, of a stem such as `bird-` or `-ing`, those of
 * `words` that begin or end so.
 */
export function answered(token: string, words: readonly string[]): string[] {
  const [head, tail] = [token.endsWith("-"), token.startsWith("-")];
  if ((!head && !tail) || words.includes(token)) return [token];
  const part = token.slice(tail ? 1 : 0, head ? -1 : undefined);
  return words.filter((word) => (head ? word.startsWith(part) : word.endsWith(part)));
}

/** The words of a text, with their matches. */
function placesOf(text: string, matches: readonly LexicalMatch[]): Place[] {
  const find = finder(matches);
  const places: Place[] = [];
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    if (!UNSPACED.test(word)) {
      places.push({ from: index, to: index + word.length, match: find(word) });
      continue;
    }
    // A matched pair stands for its two characters; where none is matched, an ideograph may be.
    const characters = [...word];
    let from = index;
    for (let at = 0; at < characters.length; ) {
      const pair = find(characters.slice(at, at + 2).join(""));
      const found = pair >= 0 ? pair : find(characters[at]!);
      const length = pair >= 0 ? 2 : 1;
      const to = from + characters.slice(at, at + length).join("").length;
      places.push({ from, to, match: found });
      from = to;
      at += length;
    }
  }
  return places;
}

/** Finds the match of a word: of several, that to which it contributes most. Terms such as `rain-` and `-enda` are stems. */
function finder(matches: readonly LexicalMatch[]): (word: string) => number {
  const whole = new Map<string, { match: number; contribution: number }>();
  const stems: { part: string; head: boolean; match: number; contribution: number }[] = [];
  // The contribution of each term, however often it occurs: the word of the text's subject is not lost among its repetitions.
  const each = matches.map(({ contribution, terms }) => {
    const all = terms.reduce((sum, { probability }) => sum + probability, 0);
    return terms.map(({ probability }) => (all > 0 ? (contribution * probability) / all : 0));
  });
  const least = LEAST_PART * Math.max(...each.flat());
  matches.forEach(({ terms }, number) => {
    for (const [at, { token }] of terms.entries()) {
      const found = { match: number, contribution: each[number]![at]! };
      if (found.contribution < least) continue;
      if (token.length > 1 && token.endsWith("-")) stems.push({ part: token.slice(0, -1), head: true, ...found });
      else if (token.length > 1 && token.startsWith("-")) stems.push({ part: token.slice(1), head: false, ...found });
      else if (found.contribution > (whole.get(token)?.contribution ?? -1)) whole.set(token, found);
    }
  });
  stems.sort((a, b) => b.contribution - a.contribution);
  return (word) => {
    const plain = word.normalize("NFKC").toLowerCase().replaceAll("’", "'").replace(DROPPED, "");
    const normal = plain.replace(/[\u0622-\u0671]/gu, (letter) => READ_AS[letter] ?? letter);
    const known = whole.get(normal);
    if (known !== undefined) return known.match;
    return stems.find(({ part, head }) => (head ? normal.startsWith(part) : normal.endsWith(part)))?.match ?? -1;
  };
}

/** The start of the window of `words` words with the largest sum of contributions, each match counted once. */
function bestStart(places: readonly Place[], matches: readonly LexicalMatch[], words: number): number {
  const counts = new Array<number>(matches.length).fill(0);
  const contribution = (number: number) => Math.max(matches[number]!.contribution, 0) + 1e-6;
  let [worth, most, at] = [0, 0, 0];
  places.forEach((place, end) => {
    if (place.match >= 0 && counts[place.match]!++ === 0) worth += contribution(place.match);
    const left = places[end - words];
    if (left && left.match >= 0 && --counts[left.match]! === 0) worth -= contribution(left.match);
    // A strict increase: the first window with this sum. It is moved below, so that the matches stand in its middle.
    if (worth > most + 1e-9) [most, at] = [worth, end];
  });
  if (most === 0) return 0;
  const begins = Math.max(at - words + 1, 0);
  const earliest = places.findIndex(({ match }, place) => place >= begins && match >= 0);
  const spare = words - (at - earliest + 1);
  return Math.max(Math.min(earliest - Math.floor(spare / 2), places.length - words), 0);
}
