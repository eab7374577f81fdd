import type { SmoothClir, Training } from "smooth-clir";
import type { Steps } from "../../model/step-player";
import { fetchCorpus } from "../../model/training-corpus";

/** The ways in which the model is trained. */
export const WAYS = ["cosine", "cosineClipped", "smooth", "smoothClipped"] as const;
export type WayName = (typeof WAYS)[number];

/** The steps of one training. */
export interface Course {
  way: WayName;
  losses: readonly number[];
  /** For each step the length of the longest gradient of the score, and the median length. */
  longest: readonly number[];
  medians: readonly number[];
  /** The number of steps whose gradient was clipped. */
  clipped: number;
}

export interface Settings {
  language: string;
  seed: number;
  /** Of smooth cosine; cosine has 0. */
  epsilon: number;
  /** The standard deviation of the words' vectors at the start. */
  deviation: number;
  clip: number;
}

/** About two epochs. */
const MOST_STEPS = 250;

/** Four trainings on the built-in corpus, from the same vectors and in the same order. */
export class RealRun implements Steps<Settings> {
  readonly settings: Settings;
  readonly total = MOST_STEPS;
  readonly #trainings: readonly Training[];
  #courses: readonly Course[] = WAYS.map((way) => ({ way, losses: [], longest: [], medians: [], clipped: 0 }));

  private constructor(settings: Settings, trainings: readonly Training[]) {
    this.settings = settings;
    this.#trainings = trainings;
  }

  static async begin(engine: SmoothClir, settings: Settings): Promise<RealRun> {
    const { language, seed, epsilon, deviation, clip } = settings;
    const thresholds = engine.description.config?.["thresholds"] as readonly number[];
    const texts = await fetchCorpus(language);
    const trainings: Training[] = [];
    try {
      for (const way of WAYS) {
        const own = way.startsWith("cosine") ? 0 : epsilon;
        const clipped = way.endsWith("Clipped") ? { clip } : {};
        const options = { language, seed, thresholds, epsilon: own, standardDeviation: deviation, device: "wasm" as const };
        trainings.push(await engine.startTraining(texts, { ...options, ...clipped }));
      }
      return new RealRun(settings, trainings);
    } catch (error) {
      for (const training of trainings) void training.end().catch(() => {});
      throw error;
    }
  }

  get courses(): readonly Course[] {
    return this.#courses;
  }

  get steps(): number {
    return this.#courses[0]!.losses.length;
  }

  async step(count: number): Promise<void> {
    const taken = await Promise.all(this.#trainings.map((training) => training.step(count)));
    this.#courses = this.#courses.map((course, at) => {
      const { losses, longestGradients, medianGradients, clipped } = taken[at]!;
      return {
        ...course,
        losses: [...course.losses, ...losses],
        longest: [...course.longest, ...longestGradients],
        medians: [...course.medians, ...medianGradients],
        clipped: course.clipped + clipped,
      };
    });
  }

  /** Frees the memory of the trainings. */
  end(): void {
    for (const training of this.#trainings) void training.end().catch(() => {});
  }
}
