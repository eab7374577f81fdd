import epsilonReport from "../../../../docs/paper/epsilon-verses-fr.md?raw";
import negativesReport from "../../../../docs/paper/negatives-verses-fr.md?raw";

/** A metric over the test queries and seeds of a setting, with its 95 % interval. */
export interface SweepPoint {
  setting: number;
  mean: number;
  low: number;
  high: number;
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
  queries: /*=sweep-queries*/1_200/*/*/,
  negatives: /*=sweep-negatives*/40/*/*/,
} as const;

/** The tables that `smooth-clir sweep` wrote for French. */
export const SWEEPS: Readonly<Record<"epsilon" | "negatives", Sweep>> = {
  epsilon: read(epsilonReport),
  negatives: read(negativesReport),
};

function read(report: string): Sweep {
  const section = (name: string) => report.split("\n## ").find((section) => section.startsWith(name)) ?? "";
  const [sampled, all] = [section("sampled candidates"), section("all documents")];
  const [, testQueries, seeds] = /(\d+) test queries, .* over (\d+) seeds/.exec(sampled) ?? [];
  return { testQueries: Number(testQueries), seeds: Number(seeds), sampled: readTable(sampled), all: readTable(all) };
}

/** Columns of `mean [low, high]` below the metrics' names. A setting that is not one number, as a learned epsilon, has no place. */
function readTable(section: string): Record<string, SweepPoint[]> {
  const [, means = ""] = section.split("\nMeans over queries and seeds");
  const lines = means.split("\nEach less")[0]!.split("\n").filter((line) => line.startsWith("| "));
  const [[, ...names] = [], ...rows] = lines.map((line) => line.slice(2, -2).split(" | "));
  const placed = rows.filter(([setting]) => !Number.isNaN(Number(setting)));
  const point = (column: number) => (row: string[]) => {
    const [mean = Number.NaN, low = Number.NaN, high = Number.NaN] = row[column]?.match(/[\d.]+/g)?.map(Number) ?? [];
    return { setting: Number(row[0]), mean, low, high };
  };
  return Object.fromEntries(names.map((name, at) => [name, placed.map(point(at + 1))]));
}
