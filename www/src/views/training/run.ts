import type { Device, DevicePreference, TrainingEvaluation, SmoothClir, Training } from "smooth-clir";
import { fetchCorpus } from "./corpus";

/** Steps between two evaluations. */
const STEPS_BETWEEN_EVALUATIONS = 8;

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
  readonly #training: Training;
  #progress: Progress;

  private constructor(training: Training, progress: Progress) {
    this.#training = training;
    this.#progress = progress;
  }

  static async begin(
    engine: SmoothClir,
    { language, seed, epsilon, device }: { language: string; seed: number; epsilon: number; device: DevicePreference },
  ): Promise<Run> {
    const thresholds = engine.description.config?.["thresholds"] as readonly number[];
    const texts = await fetchCorpus(language);
    const training = await engine.startTraining(texts, { language, seed, epsilon, thresholds, device });
    const [train, validation] = await both(training);
    const evaluations = [{ steps: 0, metrics: validation.metrics }];
    return new Run(training, { losses: [], epoch: 0, epsilon, thresholds, evaluations, train, validation });
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
    if (all.length - (evaluations.at(-1)?.steps ?? 0) < STEPS_BETWEEN_EVALUATIONS && count > 1) return;
    const [train, validation] = await both(this.#training);
    this.#progress = { ...this.#progress, evaluations: [...evaluations, { steps: all.length, metrics: validation.metrics }], train, validation };
  }
}

const both = async (training: Training) => [await training.evaluate({ seen: true }), await training.evaluate()] as const;
