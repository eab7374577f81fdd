// What is said on standard error, and on standard output.

/** Milliseconds between two lines of progress in a log, and between two on a terminal. */
const LOG_MS = 30_000;
const TERMINAL_MS = 100;

/** Control characters but tabs and ends of lines, and those that turn the direction of a text: files may hold some. */
const ACTS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

export const harmless = (text: string): string => text.replace(ACTS, " ");

/** Writes notes and progress to standard error, and results to standard output. */
export class Terminal {
  readonly #isQuiet: boolean;
  readonly #isTerminal = process.stderr.isTTY === true;
  /** Whether a line of progress stands on the terminal. */
  #isOnLine = false;

  constructor({ quiet = false } = {}) {
    this.#isQuiet = quiet;
  }

  /** A line for the person, unless the command is quiet. */
  note(text: string): void {
    if (this.#isQuiet) return;
    this.clear();
    process.stderr.write(`${harmless(text)}\n`);
  }

  /** A line of the result. */
  result(text: string): void {
    if (this.#isQuiet) return;
    this.clear();
    process.stdout.write(`${harmless(text)}\n`);
  }

  /** Shows how far a task is: a line that is replaced on a terminal, a line every half a minute in a log. */
  progress(task: string): Progress {
    const begun = Date.now();
    let told = this.#isTerminal ? 0 : begun;
    return {
      tell: (done, all) => {
        const now = Date.now();
        if (this.#isQuiet || now - told < (this.#isTerminal ? TERMINAL_MS : LOG_MS)) return;
        told = now;
        const line = `${task}: ${done.toLocaleString("en")} of ${all.toLocaleString("en")}${leftOf(now - begun, done, all)}`;
        if (this.#isTerminal) {
          process.stderr.write(`\r\u001b[K${harmless(line)}`);
          this.#isOnLine = true;
        } else {
          process.stderr.write(`${harmless(line)}\n`);
        }
      },
      end: () => this.clear(),
    };
  }

  /** Removes the line of progress. */
  clear(): void {
    if (this.#isOnLine) process.stderr.write("\r\u001b[K");
    this.#isOnLine = false;
  }
}

export interface Progress {
  tell(done: number, all: number): void;
  end(): void;
}

/** The estimate of the time that is left, once a second has passed. */
function leftOf(milliseconds: number, done: number, all: number): string {
  if (milliseconds < 1000 || done <= 0) return "";
  return `, ${duration((milliseconds / done) * (all - done))} left`;
}

/** A duration in seconds, or in minutes and seconds. */
export function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A number of things, as in 1,234 passages. */
export const counted = (count: number, thing: string): string => `${count.toLocaleString("en")} ${thing}${count === 1 ? "" : "s"}`;

/** A number of bytes, as in 1.24 MB. */
export function sizeOf(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 999_500 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(2)} MB`;
}

/** Lets timers and signals through during long synchronous work, some times a second. */
export function breather(): () => Promise<void> | undefined {
  let last = Date.now();
  return () => {
    if (Date.now() - last < 50) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        last = Date.now();
        resolve();
      }),
    );
  };
}
