/**
 * How many files are downloaded at once. By HTTP/1.1 a browser opens six connections to a host: three are left for what a person
 * waits for meanwhile, such as texts of results.
 */
const LANES = 3;

/** Runs tasks a few at a time, in the order in which they come. @internal */
export class Lanes {
  #free = LANES;
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
