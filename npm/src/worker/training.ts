import { SmoothClirError } from "../errors.js";
import { startFullModule, Training } from "../full-module.js";
import type { TrainingCall } from "../protocol.js";
import type { Device, Look, TrainingSteps, TrainingTexts } from "../types.js";
import type { SharedGpu } from "./gpu.js";
import { Placement } from "./placement.js";

/** A training from scratch, in the full module. */
export class TrainingRun {
  readonly #training: Training;
  readonly #placement: Placement;
  /** Settles when the last call is answered: the module takes one at a time, and waits for the GPU. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(training: Training, placement: Placement) {
    this.#training = training;
    this.#placement = placement;
  }

  static async start(texts: TrainingTexts, options: TrainingCall, gpu: SharedGpu): Promise<TrainingRun> {
    await startFullModule();
    const { queries, documents, qrels } = texts;
    const places = (list: readonly { id: string }[]) => new Map(list.map(({ id }, place) => [id, place]));
    const [query, document] = [places(queries), places(documents)];
    const place = (of: Map<string, number>, what: string, id: string) => {
      const found = of.get(id);
      if (found === undefined) throw new SmoothClirError("missing-part", `there is no ${what} \`${id}\`, which has a relevance judgement`);
      return found;
    };
    const numbers = qrels.flatMap((one) => [place(query, "query", one.query), place(document, "document", one.document), one.grade]);
    const { language, dimension, epsilon, thresholds, learningRate, negatives, seed } = options;
    const training = new Training(
      queries.map(({ id }) => id),
      queries.map(({ text }) => text),
      documents.map(({ text }) => text),
      Uint32Array.from(numbers),
      language,
      dimension,
      epsilon,
      Float32Array.from(thresholds),
      learningRate,
      negatives,
      seed,
    );
    const placement = new Placement(gpu, options.device, training);
    await placement.move();
    return new TrainingRun(training, placement);
  }

  /** Where the next step is taken. */
  get device(): Device {
    return this.#placement.device;
  }

  get stepsInEpoch(): number {
    return this.#training.stepsInEpoch;
  }

  step(count: number): Promise<{ steps: TrainingSteps; device: Device }> {
    return this.#next(async () => {
      const losses = new Float64Array(count);
      for (let taken = 0; taken < count; taken++) {
        const { loss, failed } = (await this.#training.step()) as { loss: number; failed: string | undefined };
        if (failed !== undefined) await this.#placement.failed(failed);
        losses[taken] = loss;
      }
      return { steps: { losses, epoch: this.#training.epoch }, device: this.device };
    });
  }

  look(seen: boolean): Promise<{ look: Look; device: Device }> {
    return this.#next(async () => {
      const failed = await this.#training.settle();
      if (failed !== undefined) await this.#placement.failed(failed);
      return { look: this.#training.look(seen) as Look, device: this.device };
    });
  }

  free(): void {
    void this.#next(async () => this.#training.free());
  }

  #next<T>(call: () => Promise<T>): Promise<T> {
    const answer = this.#last.then(call);
    this.#last = answer.catch(() => {});
    return answer;
  }
}
