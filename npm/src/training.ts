import { Training as Module } from "./full/smooth_clir.js";
import type { Look, TrainingOptions, TrainingTexts } from "./index.js";
import { SmoothClirError } from "./errors.js";
import { Lessons } from "./lessons.js";

/** A training from scratch, in the module that learns. */
export class Trainings {
  readonly #training: Module;

  private constructor(training: Module) {
    this.#training = training;
  }

  static async start(texts: TrainingTexts, options: Required<TrainingOptions>): Promise<Trainings> {
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
    return new Trainings(
      new Module(
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
      ),
    );
  }

  get stepsInEpoch(): number {
    return this.#training.stepsInEpoch;
  }

  step(count: number): { losses: Float64Array; epoch: number } {
    const losses = this.#training.step(count);
    return { losses, epoch: this.#training.epoch };
  }

  look(seen: boolean): Look {
    return this.#training.look(seen) as Look;
  }

  free(): void {
    this.#training.free();
  }
}
