import epsilonReport from "../../../../docs/paper/epsilon-fr.md?raw";
import negativesReport from "../../../../docs/paper/negatives-fr.md?raw";

/** A metric over the seeds of a setting. */
export interface SweepPoint {
  setting: number;
  mean: number;
  standardDeviation: number;
}

/** One setting varied, the model trained again for each: the points of each metric, by the documents that are ranked. */
export interface Sweep {
  testQueries: number;
  seeds: number;
  sampled: Record<string, SweepPoint[]>;
  all: Record<string, SweepPoint[]>;
}

/** The corpus of the sweeps, and how many negatives the sweep of epsilon samples: filled in by pkg-scripts/figures.mjs. */
export const SWEPT = {
  documents: /*=verses-documents*/31_095/*/*/,
  queries: /*=sweep-queries*/2_000/*/*/,
  negatives: /*=sweep-negatives*/40/*/*/,
} as const;

/** The tables that `smooth-clir sweep` wrote for French. */
export const SWEEPS: Readonly<Record<"epsilon" | "negatives", Sweep>> = {
  epsilon: read(epsilonReport),
  negatives: read(negativesReport),
};

function read(report: string): Sweep {
  const [, sampled = "", all = ""] = report.split("\n## ");
  const [, testQueries, seeds] = /(\d+) test queries, .* over (\d+) seeds/.exec(sampled) ?? [];
  return { testQueries: Number(testQueries), seeds: Number(seeds), sampled: readTable(sampled), all: readTable(all) };
}

/** Columns of `mean ± standard deviation` below the metrics' names. */
function readTable(section: string): Record<string, SweepPoint[]> {
  const lines = section.split("\n").filter((line) => line.startsWith("| "));
  const [[, ...names] = [], ...rows] = lines.map((line) => line.slice(2, -2).replaceAll("*", "").split(" | "));
  const point = (column: number) => (row: string[]) => {
    const [mean = Number.NaN, standardDeviation = Number.NaN] = row[column]?.split(" ± ").map(Number) ?? [];
    return { setting: Number(row[0]), mean, standardDeviation };
  };
  return Object.fromEntries(names.map((name, at) => [name, rows.map(point(at + 1))]));
}
