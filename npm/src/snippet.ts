import type { Taken } from "./types.js";

/** Part of a text. */
export interface Snippet {
  /** With `…` where the text goes on. */
  text: string;
  /** Where in it words are that were found: from and to, in UTF-16 units, rising, apart from each other. */
  ranges: [from: number, to: number][];
}

interface Place {
  from: number;
  to: number;
  /** Of the taken words, the one that was found here; -1 where none was. */
  taken: number;
}

// As the core splits texts: at apostrophes too, but for the letter ng' of Swahili.
const WORDS = /(?:ng['’](?=[aeiou])|[\p{L}\p{M}\p{N}])+/giu;
/** A word that adds less than this share of what the most telling one does is not marked: articles and their like. */
const LEAST_SHARE = 0.1;
/** Scripts without spaces between words, of whose texts the core takes pairs of characters. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/**
 * The part of a document's text that has most of what a query was taken for, for a list of results: of at most so many
 * `words`. `taken` comes from {@link SmoothClir.explain}; where it is empty, the text's beginning is taken.
 *
 * ```js
 * const why = await engine.explain("rain", { document: hit.id, language: hit.language });
 * const { text, ranges } = snippet(hit.text, why?.taken ?? []);
 * ```
 */
export function snippet(text: string, taken: readonly Taken[], { words = 30 }: { words?: number } = {}): Snippet {
  // One word at least; of what is no number, as many as usual.
  words = Number.isNaN(words) ? 30 : Math.max(Math.trunc(words), 1);
  const places = placesOf(text, taken);
  // No words at all: signs, of which as much as so many words would take.
  if (places.length === 0) return { text: [...text].slice(0, 6 * words).join(""), ranges: [] };
  const first = best(places, taken, words);
  const shown = places.slice(first, first + words);
  const from = first === 0 ? 0 : shown[0]!.from;
  const last = first + words >= places.length;
  const to = last ? text.length : shown.at(-1)!.to;
  const before = first === 0 ? "" : "… ";
  const moved = before.length - from;
  const ranges = shown.filter(({ taken }) => taken >= 0).map(({ from, to }): [number, number] => [from + moved, to + moved]);
  return { text: before + text.slice(from, to) + (last ? "" : " …"), ranges };
}

/** Each word of a text, and what was found there. */
function placesOf(text: string, taken: readonly Taken[]): Place[] {
  const find = finder(taken);
  const places: Place[] = [];
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    if (!UNSPACED.test(word)) {
      places.push({ from: index, to: index + word.length, taken: find(word) });
      continue;
    }
    // A pair that was found stands for its two characters.
    const characters = [...word];
    let from = index;
    for (let at = 0; at < characters.length; ) {
      const found = find(characters.slice(at, at + 2).join(""));
      const length = found >= 0 ? 2 : 1;
      const to = from + characters.slice(at, at + length).join("").length;
      places.push({ from, to, taken: found });
      from = to;
      at += length;
    }
  }
  return places;
}

/** Which of the taken words a word is found for. Terms such as `rain-` and `-enda` are stems. */
function finder(taken: readonly Taken[]): (word: string) => number {
  const whole = new Map<string, number>();
  const stems: { part: string; head: boolean; taken: number }[] = [];
  // What a word adds where it stands once.
  const each = taken.map(({ adds, terms }) => {
    const all = terms.reduce((sum, { share, count }) => sum + share * count, 0);
    return terms.map(({ share }) => (all > 0 ? (adds * share) / all : 0));
  });
  const least = LEAST_SHARE * Math.max(...each.flat());
  taken.forEach(({ terms }, number) => {
    for (const [at, { token }] of terms.entries()) {
      if (each[number]![at]! < least) continue;
      if (token.length > 1 && token.endsWith("-")) stems.push({ part: token.slice(0, -1), head: true, taken: number });
      else if (token.length > 1 && token.startsWith("-")) stems.push({ part: token.slice(1), head: false, taken: number });
      else if (!whole.has(token)) whole.set(token, number);
    }
  });
  return (word) => {
    const normal = word.normalize("NFKC").toLowerCase().replaceAll("’", "'");
    const known = whole.get(normal);
    if (known !== undefined) return known;
    return stems.find(({ part, head }) => (head ? normal.startsWith(part) : normal.endsWith(part)))?.taken ?? -1;
  };
}

/** Where the stretch of so many words begins that has most of what was taken, each counted once by what it adds. */
function best(places: readonly Place[], taken: readonly Taken[], words: number): number {
  const counts = new Array<number>(taken.length).fill(0);
  const adds = (number: number) => Math.max(taken[number]!.adds, 0) + 1e-6;
  let [worth, most, at] = [0, 0, 0];
  places.forEach((place, end) => {
    if (place.taken >= 0 && counts[place.taken]!++ === 0) worth += adds(place.taken);
    const left = places[end - words];
    if (left && left.taken >= 0 && --counts[left.taken]! === 0) worth -= adds(left.taken);
    // Found words stand in the middle of what is shown rather than at its end.
    if (worth > most + 1e-9) [most, at] = [worth, end];
  });
  if (most === 0) return 0;
  const begins = Math.max(at - words + 1, 0);
  const earliest = places.findIndex(({ taken }, place) => place >= begins && taken >= 0);
  const spare = words - (at - earliest + 1);
  return Math.max(Math.min(earliest - Math.floor(spare / 2), places.length - words), 0);
}
