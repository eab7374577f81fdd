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
const nameOf = (language) => LANGUAGES.find(([, code]) => code === language)?.[0] ?? { es: "Spanish" }[language];

/** The cell of a method at the largest share, which is the last. */
const last = (table, method) => written([...(table?.get(method)?.values() ?? [])].at(-1) ?? "");

/** A figure of several reports side by side, in the order of the first one's methods. */
function sideBySide(task, languages, figure) {
  const reports = languages.map((language) => reportOf(`${task}-${language}`));
  const methods = [...reports[0].get(figure).keys()];
  return tableOf(["method", ...languages.map(nameOf)], methods.map((method) => [method, ...reports.map((report) => last(report.get(figure), method))]));
}

const ALL = ["NDCG@5 among all documents", "MAP among all documents"];
const GRADED = ["fr", "it", "tl", "sw"];
const VERSES = ["tl", "sw"];

/** The tables of docs/methods.md by their names. */
const TABLES = {
  comparable: () => sideBySide("comparable", ["es", "fr", "it", "tl", "sw"], "MRR over both directions"),
  settings: () => {
    const settings = reportOf("comparable-sw").get("settings");
    const parts = (cell) => /^(.*) \((\d+) tried; ([\d.]+) s; ([\d.]+) MB\)$/.exec(cell).slice(1);
    const rows = [...settings.keys()].map((method) => {
      const [setting, tried, , megabytes] = parts(last(settings, method));
      return [method, setting, tried, megabytes];
    });
    return tableOf(["method", "setting chosen for Swahili", "settings tried", "MB"], rows);
  },
  "documents-ndcg": () => sideBySide("documents", GRADED, ALL[0]),
  "documents-map": () => sideBySide("documents", GRADED, ALL[1]),
  "documents-samples": () => sideBySide("documents", GRADED, "NDCG@5 on sampled candidates"),
  verses: () => {
    const reports = VERSES.map((language) => [nameOf(language), reportOf(`verses-${language}`)]);
    const columns = reports.flatMap(([name, report]) => ALL.map((figure, at) => [at === 0 ? `${name}, NDCG@5` : "MAP", report.get(figure)]));
    const methods = [...columns[0][1].keys()];
    return tableOf(["method", ...columns.map(([title]) => title)], methods.map((method) => [method, ...columns.map(([, table]) => last(table, method))]));
  },
};

/** The tables of docs/methods.md, by the names by which it cites them. */
export const methodTables = () => new Map(Object.entries(TABLES).map(([name, table]) => [`methods:${name}`, table()]));
