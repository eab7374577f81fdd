import { SmoothClirError } from "../errors.js";
import { defaultSteps, type Engine, type FineTuningSteps } from "../full-module.js";
import type { LearnCall, Task } from "../protocol.js";
import type { Judgement, LearnProgress, LearnResult } from "../types.js";
import type { SharedGpu } from "./gpu.js";
import { Placement } from "./placement.js";
import { Turns } from "./turns.js";

/** Fine-tuning on some judgements, and where its steps are taken. */
interface Session {
  /** Identifies judgements and options. */
  key: string;
  steps: FineTuningSteps;
  placement: Placement;
  /** Settles when no step is under way: until then the module borrows `steps`, and they cannot be freed. */
  running: Promise<unknown> | undefined;
}

/** Fine-tunes an engine's model, in one session at a time: the same judgements with the same options continue it. */
export class FineTuning {
  readonly #engine: Engine;
  readonly #gpu: SharedGpu;
  #session: Session | undefined;

  constructor(engine: Engine, gpu: SharedGpu) {
    this.#engine = engine;
    this.#gpu = gpu;
  }

  async learn(judgements: readonly Judgement[], options: LearnCall, task: Task<LearnProgress>): Promise<LearnResult> {
    const { steps = defaultSteps(), ...others } = options;
    const key = JSON.stringify([judgements, others]);
    while (this.#session?.key === key && this.#session.running) await this.#session.running;
    let session = this.#session;
    const isNew = session?.key !== key;
    if (!session || isNew) {
      const begun = this.#begin(judgements, options);
      session = { key, steps: begun, placement: new Placement(this.#gpu, options.device, begun), running: undefined };
      this.#replace(session);
    }
    const learning = this.#steps(session, isNew, steps, task);
    session.running = learning.catch(() => {});
    try {
      return await learning;
    } finally {
      session.running = undefined;
      if (this.#session !== session) session.steps.free();
    }
  }

  /** Takes steps, and applies their result to the model, unless the session is cancelled or replaced. */
  async #steps(session: Session, isNew: boolean, count: number, task: Task<LearnProgress>): Promise<LearnResult> {
    const { steps, placement } = session;
    const check = () => {
      if (task.isCancelled() && this.#session === session) this.cancel();
      if (this.#session !== session) throw new SmoothClirError("aborted", "fine-tuning was cancelled");
    };
    if (isNew) await placement.move();
    check();
    const losses: number[] = [];
    const turns = new Turns();
    while (losses.length < count && losses.at(-1) !== 0) {
      const { loss, failed } = await steps.step();
      check();
      if (failed !== undefined) await placement.failed(failed);
      losses.push(loss);
      task.report({ step: losses.length, steps: count, loss });
      if (turns.isOver) await turns.next();
      check();
    }
    const failed = await steps.settle();
    if (failed !== undefined) await placement.failed(failed);
    check();
    const { judgements, rows } = steps;
    return { judgements, rows, losses, device: placement.device, ...this.#engine.take(steps) };
  }

  /** Ends the session: nothing of it is applied. */
  cancel(): void {
    this.#replace(undefined);
  }

  #replace(next: Session | undefined): void {
    const before = this.#session;
    this.#session = next;
    // A running one is freed at its end.
    if (before && !before.running) before.steps.free();
  }

  #begin(judgements: readonly Judgement[], { learningRate, clip, pull }: LearnCall): FineTuningSteps {
    const placed = judgements.map(({ query, document, language, grade }) => {
      const place = this.#engine.find(document, language);
      if (place !== undefined) return { query, document: place, grade };
      const where = language === undefined ? "" : ` in ${language}`;
      throw new SmoothClirError("unknown-document", `there is no document \`${document}\`${where}, or its text is not loaded yet`);
    });
    return this.#engine.fineTune(placed, { learningRate, clip, pull });
  }
}
