/** Milliseconds of work after which messages are received. */
const TURN_MS = 8;

/** Splits long work into turns, between which messages are received. */
export class Turns {
  #start = performance.now();

  /** Whether the turn has lasted long enough. */
  get isOver(): boolean {
    return performance.now() - this.#start >= TURN_MS;
  }

  /** Receives messages, and starts the next turn. */
  async next(): Promise<void> {
    await nextTask();
    this.#start = performance.now();
  }
}

/** The next task of the event loop. Not a timer: in a hidden tab each would wait for a second. */
const nextTask = () =>
  new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
