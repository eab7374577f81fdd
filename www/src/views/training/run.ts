import type { Device, DevicePreference, TrainingEvaluation, SmoothClir, Training } from "smooth-clir";
import { fetchCorpus } from "./corpus";

/** Steps between two evaluations. */
const LOOK_EVERY = 8;

/** The progress of a training. */
export interface Progress {
  /** The loss before each step. */
  readonly losses: readonly number[];
  readonly epoch: number;
  readonly epsilon: number;
  readonly thresholds: readonly number[];
  /** The metrics of the validation queries: after how many steps, and what they were. */
  readonly looks: readonly { steps: number; metrics: TrainingEvaluation["metrics"] }[];
  /** The last look at some queries that it is trained on, and at those that it is not. */
  readonly seen: TrainingEvaluation;
  readonly unseen: TrainingEvaluation;
}

/** A training on the built-in corpus, and what was seen of it. */
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
    const [seen, unseen] = await both(training);
    const looks = [{ steps: 0, metrics: unseen.metrics }];
    return new Run(training, { losses: [], epoch: 0, epsilon, thresholds, looks, seen, unseen });
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
    const { looks } = this.#progress;
    if (all.length - (looks.at(-1)?.steps ?? 0) < LOOK_EVERY && count > 1) return;
    const [seen, unseen] = await both(this.#training);
    this.#progress = { ...this.#progress, looks: [...looks, { steps: all.length, metrics: unseen.metrics }], seen, unseen };
  }
}

const both = async (training: Training) => [await training.evaluate({ seen: true }), await training.evaluate()] as const;
