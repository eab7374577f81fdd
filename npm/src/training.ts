import type { Card } from "./card.js";
import { Training as Module } from "./full/smooth_clir.js";
import type { Look, TrainingOptions, TrainingTexts } from "./index.js";
import { SmoothClirError } from "./errors.js";
import { Lessons } from "./lessons.js";
import type { Device } from "./learning.js";
import { Placement } from "./placement.js";

/** All options, each with its value. @internal */
export type AllOptions = { [Name in keyof TrainingOptions]-?: Exclude<TrainingOptions[Name], undefined> };

/** A training from scratch, in the module that learns. */
export class Trainings {
  readonly #training: Module;
  readonly #placement: Placement;
  /** Settles when the last call is answered: the module takes one at a time, and waits for the graphics card. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(training: Module, placement: Placement) {
    this.#training = training;
    this.#placement = placement;
  }

  static async start(texts: TrainingTexts, options: AllOptions, card: Card): Promise<Trainings> {
    await Lessons.start();
    const { queries, documents, judged } = texts;
    const places = (list: readonly { id: string }[]) => new Map(list.map(({ id }, place) => [id, place]));
    const [query, document] = [places(queries), places(documents)];
    const place = (of: Map<string, number>, what: string, id: string) => {
      const found = of.get(id);
      if (found === undefined) throw new SmoothClirError("missing-part", `there is no ${what} \`${id}\`, which is judged`);
      return found;
    };
    const numbers = judged.flatMap((one) => [place(query, "query", one.query), place(document, "document", one.document), one.grade]);
    const { language, dimension, epsilon, thresholds, learningRate, negatives, seed } = options;
    const training = new Module(
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
    const placement = new Placement(card, options.device, training);
    await placement.move();
    return new Trainings(training, placement);
  }

  /** Where the next step is taken. */
  get device(): Device {
    return this.#placement.device;
  }

  get stepsInEpoch(): number {
    return this.#training.stepsInEpoch;
  }

  step(count: number): Promise<{ losses: Float64Array; epoch: number; device: Device }> {
    return this.#next(async () => {
      const losses = new Float64Array(count);
      for (let taken = 0; taken < count; taken++) {
        const { loss, failed } = (await this.#training.step()) as { loss: number; failed: string | undefined };
        if (failed !== undefined) await this.#placement.failed(failed);
        losses[taken] = loss;
      }
      return { losses, epoch: this.#training.epoch, device: this.device };
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
