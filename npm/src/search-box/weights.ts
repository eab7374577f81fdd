// Which words of a query count: function words are neither highlighted nor looked for on the page that a result opens.
import type { SmoothClir } from "../engine/engine.js";
import { WEIGHED_DOCUMENTS, WEIGHED_WORDS } from "../limits.js";

/** A word of less than this part of the largest weight in a query is a function word. */
const LEAST_WEIGHT = 0.6;
/** How much of a vector may be unexplained by a mean of two others, as a share of its squared length. */
const RESIDUAL = 1e-4;

/** The words of a query. */
export interface QueryWords {
  /** As the model reads them. */
  all: string[];
  /** Whether a match, which names a word or the stem of one, is of a word that counts. */
  counts: (token: string) => boolean;
}

/**
 * The weights of words in the query encoder. An encoder that averages makes the vector of two words the mean of theirs, by
 * their weights; the dot products with the documents show these, since dot products are linear. Words of any other encoder,
 * and of a query in a language of the documents, all count.
 */
export class Weights {
  readonly #engine: SmoothClir;
  /** By word, relative to the first word that was weighed. */
  readonly #known = new Map<string, Promise<number | undefined>>();
  #first: { word: string; dots: Promise<Float32Array> } | undefined;

  constructor(engine: SmoothClir) {
    this.#engine = engine;
  }

  /** Which words of a query count. */
  async of(query: string): Promise<QueryWords> {
    const tokens = await this.#engine.tokens(query);
    const known = tokens.filter(({ known }) => known).map(({ token, interpreted = token }) => interpreted.toLowerCase());
    const all = [...new Set(known)];
    if (all.length > WEIGHED_WORDS || this.#engine.documentCount > WEIGHED_DOCUMENTS) return { all, counts: () => true };
    const weights = await Promise.all(all.map((word) => this.#weight(word)));
    const least = LEAST_WEIGHT * Math.max(...weights.map((weight) => weight ?? 0));
    const isLow = (word: string) => (weights[all.indexOf(word)] ?? Infinity) < least;
    return {
      all,
      counts: (token) => {
        const [head, tail] = [token.endsWith("-"), token.startsWith("-")];
        const part = token.slice(tail ? 1 : 0, head ? -1 : undefined);
        const named = all.filter((word) => (head ? word.startsWith(part) : tail ? word.endsWith(part) : word === token));
        return named.length === 0 || !named.every(isLow);
      },
    };
  }

  #weight(word: string): Promise<number | undefined> {
    this.#first ??= { word, dots: this.#dots(word) };
    const known = this.#known.get(word) ?? (word === this.#first.word ? Promise.resolve(1) : this.#weigh(word, this.#first));
    this.#known.set(word, known);
    known.catch(() => this.#known.delete(word));
    return known;
  }

  async #dots(query: string): Promise<Float32Array> {
    return (await this.#engine.dots(query)).dots;
  }

  async #weigh(word: string, first: { word: string; dots: Promise<Float32Array> }): Promise<number | undefined> {
    const [base, alone, both] = await Promise.all([first.dots, this.#dots(word), this.#dots(`${first.word} ${word}`)]);
    // The share s of the word in both = (1 - s) base + s alone, by least squares.
    let [product, square] = [0, 0];
    base.forEach((from, place) => {
      const difference = alone[place]! - from;
      product += (both[place]! - from) * difference;
      square += difference * difference;
    });
    const share = product / square;
    let [unexplained, length] = [0, 0];
    both.forEach((found, place) => {
      unexplained += (found - (1 - share) * base[place]! - share * alone[place]!) ** 2;
      length += found * found;
    });
    return share > 0 && share < 1 && unexplained < RESIDUAL * length ? share / (1 - share) : undefined;
  }
}
