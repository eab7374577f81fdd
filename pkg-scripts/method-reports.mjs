// Reports of `smooth-clir compare --methods` in docs/methods/ -> the tables of docs/methods.md.
import { LANGUAGES, read, tableOf, tablesIn, written } from "./paper-reports.mjs";

/**
 * The tables of a report by what stands before them: a figure's name, "NDCG@5 among all documents", for its means, and "less NAME" for the
 * differences from the first method; `settings`.
 */
export function methodsOf(report) {
  const tables = new Map();
  for (const [, title, table] of report.matchAll(/^([^|\n][^\n]*):\n\n((?:\|.*\n)+)/gm)) {
    const name = title.replace(/, less that of .*/, "");
    tables.set(title === "Settings" ? "settings" : name === title ? name : `less ${name}`, tablesIn(table)[0]);
  }
  return tables;
}

const reportOf = (name) => methodsOf(read(`methods/${name}.md`));
const NAMES = new Map([...LANGUAGES.map(([name, code]) => [code, name]), ["es", "Spanish"]]);

/** The cell of a method at the largest share, which is the last. */
const last = (table, method) => (table.has(method) ? written([...table.get(method).values()].at(-1)) : "");

/** Tables side by side, each with its title, in the order of these methods. */
function sideBySide(methods, columns) {
  const rows = methods.map((method) => [method, ...columns.map(([, table]) => last(table, method))]);
  return tableOf(["method", ...columns.map(([title]) => title)], rows);
}

/** MRR of comparable documents: in most languages the first table of a curve over shares. */
function comparable(language) {
  return language === "es" ? reportOf("comparable-es").get("MRR over both directions") : tablesIn(read(`methods/shares-${language}.md`))[0];
}

/** Methods in the order of tables. */
const METHODS = "psq cca opca cdl-pairs cdl lsi cplsa jplsa average-lsi average translated-bm25 bm25".split(" ").map((name) => `\`${name}\``);
const ALL = ["NDCG@5 among all documents", "MAP among all documents"];
const GRADED = ["fr", "it", "tl", "sw"];

/** A figure of graded documents in each language. */
function graded(figure) {
  const columns = GRADED.map((language) => [NAMES.get(language), reportOf(`documents-${language}`).get(figure)]);
  return sideBySide(METHODS, columns);
}

/** The tables of docs/methods.md by their names. */
const TABLES = {
  comparable: () => sideBySide(METHODS, ["es", "fr", "it", "tl", "sw"].map((language) => [NAMES.get(language), comparable(language)])),
  "documents-ndcg": () => graded(ALL[0]),
  "documents-map": () => graded(ALL[1]),
  "documents-samples": () => graded("NDCG@5 on sampled candidates"),
  settings: () => {
    const settings = reportOf("documents-sw").get("settings");
    const rows = [...settings.keys()].map((method) => {
      const [, setting, tried, , megabytes] = /^(.*) \((\d+) tried; ([\d.]+) s; ([\d.]+) MB\)$/.exec(last(settings, method));
      return [method, setting, tried, megabytes];
    });
    return tableOf(["method", "setting", "settings tried", "MB"], rows);
  },
};

/** The tables of docs/methods.md, by the names by which it cites them. */
export const methodTables = () => new Map(Object.entries(TABLES).map(([name, table]) => [`methods:${name}`, table()]));
