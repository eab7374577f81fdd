import type { SmoothClir, Training, TrainingDistance } from "smooth-clir";
import type { Steps } from "../../model/step-player";
import { fetchCorpus } from "../../model/training-corpus";

export interface Settings {
  language: string;
  seed: number;
  epsilon: number;
  stepConstant: number;
  replaced: number;
}

/** How far the two trainings were apart after a step. */
export interface Apart extends TrainingDistance {
  steps: number;
}

/** Two trainings by plain SGD, a pair a step, that differ in the pair of one step. */
export class Twins implements Steps<Settings> {
  readonly settings: Settings;
  /** The number of pairs. */
  readonly pairs: number;
  readonly #trainings: readonly [Training, Training];
  #apart: readonly Apart[] = [];
  #steps = 0;

  private constructor(settings: Settings, trainings: readonly [Training, Training]) {
    this.settings = settings;
    this.#trainings = trainings;
    this.pairs = trainings[0].stepsInEpoch;
  }

  static async begin(engine: SmoothClir, settings: Settings, thresholds: readonly number[]): Promise<Twins> {
    const { language, seed, epsilon, stepConstant, replaced } = settings;
    const texts = await fetchCorpus(language);
    const options = { language, seed, epsilon, thresholds, descent: stepConstant, batchSize: 1, device: "wasm" as const };
    const one = await engine.startTraining(texts, options);
    try {
      return new Twins(settings, [one, await engine.startTraining(texts, { ...options, replaced })]);
    } catch (error) {
      void one.end().catch(() => {});
      throw error;
    }
  }

  /** Until each pair was taken once. */
  get total(): number {
    return this.pairs;
  }

  get steps(): number {
    return this.#steps;
  }

  get apart(): readonly Apart[] {
    return this.#apart;
  }

  async step(count: number): Promise<void> {
    const [one, other] = this.#trainings;
    await Promise.all([one.step(count), other.step(count)]);
    this.#steps += count;
    this.#apart = [...this.#apart, { steps: this.#steps, ...(await one.distance(other)) }];
  }

  /** Frees the memory of the trainings. */
  end(): void {
    for (const training of this.#trainings) void training.end().catch(() => {});
  }
}
