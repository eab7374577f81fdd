import type { MetricName } from "../../state/metrics";
import type { TrecKind } from "./trec-kind";

const COLUMNS = {
  qrels: "expected 4: query, 0, document, grade",
  run: "expected 6: query, Q0, document, rank, score, tag",
};
const countOf = (count: number, one: string, many: string) => `${count.toLocaleString("en-GB")} ${count === 1 ? one : many}`;
const lines = (line: number, problem: string) => `line ${line}: ${problem}`;

/** The texts of this view, in English. */
export const en = {
  heading: "Metrics",
  intro: (epsilon: string, negatives: number) =>
    `How well does the model rank? Each test query ranks the document that answers it, those that answer it partly, and ${negatives} sampled negatives. The model that was tested was trained at epsilon ${epsilon}. The slider moves epsilon at test time only: the vectors stay as they are, the scores change, and with them the order.`,
  metric: "Metric",
  language: "Documents in",
  allLanguages: "all languages",

  /** The meaning of each metric. */
  meanings: {
    "P_mr@1": "the share of queries whose first document is the relevant one",
    "P_mr@5": "the count of relevant documents among the first five; each query has one, so 1 is the maximum",
    "P_r@5": "the share of the first five documents that are relevant or partly relevant",
    "NDCG@5": "how good the first five are, the first counting most, of the best five there could be",
    MAP: "average precision over all places at which a relevant or partly relevant document stands",
    MRR_mr: "one over the place of the relevant document",
    MRR_r: "one over the place of the first document that is relevant or partly relevant",
  } satisfies Record<MetricName, string>,

  meaning: (metric: string, meaning: string) => `${metric}: ${meaning}.`,

  heldOut: "as tested: has not seen these queries",
  loaded: "as loaded here",
  loadedRefit: "as loaded here: trained on these queries too",
  heldOutShort: "as tested, held out",
  loadedShort: { refit: "as loaded, trained on these queries", other: "as loaded, another model", same: "as loaded" },

  loading: "Fetching the test queries…",
  ranking: "The model that is loaded is ranking the test queries…",
  noModel: "The curve of the loaded model comes when there is one.",
  failed: (message: string, code: string) => `The test queries could not be used: ${message} (${code}).`,
  retry: "Try again",

  epsilonAxis: "epsilon",
  atEpsilon: (value: string) => `epsilon ${value}`,
  epsilonTitle: (metric: string) => `${metric} against epsilon at test time`,
  epsilonCaption: (metric: string, queries: number) => `${metric}, mean over ${queries} queries`,
  atSlider: (epsilon: string) => `epsilon ${epsilon}, as the slider has it`,
  atZero: "epsilon 0, cosine",
  epsilonSummary: (model: string, metric: string, epsilon: string, now: string, best: string, at: string) =>
    `The model ${model}: ${metric} is ${now} at epsilon ${epsilon}; the most is ${best}, at epsilon ${at}.`,
  refit: "The result is the first column and curve, “as tested”: the model had not seen these queries. The model that is loaded was trained once more, on all queries, these among them: its own figures, shown for comparison, are no test and show overfitting.",
  notRefit: "The model that is loaded is the one that was tested; the two curves differ by the rounding of its weights in its file.",

  otherModel:
    "The figures “as tested” are the demo model’s. The model that is loaded is another, and may have been trained on these queries: its own figures are no test. Its epsilon is the one beside the slider.",

  tableTitle: (epsilon: string) => `All seven at epsilon ${epsilon}`,
  tableCaption: (queries: number) => `Means over ${queries} pairs of a query and a language`,
  tableMetric: "metric",

  gradesTitle: "Grades by thresholds",
  gradesIntro: (thresholds: readonly string[], grades: readonly string[]) => {
    const upTo = thresholds.map((threshold, at) => `up to ${threshold} is ${grades[at]}`);
    return `The thresholds turn a score into a grade: ${upTo.join(", ")}, above it ${grades.at(-1)}. Rows: the grade that is right; columns: the grade that the model, as tested, gives.`;
  },
  gradesHidden: (own: string, epsilon: string) =>
    `Not shown at epsilon ${epsilon}. A score’s size depends on epsilon, and the thresholds were trained with epsilon ${own}: at another they grade nothing rightly. The order of documents, and so the metrics, need no thresholds.`,
  gradesCaption: "Documents by grade",
  gradesCorner: "right \\ given",
  grades: ["not relevant", "partly", "relevant"] as readonly string[],
  grade: (grade: number) => `grade ${grade}`,

  sweepTitle: (metric: string) => `${metric} where each epsilon has a training of its own`,
  sweepSampled: (negatives: string) => `among ${negatives} sampled negatives`,
  sweepAll: (documents: string) => `among all ${documents} documents`,
  sweepNegativesSampled: "among as many sampled negatives",
  sweepSummary: (metric: string, sampled: string, sampledAt: string, all: string, allAt: string) =>
    `${metric} among sampled negatives is highest at ${sampledAt} (${sampled}), among all documents at ${allAt} (${all}).`,
  sweepColumns: (setting: string) => [setting, "sampled negatives", "low", "high", "all documents", "low", "high"],
  sweepCaption: (metric: string, seeds: string) => `${metric}, means over ${seeds} seeds, with the ends of their 95 % intervals`,
  sweepEpsilonNote: (seeds: string) =>
    `As in the paper’s Figure 4: trained again for each epsilon, with thresholds tuned for it. Means over ${seeds} seeds; bars: 95 % intervals.`,
  sweepNegativesNote: (seeds: string) =>
    `As in the paper’s Figure 5: trained again with that many sampled negatives for each query. Means over ${seeds} seeds; bars: 95 % intervals.`,
  sweepSource: (queries: string, tested: string) =>
    `The two pictures of repeated training are this project’s own measurements (docs/paper.md), on another corpus than this page’s: English Bible verses as queries, French verses as documents, ${queries} queries to train on and ${tested} to test on. So compare where the curves rise and fall, not their heights.`,

  negativesHeading: "Sampled negatives",
  negativesIntro:
    "The more negatives a query ranks, the harder its task. Here the same model ranks some of the negatives sampled for each query, up to all of them, at the slider’s epsilon. Training with more negatives is another matter: see the picture beside it.",
  negativesTitle: (metric: string) => `${metric} against the number of negatives`,
  negativesAxis: "negatives",
  atNegatives: (value: string) => `${value} negatives`,
  ofCount: (count: string, value: string) => `${count}: ${value}`,
  negativesCaption: (metric: string, epsilon: string) => `${metric} at epsilon ${epsilon}`,
  negativesSummary: (model: string, metric: string, few: number, first: string, many: number, last: string) =>
    `The model ${model}: ${metric} is ${first} with ${few}, ${last} with ${many}.`,
  sweepNegativesTitle: (metric: string) => `${metric} where each number has a training of its own`,

  trec: {
    heading: "Your own runs",
    intro:
      "Choose files as TREC has them, or drop them here: judgements (qrels: query, 0, document, grade) and one or two runs (query, Q0, document, rank, score, tag). They are read in this tab and never leave it. Documents are ranked by score, equal scores by document name from the last, as trec_eval does; ranks are not read. Grade 2 and above is relevant, 1 partly relevant; in a file without grades above 1, grade 1 is relevant.",
    qrels: "Judgements (qrels)",
    runs: "Runs, one or two",
    clear: "Clear",
    nothing: "No files yet.",
    hasQrels: (name: string, queries: number) => `Judgements: ${name}, ${countOf(queries, "query", "queries")}.`,
    hasRun: (name: string, queries: number) => `Run: ${name}, ${countOf(queries, "query", "queries")}.`,
    wanted: { qrels: "Judgements are still needed.", run: "A run is still needed." } satisfies Record<TrecKind, string>,
    problem: (name: string, problem: string) => `${name}: ${problem}`,
    tooManyRuns: (count: number) => `${count} runs, but two are the most that are compared.`,
    tooManyQrels: (count: number) => `${count} files of judgements, but one is read.`,
    tooLarge: (most: number) => `more than ${most} megabytes, which is the most that is read here`,
    unreadable: "the browser could not read it",
    empty: "there is nothing in it",
    noRelevant: "no query of the judgements has a document of a grade above 0, which the metrics need",
    binary: "The judgements have no grade above 1: grade 1 counts as relevant in every metric.",
    partly: (count: number) =>
      `${countOf(count, "query has", "queries have")} no document of grade 2: left out of P_mr@1, Hits@5 and MRR_mr, counted in the others.`,
    none: "–",
    columns: (line: number, count: number, kind: TrecKind) => lines(line, `${countOf(count, "column", "columns")}, ${COLUMNS[kind]}`),
    neither: (line: number, count: number) =>
      lines(line, `${countOf(count, "column", "columns")}; judgements have 4, a run has 6`),
    grade: (line: number, found: string) => lines(line, `grade “${found}”, expected a whole number`),
    gradeTooHigh: (line: number, found: string) => lines(line, `grade ${found} is over 255`),
    gradedTwice: (line: number, document: string, query: string) =>
      lines(line, `document “${document}” is graded twice for query “${query}”`),
    score: (line: number, found: string) => lines(line, `score “${found}”, expected a finite number`),
    rankedTwice: (line: number, document: string, query: string) =>
      lines(line, `query “${query}” has document “${document}” twice`),
    longLine: (line: number, most: number) => lines(line, `longer than ${most} bytes, the most a line may have`),
    notUtf8: (line: number) => lines(line, "not UTF-8"),
    meansCaption: (queries: number) => `Means over ${countOf(queries, "query", "queries")}`,
    difference: "second − first",
    missing: (name: string, count: number) =>
      `${countOf(count, "query is", "queries are")} not in ${name}: counted as having found nothing.`,
    unjudged: (name: string, count: number) =>
      `${countOf(count, "query", "queries")} of ${name} without judgements: left out.`,
    without: (count: number) => `${countOf(count, "query", "queries")} without a document of a grade above 0: left out.`,
    differencesTitle: (metric: string) => `${metric}: the second run less the first, query by query`,
    differencesAxis: "queries, by difference",
    differencesUp: "difference",
    differencesSummary: (up: number, down: number, same: number, query: string, by: string) =>
      `The second run is better for ${countOf(up, "query", "queries")}, worse for ${down}, the same for ${same}. It differs most for “${query}”: by ${by}.`,
    differencesSame: (count: number) => `No difference for any of ${countOf(count, "query", "queries")}.`,
    differencesCaption: (metric: string) => `${metric} of each query, the greatest difference first`,
    query: "query",
  },
};
