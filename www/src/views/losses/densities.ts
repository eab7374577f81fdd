import type { SmoothClir } from "smooth-clir";
import type { Judged, Lab } from "smooth-clir/lab";
import { latest } from "../../ui/latest";
import { candidatesBy, candidatesHeldOut, judge, loadEvaluation, type Evaluation } from "../../model/evaluation";
import type { LossesState } from "../../state/losses";

/** The width of the kernel: what lies this close together makes one hill. */
const BANDWIDTH = 0.03;

/** The scores of test pairs of one grade. */
export interface GradeScores {
  count: number;
  density: Float32Array;
  /** The score of the highest density. */
  peak: number;
}

/** The test pairs as a model scores them: fetched once, and scored anew by another model. */
export class TestPairs {
  readonly #lab: Lab;
  readonly #changed: () => void;
  readonly #points: readonly number[];
  #evaluation: Evaluation | undefined;
  #judged: { model: LossesState["model"]; engine: SmoothClir | undefined; pairs: Judged } | undefined;
  #wanted: { model: LossesState["model"]; engine: SmoothClir | undefined } | undefined;
  #grades: { epsilon: number; pairs: Judged; all: GradeScores[] } | undefined;
  /** Why there are none. */
  failure: unknown;

  /** `points` are the scores at which densities are wanted. */
  constructor(lab: Lab, points: readonly number[], changed: () => void) {
    this.#lab = lab;
    this.#points = points;
    this.#changed = changed;
  }

  get evaluation(): Evaluation | undefined {
    return this.#evaluation;
  }

  /** The pairs by a model; undefined while they are on their way. */
  of(model: LossesState["model"], engine: SmoothClir | undefined): Judged | undefined {
    const own = model === "loaded" ? engine : undefined;
    if (this.#judged?.model === model && this.#judged.engine === own) return this.#judged.pairs;
    if (this.#wanted?.model !== model || this.#wanted.engine !== own) {
      this.#wanted = { model, engine: own };
      void this.#load();
    }
    return undefined;
  }

  /** The loaded model may be fine-tuned while this is out of sight. */
  forget(): void {
    if (this.#judged?.model !== "loaded") return;
    this.#judged.pairs.free();
    this.#judged = this.#wanted = this.#grades = undefined;
  }

  retry(): void {
    this.failure = undefined;
    void this.#load();
  }

  /** Each grade's scores at an epsilon, and how dense they lie. */
  grades(pairs: Judged, epsilon: number, count: number): GradeScores[] {
    if (this.#grades?.pairs !== pairs || this.#grades.epsilon !== epsilon) {
      const scores = pairs.scores(epsilon);
      const grades = pairs.grades();
      const all = Array.from({ length: count }, (_, grade) => {
        const own = scores.filter((_, at) => grades[at] === grade);
        const density = this.#lab.density(own, BANDWIDTH, this.#points);
        return { count: own.length, density, peak: this.#points[density.indexOf(Math.max(...density))]! };
      });
      this.#grades = { epsilon, pairs, all };
    }
    return this.#grades.all;
  }

  readonly #load = latest(async () => {
    const wanted = this.#wanted;
    if (!wanted || (wanted.model === "loaded" && !wanted.engine)) return;
    try {
      this.#evaluation ??= await loadEvaluation();
      const { model, engine } = wanted;
      const candidates = engine ? await candidatesBy(engine, this.#evaluation) : candidatesHeldOut(this.#evaluation);
      this.#judged?.pairs.free();
      this.#judged = { model, engine, pairs: judge(this.#lab, candidates) };
      this.failure = undefined;
    } catch (error) {
      this.failure = error;
    }
    this.#changed();
  });
}
