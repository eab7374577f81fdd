import type { Device, DevicePreference, TrainingEvaluation, SmoothClir, Training } from "smooth-clir";
import { fetchCorpus } from "./training-corpus";

/** Steps between two evaluations, unless something else is asked. */
const STEPS_BETWEEN_EVALUATIONS = 8;

/** The settings of a training. */
export interface RunOptions {
  language: string;
  seed: number;
  epsilon: number;
  device: DevicePreference;
  /** Steps between two evaluations. */
  every?: number;
}

/** The progress of a training. */
export interface Progress {
  /** The loss before each step. */
  readonly losses: readonly number[];
  readonly epoch: number;
  readonly epsilon: number;
  readonly thresholds: readonly number[];
  /** The metrics of the validation queries: after how many steps, and what they were. */
  readonly evaluations: readonly { steps: number; metrics: TrainingEvaluation["metrics"] }[];
  /** The last evaluation on some training queries, and on the validation queries. */
  readonly train: TrainingEvaluation;
  readonly validation: TrainingEvaluation;
}

/** A training on the built-in corpus and its progress. */
export class Run {
  /** An engine has one training at a time: another one replaces it. */
  static #latest: Run | undefined;
  readonly #training: Training;
  readonly #every: number;
  #progress: Progress;

  private constructor(training: Training, progress: Progress, every: number) {
    this.#training = training;
    this.#progress = progress;
    this.#every = every;
    Run.#latest = this;
  }

  static async begin(
    engine: SmoothClir,
    { language, seed, epsilon, device, every = STEPS_BETWEEN_EVALUATIONS }: RunOptions,
  ): Promise<Run> {
    const thresholds = engine.description.config?.["thresholds"] as readonly number[];
    const texts = await fetchCorpus(language);
    const training = await engine.startTraining(texts, { language, seed, epsilon, thresholds, device });
    const [train, validation] = await both(training);
    const evaluations = [{ steps: 0, metrics: validation.metrics }];
    return new Run(training, { losses: [], epoch: 0, epsilon, thresholds, evaluations, train, validation }, every);
  }

  /** Whether another training has begun: this one cannot go on. */
  get replaced(): boolean {
    return Run.#latest !== this;
  }

  get progress(): Progress {
    return this.#progress;
  }

  /** The device that computes its steps. */
  get device(): Device {
    return this.#training.device;
  }

  async step(count: number): Promise<void> {
    const { losses, epoch } = await this.#training.step(count);
    const all = [...this.#progress.losses, ...losses];
    this.#progress = { ...this.#progress, losses: all, epoch };
    const { evaluations } = this.#progress;
    if (all.length - (evaluations.at(-1)?.steps ?? 0) < this.#every && count > 1) return;
    const [train, validation] = await both(this.#training);
    this.#progress = { ...this.#progress, evaluations: [...evaluations, { steps: all.length, metrics: validation.metrics }], train, validation };
  }
}

const both = async (training: Training) => [await training.evaluate({ seen: true }), await training.evaluate()] as const;
