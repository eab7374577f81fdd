/** Bytes that arrive in pieces, in one buffer. @internal */
export class Arriving {
  #buffer: Uint8Array;
  #length = 0;

  /** `expected`: how many bytes there will be, if that is known. */
  constructor(expected = 0) {
    this.#buffer = new Uint8Array(expected);
  }

  /** How many have arrived. */
  get length(): number {
    return this.#length;
  }

  push(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#buffer.length) {
      // Of twice the size: each byte is moved once more on average, however many pieces there are.
      const larger = new Uint8Array(Math.max(length, 2 * this.#buffer.length));
      larger.set(this.#buffer.subarray(0, this.#length));
      this.#buffer = larger;
    }
    this.#buffer.set(piece, this.#length);
    this.#length = length;
  }

  /** What has arrived, with no spare room in its buffer. */
  bytes(): Uint8Array {
    return this.#length === this.#buffer.length ? this.#buffer : this.#buffer.slice(0, this.#length);
  }
}
