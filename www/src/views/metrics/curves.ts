import type { Judged, Lab, Metrics } from "smooth-clir/lab";
import { judge, type Candidates } from "../../model/evaluation";

/** The epsilons of a curve: 0, and from 0.001 to 100 20 to a decade. */
export const EPSILONS: readonly number[] = [
  0,
  ...Array.from({ length: 101 }, (_, at) => Number((10 ** (at / 20 - 3)).toPrecision(3))),
];

/** The counts of negatives that are left to each query. */
const COUNTS = [1, 2, 5, 10, 15, 20, 25, 30, 35, 40, 50, 60, 70, 80, 90, 100];

export interface Fewer {
  count: number;
  metrics: Metrics;
}

/** One model's rankings of the test queries, at any epsilon. It holds memory of the module until it is freed. */
export class Rankings {
  readonly #lab: Lab;
  readonly #candidates: readonly Candidates[];
  readonly #judged: Judged;
  #curve: Metrics[] | undefined;
  #fewer: { count: number; judged: Judged }[] | undefined;

  constructor(lab: Lab, candidates: readonly Candidates[]) {
    this.#lab = lab;
    this.#candidates = candidates;
    this.#judged = judge(lab, candidates);
  }

  at(epsilon: number): Metrics {
    return this.#judged.mean(epsilon);
  }

  /** The metrics at each of the epsilons. */
  get curve(): readonly Metrics[] {
    return (this.#curve ??= EPSILONS.map((epsilon) => this.#judged.mean(epsilon)));
  }

  /** The metrics where fewer sampled negatives are ranked. */
  fewer(epsilon: number): Fewer[] {
    this.#fewer ??= this.#cut();
    return this.#fewer.map(({ count, judged }) => ({ count, metrics: judged.mean(epsilon) }));
  }

  confusion(epsilon: number, thresholds: readonly number[]): number[][] {
    return this.#judged.confusion(epsilon, thresholds);
  }

  free(): void {
    this.#judged.free();
    this.#fewer?.forEach(({ judged }) => judged.free());
  }

  #cut(): { count: number; judged: Judged }[] {
    const negatives = this.#candidates.map(({ grades }) => grades.filter((grade) => grade === 0).length);
    const most = Math.max(...negatives);
    const counts = [...COUNTS.filter((count) => count < most), most];
    return counts.map((count) => ({
      count,
      judged: judge(this.#lab, this.#candidates.map((candidates) => withNegatives(candidates, count))),
    }));
  }
}

/** The graded documents and `count` negatives, spread over the list; a larger count includes the negatives of a smaller one. */
function withNegatives(candidates: Candidates, count: number): Candidates {
  const { grades } = candidates;
  const negatives = [...grades.keys()].filter((at) => grades[at] === 0);
  const kept = new Set(spread(negatives.length).slice(0, count).map((at) => negatives[at]));
  const stays = (_: number, at: number) => grades[at] !== 0 || kept.has(at);
  return {
    ...candidates,
    dots: candidates.dots.filter(stays),
    norms: candidates.norms.filter(stays),
    grades: grades.filter(stays),
  };
}

/** Places of a list, in an order that leaves none of its parts out for long: by multiples of the golden ratio. */
function spread(length: number): number[] {
  const turn = (at: number) => (at * 0.618_033_988_75) % 1;
  return Array.from({ length }, (_, at) => at).sort((a, b) => turn(a) - turn(b));
}
