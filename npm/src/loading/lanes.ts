import { DOWNLOADS } from "../limits.js";

/** Runs tasks a few at a time, in the order in which they come. @internal */
export class Lanes {
  #free = DOWNLOADS;
  readonly #waiting: (() => void)[] = [];

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((begin) => this.#waiting.push(begin));
    try {
      return await task();
    } finally {
      // The lane goes to the next one.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
