import type { Device, DevicePreference, Exported, SmoothClir } from "smooth-clir";
import { isBroken, toFailure } from "../ui/failure";
import * as format from "../ui/format";
import { strings } from "../i18n/strings";
import type { SavedTuning } from "./saved-tuning";
import type { Feedback } from "./feedback";
import { DocumentEncoders } from "../model/document-encoders";

const STEPS_MOST = 100;
/** Steps after which a run shows where it is. */
const CHUNK = 5;

/** The state of fine-tuning. */
export interface Tuning {
  readonly ready: boolean;
  /** The work under way, if any; only the first two kinds can be stopped. */
  readonly work: "fetching" | "tuning" | "other" | undefined;
  /** The work or its outcome in words. */
  readonly message: string;
  /** Whether the message tells of a failure. */
  readonly failed: boolean;
  /** Bytes of what is fetched; the total is undefined until it is known. The first also brings the fine-tuning module. */
  readonly fetched: { loaded: number; total: number | undefined; first: boolean } | undefined;
  /** The loss before each step that is in force. */
  readonly losses: readonly number[];
  readonly undoable: boolean;
  /** Whether the model differs from the one that was loaded. */
  readonly tuned: boolean;
  readonly device: Device | undefined;
}

const IDLE: Tuning = {
  ready: false,
  work: undefined,
  message: "",
  failed: false,
  fetched: undefined,
  losses: [],
  undoable: false,
  tuned: false,
  device: undefined,
};

/** The settings that fine-tuning reads, and the callbacks that it calls. */
interface Listeners {
  /** The strength of the pull of word vectors towards the loaded model. */
  pull(): number;
  /** The device that is to compute the steps. */
  where(): DevicePreference;
  /** The state has changed. */
  onChange(tuning: Tuning): void;
  /** The model changed; the next step waits until this is shown. */
  onMoved(): Promise<void>;
  /** The fine-tuning to store has changed. */
  onTuned(kept: SavedTuning | undefined): void;
  onBroken(error: unknown): void;
}

/** Fine-tunes the model from feedback: one piece of work at a time, each of which can be undone. */
export class Tuner {
  readonly #feedback: Feedback;
  readonly #listeners: Listeners;
  #engine: SmoothClir | undefined;
  #encoders: DocumentEncoders | undefined;
  #stopping = new AbortController();
  #tuning = IDLE;
  #tuned: Uint8Array | undefined;
  /** The history of presses: the losses before each, and the number of engine changes to undo. */
  #past: { losses: readonly number[]; changes: number }[] = [];

  constructor(feedback: Feedback, listeners: Listeners) {
    this.#feedback = feedback;
    this.#listeners = listeners;
  }

  get tuning(): Tuning {
    return this.#tuning;
  }

  /** Takes an engine that has its model. */
  attach(engine: SmoothClir): void {
    this.#engine = engine;
    this.#encoders = DocumentEncoders.of(engine);
    this.#past = [];
    this.#set({ ...IDLE, ready: true });
  }

  detach(): void {
    this.#stopping.abort();
    this.#engine = undefined;
    this.#set({ ...IDLE, message: this.#tuning.message, failed: this.#tuning.failed });
  }

  /** Takes one step. */
  step(): Promise<boolean> {
    return this.#tune(1);
  }

  /** Takes steps until the loss is 0, or `STEPS_MOST` of them. */
  run(): Promise<boolean> {
    return this.#tune(STEPS_MOST);
  }

  /** Ends a run after the steps that are being taken: they count. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Undoes the last press. */
  undo(): Promise<boolean> {
    return this.#work("other", strings.finetune.undoing, async (engine) => {
      const last = this.#past.pop();
      for (let change = 0; change < (last?.changes ?? 0); change++) await engine.undo();
      await this.#moved(engine, last?.losses ?? []);
      this.#keep();
      return this.#past.length > 0 ? strings.finetune.undone : strings.finetune.undoneAll;
    });
  }

  /** Goes back to the model as it was loaded; this can be undone too. */
  reset(): Promise<boolean> {
    return this.#work("other", strings.finetune.resetting, async (engine) => {
      await this.#replace(engine, undefined);
      this.#keep();
      return strings.finetune.wasReset;
    });
  }

  /**
   * Restores a saved fine-tuning in place of the present one; undefined is the model as it was loaded.
   * `said` is the outcome in words; `onRefused` gets the engine's error where the engine refuses it.
   */
  async remember(kept: SavedTuning | undefined, said: string, onRefused: (error: unknown) => void): Promise<boolean> {
    let refused = false;
    const done = await this.#work("fetching", strings.finetune.fetching, async (engine, signal) => {
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

  /** Gives the whole fine-tuned model to `save`. */
  export(save: (exported: Exported) => void): Promise<boolean> {
    return this.#work("fetching", strings.finetune.fetching, async (engine, signal) => {
      await this.#fetch(engine.languages, signal);
      const exported = await engine.export();
      save(exported);
      return strings.finetune.exported(format.measured(exported.largestError), format.measured(exported.meanError));
    });
  }

  #tune(most: number): Promise<boolean> {
    return this.#work("fetching", strings.finetune.fetching, async (engine, signal) => {
      const before = { losses: this.#tuning.losses, changes: 0 };
      let taken = 0;
      let loss = Number.NaN;
      while (taken < most && loss !== 0 && !signal.aborted) {
        // They may change while it runs.
        const judgements = this.#feedback.list;
        if (judgements.length === 0) break;
        await this.#fetch(judgements.map(({ language }) => language), signal);
        if (taken === 0) this.#set({ work: "tuning", message: strings.finetune.tuning });
        const { losses, device } = await engine.learn(judgements, {
          steps: Math.min(CHUNK, most - taken),
          pull: this.#listeners.pull(),
          device: this.#listeners.where(),
        });
        this.#checkEngine(engine);
        if (before.changes === 0) this.#past.push(before);
        before.changes += 1;
        taken += losses.length;
        loss = losses.at(-1) ?? 0;
        const all = [...this.#tuning.losses, ...losses];
        this.#set({ device, message: strings.finetune.step(format.count(all.length), format.loss(loss)) });
        await this.#moved(engine, all);
        this.#keep();
      }
      return taken === 0 ? strings.finetune.stoppedAtOnce : this.#outcome(taken, most, loss);
    });
  }

  #outcome(taken: number, most: number, loss: number): string {
    const { finetune } = strings;
    const [steps, shown] = [format.count(taken), format.loss(loss)];
    if (loss === 0) return finetune.nothingLeft(steps);
    if (most === 1) return finetune.step(format.count(this.#tuning.losses.length), shown);
    return taken < most ? finetune.stopped(steps, shown) : finetune.enough(steps, shown);
  }

  async #fetch(languages: Iterable<string>, signal: AbortSignal): Promise<void> {
    await this.#encoders?.fetch(languages, {
      signal,
      onProgress: (loaded, total) => this.#set({ fetched: { loaded, total, first: this.#encoders?.languages.length === 0 } }),
    });
    this.#set({ fetched: undefined });
  }

  /** Replaces the fine-tuning by this one; undefined is the model as it was loaded. */
  async #replace(engine: SmoothClir, saved: Uint8Array | undefined): Promise<void> {
    const { losses, tuned } = this.#tuning;
    if (saved) await engine.remember(saved);
    else await engine.reset();
    this.#checkEngine(engine);
    // A reset without fine-tuning before it changes nothing in the engine either.
    if (saved || tuned) this.#past.push({ losses, changes: 1 });
    await this.#moved(engine, []);
  }

  async #moved(engine: SmoothClir, losses: readonly number[]): Promise<void> {
    const learned = await engine.learned();
    this.#checkEngine(engine);
    this.#tuned = learned;
    this.#set({ losses, tuned: this.#tuned !== undefined, undoable: this.#past.length > 0 });
    await this.#listeners.onMoved();
  }

  /** Ends a piece of work of an engine whose place another one took meanwhile: it says nothing of that one. */
  #checkEngine(engine: SmoothClir): void {
    if (engine !== this.#engine) throw new DOMException("another engine came", "AbortError");
  }

  #keep(): void {
    this.#listeners.onTuned(this.#tuned && { learned: this.#tuned, languages: this.#encoders?.languages ?? [] });
  }

  /** Does one piece of work, unless there is another; returns whether it was done. */
  async #work(
    kind: NonNullable<Tuning["work"]>,
    message: string,
    work: (engine: SmoothClir, signal: AbortSignal) => Promise<string>,
  ): Promise<boolean> {
    const engine = this.#engine;
    if (!engine || this.#tuning.work !== undefined) return false;
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
      const outcome = signal.aborted ? strings.finetune.stoppedAtOnce : strings.finetune.failed(message, code);
      // The page itself reports a broken engine.
      const failed = !signal.aborted && !broken;
      this.#set({ work: undefined, fetched: undefined, failed, message: broken ? "" : outcome });
      if (broken) this.#listeners.onBroken(error);
      return false;
    }
  }

  #set(patch: Partial<Tuning>): void {
    this.#tuning = { ...this.#tuning, ...patch };
    this.#listeners.onChange(this.#tuning);
  }
}
