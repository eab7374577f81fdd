import type { Lab, Metrics } from "smooth-clir/lab";
import type { MetricName } from "../../state/metrics";
import { text } from "./strings";
import type { TrecKind } from "./trec-kind";

/** Documents and grades of each query. */
export type Qrels = ReadonlyMap<string, ReadonlyMap<string, number>>;
/** Documents of each query, best first. */
export type Run = ReadonlyMap<string, readonly string[]>;

export const MOST_BYTES = 100 * 2 ** 20;
const MOST_LINE_BYTES = 65_536;
const COLUMNS = { qrels: 4, run: 6 } as const;
const MOST_GRADE = 255;

/** A file that cannot be read: the message says why. */
export class TrecError extends Error {}

/** The metrics that look for documents of grade 2 alone. */
const OF_GRADE_2: readonly MetricName[] = ["P_mr@1", "P_mr@5", "MRR_mr"];

/** The metrics of a run by some qrels. */
export interface Outcome {
  /** Each query's metrics; a query without a document of grade 2 lacks those that look for one. */
  queries: ReadonlyMap<string, Metrics>;
  /** The means, each over the queries that have the metric. */
  means: Metrics;
  /** Whether no grade is above 1: grade 1 counts as relevant then, in every metric. */
  binary: boolean;
  /** Queries that have the metrics of grade 2. */
  graded: number;
  /** Queries that the run lacks: they count as having found nothing. */
  missing: number;
  /** Queries without a document of a grade above 0: they are left out. */
  without: number;
  /** Queries of the run that the qrels lack: they are left out. */
  unjudged: number;
}

/** The kind of a file, by the number of columns in its first line. */
export function kindOf(bytes: Uint8Array): TrecKind {
  for (const [line, columns] of rows(bytes)) {
    if (columns.length === COLUMNS.qrels) return "qrels";
    if (columns.length === COLUMNS.run) return "run";
    throw new TrecError(text.trec.neither(line, columns.length));
  }
  throw new TrecError(text.trec.empty);
}

export function readQrels(bytes: Uint8Array): Qrels {
  const qrels = new Map<string, Map<string, number>>();
  for (const [line, columns] of rows(bytes)) {
    const [query, , document, grade] = expect(line, columns, "qrels") as [string, string, string, string];
    if (!/^[+-]?\d+$/.test(grade)) throw new TrecError(text.trec.grade(line, cut(grade)));
    // A negative grade means unjudged.
    const value = Math.max(Number(grade), 0);
    if (value > MOST_GRADE) throw new TrecError(text.trec.gradeTooHigh(line, cut(grade)));
    const documents = qrels.get(query) ?? new Map<string, number>();
    if (documents.has(document)) throw new TrecError(text.trec.gradedTwice(line, cut(document), cut(query)));
    qrels.set(query, documents.set(document, value));
  }
  if (qrels.size === 0) throw new TrecError(text.trec.empty);
  return qrels;
}

/** Ranks are those of the scores, ties broken by document id in falling order, as trec_eval does. */
export function readRun(bytes: Uint8Array): Run {
  const run = new Map<string, Map<string, number>>();
  for (const [line, columns] of rows(bytes)) {
    const [query, , document, , score] = expect(line, columns, "run") as [string, string, string, string, string];
    // As trec_eval has it, in 32 bits: scores that are equal there are ties.
    const value = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(score) ? Math.fround(Number(score)) : Number.NaN;
    if (!Number.isFinite(value)) throw new TrecError(text.trec.score(line, cut(score)));
    const documents = run.get(query) ?? new Map<string, number>();
    if (documents.has(document)) throw new TrecError(text.trec.rankedTwice(line, cut(document), cut(query)));
    run.set(query, documents.set(document, value));
  }
  if (run.size === 0) throw new TrecError(text.trec.empty);
  const ranked = (documents: Map<string, number>) =>
    [...documents].sort(([a, x], [b, y]) => y - x || byCodePoints(b, a)).map(([document]) => document);
  return new Map([...run].map(([query, documents]) => [query, ranked(documents)]));
}

/**
 * The metrics of a run. Over the queries that have a document of grade 2 they are those of the trainer's command `metrics`;
 * a query whose best grade is 1 counts in the metrics that look for grades above 0.
 */
export function evaluate(lab: Lab, qrels: Qrels, run: Run): Outcome {
  const binary = !isAbove(qrels, 1);
  const queries = new Map<string, Metrics>();
  const graded: Metrics[] = [];
  let missing = 0;
  for (const [query, grades] of qrels) {
    const all = [...grades.values()];
    const most = Math.max(...all);
    if (most === 0) continue;
    // With two values the scale does not matter: the core looks for grade 2, and the gain of NDCG is a quotient.
    const grade = (value: number) => (most === 1 ? 2 * value : value);
    const ranked = run.get(query)?.map((document) => grade(grades.get(document) ?? 0));
    const metrics = lab.metrics(ranked ?? [], all.map(grade))!;
    if (ranked === undefined) missing += 1;
    if (most > 1 || binary) graded.push(metrics);
    queries.set(query, most > 1 || binary ? metrics : withoutGrade2(metrics));
  }
  if (queries.size === 0) throw new TrecError(text.trec.noRelevant);
  const unjudged = [...run.keys()].filter((query) => !qrels.has(query)).length;
  const [ofAll, ofGraded] = [lab.mean([...queries.values()].map(whole)), lab.mean(graded)];
  const means = { ...ofAll, ...Object.fromEntries(OF_GRADE_2.map((name) => [name, graded.length > 0 ? ofGraded[name]! : Number.NaN])) };
  return { queries, means, binary, graded: graded.length, missing, without: qrels.size - queries.size, unjudged };
}

const isAbove = (qrels: Qrels, grade: number): boolean =>
  [...qrels.values()].some((grades) => [...grades.values()].some((one) => one > grade));

const withoutGrade2 = (metrics: Metrics): Metrics =>
  Object.fromEntries(Object.entries(metrics).filter(([name]) => !OF_GRADE_2.some((one) => one === name)));

/** With zeros for what a query lacks, which is not looked at in the mean. */
const whole = (metrics: Metrics): Metrics => ({ ...Object.fromEntries(OF_GRADE_2.map((name) => [name, 0])), ...metrics });

/** The columns of each line that is not empty, with its number. */
function* rows(bytes: Uint8Array): Generator<[line: number, columns: string[]]> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  for (let start = 0, line = 1; start < bytes.length; line += 1) {
    const found = bytes.indexOf(0x0a, start);
    const end = found < 0 ? bytes.length : found;
    if (end - start > MOST_LINE_BYTES) throw new TrecError(text.trec.longLine(line, MOST_LINE_BYTES));
    const content = decode(decoder, bytes.subarray(start, end), line);
    // As C splits them: other spaces may be part of an id.
    if (content !== "" && content !== "\r") yield [line, content.split(/[ \t\f\r]+/).filter((column) => column !== "")];
    start = end + 1;
  }
}

function decode(decoder: TextDecoder, bytes: Uint8Array, line: number): string {
  try {
    const content = decoder.decode(bytes);
    return line === 1 ? content.replace(/^\uFEFF/, "") : content;
  } catch {
    throw new TrecError(text.trec.notUtf8(line));
  }
}

function expect(line: number, columns: string[], kind: TrecKind): string[] {
  if (columns.length !== COLUMNS[kind]) throw new TrecError(text.trec.columns(line, columns.length, kind));
  return columns;
}

/** The order of UTF-8, which JavaScript's own differs from beyond the first 65,536 characters. */
function byCodePoints(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  const at = left.findIndex((character, at) => character !== right[at]);
  if (at < 0) return left.length - right.length;
  return left[at]!.codePointAt(0)! - (right[at]?.codePointAt(0) ?? -1);
}

const cut = (value: string) => (value.length > 60 ? `${value.slice(0, 60)}…` : value);
