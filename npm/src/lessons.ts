import type { Card } from "./card.js";
import init, { Engine, textsOf, usualSteps, type Lesson, type Own } from "./full/smooth_clir.js";
import { SmoothClirError } from "./errors.js";
import type { Context } from "./host.js";
import type { DeviceWish, Exported, IndexedText, LearnProgress, Learned, Reencoded, TextsAdded, TextsProgress } from "./learning.js";
import { startModule } from "./module.js";
import { Placement } from "./placement.js";
import type { Engine as SearchEngine } from "./wasm/smooth_clir.js";

/** A mark as it crosses to the host. @internal */
export interface MarkGiven {
  query: string;
  document: string;
  language: string | undefined;
  grade: number;
}

/** A document of one's own as it crosses to the host: the names and values of its fields one after the other. @internal */
export interface TextGiven {
  id: string;
  title: string;
  text: string;
  fields: string[];
}

/** How to learn, as it crosses to the host. @internal */
export interface LearnSettings {
  steps: number | undefined;
  learningRate: number | undefined;
  clip: number | undefined;
  pull: number | undefined;
  device: DeviceWish;
}

/** Milliseconds of steps after which messages are heard. */
const TURN_MS = 8;
/** Characters of texts that are encoded at once: some milliseconds' work. */
const TEXTS_AT_ONCE = 50_000;

/** A lesson, what it is on, and where its steps are taken. */
interface Begun {
  key: string;
  lesson: Lesson;
  placement: Placement;
  /** Settles when no step is taken on it: until then the module lends it, and it cannot be freed. */
  running: Promise<unknown> | undefined;
}

/** Lets messages in. A hidden tab's timers would wait for a second each time. */
const nextTask = () =>
  new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });

/** Where the texts end that are encoded together with the one at `start`. */
function endOfPiece(texts: readonly TextGiven[], start: number): number {
  let [end, length] = [start, 0];
  while (end < texts.length && (end === start || length < TEXTS_AT_ONCE)) length += texts[end++]!.text.length;
  return end;
}

/** Lessons from marks: in the module that learns, which takes the place of the one that only searches. */
export class Lessons {
  readonly engine: Engine;
  readonly #card: Card;
  /** The last lesson, and what it was on: the same marks again go on with it. */
  #last: Begun | undefined;

  /** Loads the module. */
  static async start(): Promise<void> {
    await startModule(new URL("./full/smooth_clir_bg.wasm", import.meta.url), init, "part-failed");
  }

  /** Takes over all files of an engine, whose module has this memory. */
  constructor(from: SearchEngine, memory: WebAssembly.Memory, card: Card) {
    this.#card = card;
    const places = from.files();
    const files = Array.from({ length: places.length / 3 }, (_, number) => {
      const [kind, start, length] = places.subarray(3 * number);
      return { kind: kind!, bytes: new Uint8Array(memory.buffer, start, length).slice() };
    });
    this.engine = new Engine(files.filter(({ kind }) => kind === 0).map(({ bytes }) => bytes));
    for (const { kind, bytes } of files) {
      if (kind === 1) this.engine.addDocuments(bytes);
      if (kind > 1) this.engine.addTexts(kind - 2, bytes);
    }
  }

  async learn(given: MarkGiven[], settings: LearnSettings, context: Context): Promise<Learned> {
    const { learningRate, clip, pull, steps = usualSteps(), device: wish } = settings;
    const key = JSON.stringify([given, learningRate, clip, pull, wish]);
    while (this.#last?.key === key && this.#last.running) await this.#last.running;
    let begun = this.#last;
    const isNew = begun?.key !== key;
    if (!begun || isNew) {
      const lesson = this.#lesson(given, learningRate, clip, pull);
      begun = { key, lesson, placement: new Placement(this.#card, wish, lesson), running: undefined };
      this.#begin(begun);
    }
    const taught = this.#teach(begun, isNew, steps, context);
    begun.running = taught.catch(() => {});
    try {
      return await taught;
    } finally {
      begun.running = undefined;
      if (this.#last !== begun) begun.lesson.free();
    }
  }

  /** Takes steps, and takes over what came of them. Given up, or with another lesson in its place, nothing is. */
  async #teach(begun: Begun, isNew: boolean, steps: number, context: Context): Promise<Learned> {
    const { lesson, placement } = begun;
    const check = () => {
      if (context.aborted() && this.#last === begun) this.#begin(undefined);
      if (this.#last !== begun) throw new SmoothClirError("aborted", "the lesson was given up");
    };
    if (isNew) await placement.move();
    check();
    const losses: number[] = [];
    let turn = performance.now();
    while (losses.length < steps && losses.at(-1) !== 0) {
      const { loss, failed } = (await lesson.step()) as { loss: number; failed: string | undefined };
      check();
      if (failed !== undefined) await placement.failed(failed);
      losses.push(loss);
      context.report({ step: losses.length, steps, loss } satisfies LearnProgress);
      if (performance.now() - turn >= TURN_MS) {
        await nextTask();
        turn = performance.now();
      }
      check();
    }
    const failed = await lesson.settle();
    if (failed !== undefined) await placement.failed(failed);
    check();
    const { marks, rows } = lesson;
    return { marks, rows, losses, device: placement.device, ...(this.engine.take(lesson) as Reencoded) };
  }

  /** Gives up a lesson that is begun. */
  end(): void {
    this.#begin(undefined);
  }

  /** Takes away the documents of a language and its side; which indexes are gone. */
  removeLanguage(language: string): Uint32Array {
    // A lesson may have marks on them.
    this.#begin(undefined);
    return this.engine.removeLanguage(language);
  }

  /** Encodes documents, which are then the caller's to add or to free. */
  async encode(texts: TextGiven[], language: string, context: Context): Promise<{ own: Own; added: TextsAdded }> {
    const own = this.engine.beginOwn(language);
    const [knownWords, words] = [new Uint32Array(texts.length), new Uint32Array(texts.length)];
    let turn = performance.now();
    for (let done = 0; done < texts.length; ) {
      const end = endOfPiece(texts, done);
      const piece = texts.slice(done, end);
      const each = (name: "id" | "title" | "text") => piece.map((text) => text[name]);
      const fields = Uint32Array.from(piece, (text) => text.fields.length / 2);
      const counts = own.push(each("id"), each("title"), each("text"), fields, piece.flatMap((text) => text.fields));
      for (let at = done; at < end; at++) {
        knownWords[at] = counts[2 * (at - done)]!;
        words[at] = counts[2 * (at - done) + 1]!;
      }
      done = end;
      if (performance.now() - turn < TURN_MS && done < texts.length) continue;
      context.report({ done, documents: texts.length } satisfies TextsProgress);
      await nextTask();
      turn = performance.now();
      if (context.aborted()) {
        own.free();
        throw new SmoothClirError("aborted", "the documents were given up");
      }
    }
    const unknown = knownWords.filter((known) => known === 0).length;
    return { own, added: { documents: texts.length, unknown, knownWords, words } };
  }

  /** Takes away what was encoded here; which indexes are gone. */
  removeTexts(): Uint32Array {
    this.#begin(undefined);
    return this.engine.removeOwn();
  }

  /** The documents of an index file, which is not added. */
  textsOf(index: Uint8Array): IndexedText[] {
    return textsOf(index) as IndexedText[];
  }

  /** What was encoded here, as an index file. */
  texts(): Uint8Array | undefined {
    return this.engine.own();
  }

  undo(): Reencoded | undefined {
    this.#begin(undefined);
    return this.engine.undo() as Reencoded | undefined;
  }

  reset(): Reencoded {
    this.#begin(undefined);
    return this.engine.reset() as Reencoded;
  }

  learned(): Uint8Array | undefined {
    return this.engine.learned();
  }

  remember(learned: Uint8Array): Reencoded {
    this.#begin(undefined);
    return this.engine.remember(learned) as Reencoded;
  }

  export(): Exported {
    return this.engine.export() as Exported;
  }

  #begin(next: Begun | undefined): void {
    const before = this.#last;
    this.#last = next;
    // One that is running is freed at its end.
    if (before && !before.running) before.lesson.free();
  }

  #lesson(
    marks: MarkGiven[],
    learningRate: number | undefined,
    clip: number | undefined,
    pull: number | undefined,
  ): Lesson {
    const places = marks.map(({ document, language }) => {
      const place = this.engine.find(document, language);
      if (place !== undefined) return place;
      const where = language === undefined ? "" : ` in ${language}`;
      throw new SmoothClirError("missing-part", `there is no document \`${document}\`${where}, or its text was not shown yet`);
    });
    const queries = marks.map(({ query }) => query);
    const grades = Uint8Array.from(marks, ({ grade }) => grade);
    return this.engine.lesson(queries, Uint32Array.from(places), grades, learningRate, clip, pull);
  }
}
