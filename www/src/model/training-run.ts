import type { Device, DevicePreference, TrainingEvaluation, SmoothClir, Training } from "smooth-clir";
import type { LossName } from "smooth-clir/lab";
import { fetchCorpus } from "./training-corpus";

/** Steps between two evaluations, unless something else is asked. */
const STEPS_BETWEEN_EVALUATIONS = 8;

/** The progress of the training with one loss. */
export interface Lane {
  readonly loss: LossName;
  /** The loss before each step. */
  readonly losses: readonly number[];
  /** The metrics of the validation queries: after how many steps, and what they were. */
  readonly evaluations: readonly { steps: number; metrics: TrainingEvaluation["metrics"] }[];
  /** The last evaluation on some training queries, and on the validation queries. */
  readonly train: TrainingEvaluation;
  readonly validation: TrainingEvaluation;
}

/** The progress of trainings that take the same steps. */
export interface Progress {
  readonly epoch: number;
  readonly steps: number;
  readonly epsilon: number;
  readonly thresholds: readonly number[];
  /** One for each loss. */
  readonly lanes: readonly Lane[];
}

/** The settings of trainings that take the same steps. */
export interface RunOptions {
  language: string;
  seed: number;
  epsilon: number;
  /** The scores that part the grades: one less than there are grades. */
  thresholds: readonly number[];
  losses: readonly LossName[];
  device: DevicePreference;
  /** Steps between two evaluations. */
  every?: number;
}

/** The thresholds of a model. */
export const thresholdsOf = (engine: SmoothClir): readonly number[] => engine.description.config?.["thresholds"] as readonly number[];

/** Trainings on the built-in corpus, one for each loss, from the same rows and in the same order, and their progress. */
export class Run {
  readonly #trainings: readonly Training[];
  readonly #every: number;
  #progress: Progress;

  private constructor(trainings: readonly Training[], progress: Progress, every: number) {
    this.#trainings = trainings;
    this.#progress = progress;
    this.#every = every;
  }

  static async begin(engine: SmoothClir, options: RunOptions): Promise<Run> {
    const { language, seed, epsilon, thresholds, losses, device, every = STEPS_BETWEEN_EVALUATIONS } = options;
    const texts = await fetchCorpus(language);
    const trainings: Training[] = [];
    try {
      for (const loss of losses) {
        const settings = { language, seed, epsilon, thresholds, loss, gradesByLinks: true, device };
        trainings.push(await engine.startTraining(texts, settings));
      }
      const lanes: Lane[] = [];
      for (const [at, training] of trainings.entries()) {
        const [train, validation] = await both(training);
        lanes.push({ loss: losses[at]!, losses: [], evaluations: [{ steps: 0, metrics: validation.metrics }], train, validation });
      }
      return new Run(trainings, { epoch: 0, steps: 0, epsilon, thresholds, lanes }, every);
    } catch (error) {
      for (const training of trainings) void training.end().catch(() => {});
      throw error;
    }
  }

  get progress(): Progress {
    return this.#progress;
  }

  /** The device that computes the steps. */
  get device(): Device {
    return this.#trainings[0]!.device;
  }

  async step(count: number): Promise<void> {
    const taken = await Promise.all(this.#trainings.map((training) => training.step(count)));
    const steps = this.#progress.steps + count;
    const lanes = this.#progress.lanes.map((lane, at) => ({ ...lane, losses: [...lane.losses, ...taken[at]!.losses] }));
    const last = lanes[0]!.evaluations.at(-1)?.steps ?? 0;
    const evaluates = steps - last >= this.#every || count === 1;
    for (const [at, lane] of lanes.entries()) {
      if (!evaluates) break;
      const [train, validation] = await both(this.#trainings[at]!);
      lanes[at] = { ...lane, evaluations: [...lane.evaluations, { steps, metrics: validation.metrics }], train, validation };
    }
    this.#progress = { ...this.#progress, steps, epoch: taken[0]!.epoch, lanes };
  }

  /** Frees the memory of the trainings. */
  end(): void {
    for (const training of this.#trainings) void training.end().catch(() => {});
  }
}

const both = async (training: Training) => [await training.evaluate({ seen: true }), await training.evaluate()] as const;
