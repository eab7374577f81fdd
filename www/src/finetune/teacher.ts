import type { Device, DeviceWish, Exported, SmoothClir } from "smooth-clir";
import { isBroken, toFailure } from "../ui/failure";
import * as format from "../ui/format";
import { strings } from "../i18n/strings";
import type { Kept } from "./keeping";
import type { Feedback } from "./feedback";
import { Sides } from "../model/sides";

const STEPS_MOST = 100;
/** Steps after which a run shows where it is. */
const CHUNK = 5;

/** What a lesson is at. */
export interface Lesson {
  readonly ready: boolean;
  /** What is being done, if anything: only the first two can be stopped. */
  readonly work: "fetching" | "learning" | "other" | undefined;
  /** What it does or did, in words. */
  readonly message: string;
  /** Whether the message tells of a failure. */
  readonly failed: boolean;
  /** Bytes of what is fetched; the total is undefined until it is known. The first brings the part that learns. */
  readonly fetched: { loaded: number; total: number | undefined; first: boolean } | undefined;
  /** The loss before each step that is in force. */
  readonly losses: readonly number[];
  readonly undoable: boolean;
  /** Whether the model differs from the one that was loaded. */
  readonly taught: boolean;
  readonly device: Device | undefined;
}

const IDLE: Lesson = {
  ready: false,
  work: undefined,
  message: "",
  failed: false,
  fetched: undefined,
  losses: [],
  undoable: false,
  taught: false,
  device: undefined,
};

/** What a lesson asks, and whom it tells. */
interface Listeners {
  /** How strongly words are pulled back to where they were. */
  pull(): number;
  /** Where steps are to be taken. */
  where(): DeviceWish;
  /** Anything of it changed. */
  onChange(lesson: Lesson): void;
  /** The model changed; the next step waits until this is shown. */
  onMoved(): Promise<void>;
  /** What is to be kept changed. */
  onLearned(kept: Kept | undefined): void;
  onBroken(error: unknown): void;
}

/** Teaches the engine from the marks: one piece of work at a time, each of which can be undone. */
export class Teacher {
  readonly #feedback: Feedback;
  readonly #listeners: Listeners;
  #engine: SmoothClir | undefined;
  #sides: Sides | undefined;
  #stopping = new AbortController();
  #lesson = IDLE;
  #learned: Uint8Array | undefined;
  /** What each press changed: the losses before it, and the engine's own changes to undo. */
  #past: { losses: readonly number[]; changes: number }[] = [];

  constructor(feedback: Feedback, listeners: Listeners) {
    this.#feedback = feedback;
    this.#listeners = listeners;
  }

  get lesson(): Lesson {
    return this.#lesson;
  }

  /** Takes an engine that has its model. */
  attach(engine: SmoothClir): void {
    this.#engine = engine;
    this.#sides = Sides.of(engine);
    this.#past = [];
    this.#set({ ...IDLE, ready: true });
  }

  detach(): void {
    this.#stopping.abort();
    this.#engine = undefined;
    this.#set({ ...IDLE, message: this.#lesson.message, failed: this.#lesson.failed });
  }

  /** Takes one step. */
  step(): Promise<boolean> {
    return this.#learn(1);
  }

  /** Takes steps until there is nothing left to learn, or enough. */
  run(): Promise<boolean> {
    return this.#learn(STEPS_MOST);
  }

  /** Ends a run after the steps that are being taken: they count. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Takes back what the last press changed. */
  undo(): Promise<boolean> {
    return this.#work("other", strings.teach.undoing, async (engine) => {
      const last = this.#past.pop();
      for (let change = 0; change < (last?.changes ?? 0); change++) await engine.undo();
      await this.#moved(engine, last?.losses ?? []);
      this.#keep();
      return this.#past.length > 0 ? strings.teach.undone : strings.teach.undoneAll;
    });
  }

  /** Goes back to the model as it was loaded; this can be undone too. */
  reset(): Promise<boolean> {
    return this.#work("other", strings.teach.resetting, async (engine) => {
      await this.#replace(engine, undefined);
      this.#keep();
      return strings.teach.wasReset;
    });
  }

  /**
   * Takes up what was kept in place of what is learned now; undefined is the model as it was loaded.
   * `said` is the outcome in words; `onRefused` learns why where the engine cannot take it.
   */
  async remember(kept: Kept | undefined, said: string, onRefused: (error: unknown) => void): Promise<boolean> {
    let refused = false;
    const done = await this.#work("fetching", strings.teach.fetching, async (engine, signal) => {
      await this.#fetch(kept?.languages ?? [], signal);
      try {
        await this.#replace(engine, kept?.learned);
        return said;
      } catch (error) {
        if (isBroken(error)) throw error;
        refused = true;
        onRefused(error);
        return "";
      }
    });
    return done && !refused;
  }

  /** The whole model with what it learned, given to `save`. */
  export(save: (exported: Exported) => void): Promise<boolean> {
    return this.#work("fetching", strings.teach.fetching, async (engine, signal) => {
      await this.#fetch(engine.languages, signal);
      const exported = await engine.export();
      save(exported);
      return strings.teach.exported(format.measured(exported.largestError), format.measured(exported.meanError));
    });
  }

  #learn(most: number): Promise<boolean> {
    return this.#work("fetching", strings.teach.fetching, async (engine, signal) => {
      const before = { losses: this.#lesson.losses, changes: 0 };
      let taken = 0;
      let loss = Number.NaN;
      while (taken < most && loss !== 0 && !signal.aborted) {
        // They may change while it runs.
        const judgements = this.#feedback.list;
        if (judgements.length === 0) break;
        await this.#fetch(judgements.map(({ language }) => language), signal);
        if (taken === 0) this.#set({ work: "learning", message: strings.teach.learning });
        const { losses, device } = await engine.learn(judgements, {
          steps: Math.min(CHUNK, most - taken),
          pull: this.#listeners.pull(),
          device: this.#listeners.where(),
        });
        if (before.changes === 0) this.#past.push(before);
        before.changes += 1;
        taken += losses.length;
        loss = losses.at(-1) ?? 0;
        const all = [...this.#lesson.losses, ...losses];
        this.#set({ device, message: strings.teach.step(format.count(all.length), format.loss(loss)) });
        await this.#moved(engine, all);
        this.#keep();
      }
      return taken === 0 ? strings.teach.stoppedAtOnce : this.#outcome(taken, most, loss);
    });
  }

  #outcome(taken: number, most: number, loss: number): string {
    const { teach } = strings;
    const [steps, shown] = [format.count(taken), format.loss(loss)];
    if (loss === 0) return teach.nothingLeft(steps);
    if (most === 1) return teach.step(format.count(this.#lesson.losses.length), shown);
    return taken < most ? teach.stopped(steps, shown) : teach.enough(steps, shown);
  }

  async #fetch(languages: Iterable<string>, signal: AbortSignal): Promise<void> {
    await this.#sides?.fetch(languages, {
      signal,
      onProgress: (loaded, total) => this.#set({ fetched: { loaded, total, first: this.#sides?.languages.length === 0 } }),
    });
    this.#set({ fetched: undefined });
  }

  /** Puts this in place of what is learned; undefined is nothing. */
  async #replace(engine: SmoothClir, learned: Uint8Array | undefined): Promise<void> {
    const { losses, taught } = this.#lesson;
    if (learned) await engine.remember(learned);
    else await engine.reset();
    // To reset what was never taught is no change to the engine either.
    if (learned || taught) this.#past.push({ losses, changes: 1 });
    await this.#moved(engine, []);
  }

  async #moved(engine: SmoothClir, losses: readonly number[]): Promise<void> {
    this.#learned = await engine.learned();
    this.#set({ losses, taught: this.#learned !== undefined, undoable: this.#past.length > 0 });
    await this.#listeners.onMoved();
  }

  #keep(): void {
    this.#listeners.onLearned(this.#learned && { learned: this.#learned, languages: this.#sides?.languages ?? [] });
  }

  /** Does one piece of work, unless there is another; returns whether it was done. */
  async #work(
    kind: NonNullable<Lesson["work"]>,
    message: string,
    work: (engine: SmoothClir, signal: AbortSignal) => Promise<string>,
  ): Promise<boolean> {
    const engine = this.#engine;
    if (!engine || this.#lesson.work !== undefined) return false;
    const { signal } = (this.#stopping = new AbortController());
    this.#set({ work: kind, message, failed: false });
    try {
      const outcome = await work(engine, signal);
      if (engine === this.#engine) this.#set({ work: undefined, message: outcome });
      return true;
    } catch (error) {
      if (engine !== this.#engine) return false;
      const broken = isBroken(error);
      const { code, message } = toFailure(error);
      const outcome = signal.aborted ? strings.teach.stoppedAtOnce : strings.teach.failed(message, code);
      // Of a broken engine the page itself tells.
      const failed = !signal.aborted && !broken;
      this.#set({ work: undefined, fetched: undefined, failed, message: broken ? "" : outcome });
      if (broken) this.#listeners.onBroken(error);
      return false;
    }
  }

  #set(patch: Partial<Lesson>): void {
    this.#lesson = { ...this.#lesson, ...patch };
    this.#listeners.onChange(this.#lesson);
  }
}
