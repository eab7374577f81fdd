import { SmoothClirError } from "../errors.js";
import { fullModule, Training } from "../full-module.js";
import type { Instance } from "../loading/module.js";
import type { TrainingCall } from "../protocol.js";
import type { Device, TrainingCollection, TrainingDistance, TrainingEvaluation, TrainingSteps } from "../types.js";
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

  /** Loads the module. */
  static load(): Promise<Instance> {
    return fullModule.start();
  }

  /** Starts a training in the module, which must be loaded. */
  static async start(collection: TrainingCollection, options: TrainingCall, gpu: SharedGpu): Promise<TrainingRun> {
    const { queries, documents, qrels } = collection;
    const [queryPlace, documentPlace] = [placesOf("query", queries), placesOf("document", documents)];
    const placed = qrels.map(({ query, document, grade }) => {
      return { query: queryPlace(query), document: documentPlace(document), grade };
    });
    const training = new Training({ queries, documents, qrels: placed }, options);
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
      const [longestGradients, medianGradients] = [new Float32Array(count), new Float32Array(count)];
      let clippedSteps = 0;
      for (let taken = 0; taken < count; taken++) {
        const { loss, longest, median, clipped, failed } = await this.#training.step();
        if (failed !== undefined) await this.#placement.failed(failed);
        losses[taken] = loss;
        longestGradients[taken] = longest;
        medianGradients[taken] = median;
        if (clipped) clippedSteps += 1;
      }
      const steps = { losses, epoch: this.#training.epoch, longestGradients, medianGradients, clipped: clippedSteps };
      return { steps, device: this.device };
    });
  }

  evaluate(seen: boolean): Promise<{ evaluation: TrainingEvaluation; device: Device }> {
    return this.#next(async () => {
      const failed = await this.#training.settle();
      if (failed !== undefined) await this.#placement.failed(failed);
      return { evaluation: this.#training.evaluate(seen), device: this.device };
    });
  }

  /** As of the last time that each was settled; in WebAssembly, of the last step. */
  async distance(other: TrainingRun): Promise<TrainingDistance> {
    let calls: unknown[];
    do {
      calls = [this.#last, other.#last];
      await Promise.all(calls);
    } while (this.#last !== calls[0] || other.#last !== calls[1]);
    return this.#training.distance(other.#training);
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

/** Looks up the places of texts by their ids. */
function placesOf(kind: string, texts: readonly { id: string }[]): (id: string) => number {
  const places = new Map(texts.map(({ id }, place) => [id, place]));
  return (id) => {
    const place = places.get(id);
    if (place !== undefined) return place;
    throw new SmoothClirError("unknown-document", `\`qrels\` judges the ${kind} \`${id}\`, which is not in the collection`);
  };
}
