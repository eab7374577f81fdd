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

/** A report, as a function from a table's name to the table. */
function reportOf(name) {
  const tables = methodsOf(read(`methods/${name}.md`));
  return (table) => {
    if (!tables.has(table)) throw new Error(`docs/methods/${name}.md: no table of ${table}`);
    return tables.get(table);
  };
}

const NAMES = new Map([...LANGUAGES.map(([name, code]) => [code, name]), ["es", "Spanish"]]);

/** The cell of a method at the largest share, which is the last. */
const last = (table, method) => (table.has(method) ? written([...table.get(method).values()].at(-1)) : "");

/** Tables side by side, each with its title, in the order of these methods. */
function sideBySide(methods, columns) {
  const rows = methods.map((method) => [method, ...columns.map(([, table]) => last(table, method))]);
  return tableOf(["method", ...columns.map(([title]) => title)], rows);
}

/** The means of a curve over shares. */
const sharesOf = (language) => tablesIn(read(`methods/shares-${language}.md`))[0];

/** MRR of comparable documents: in most languages the first table of a curve over shares; in Swahili the first paper's encoder has a report of its own. */
function comparable(language) {
  if (language === "es") return reportOf("comparable-es")("MRR over both directions");
  const means = sharesOf(language);
  return language === "sw" ? new Map([...reportOf("both-sw")("MRR over both directions"), ...means]) : means;
}

/** Means of a curve over shares, without the deviation over seeds, best at the smallest share first. */
function curve(language) {
  const table = sharesOf(language);
  const [, ...shares] = [...table.values()][0].keys();
  const rows = [...table].map(([method, cells]) => [method, ...shares.map((share) => written(cells.get(share)).replace(/ ± .*/, ""))]);
  const smallest = ([, mean]) => Number.parseFloat(mean);
  const titles = shares.map((share) => share.replace(/\d+(?= pairs)/, (pairs) => Number(pairs).toLocaleString("en")));
  return tableOf(["method", ...titles], rows.sort((one, other) => smallest(other) - smallest(one)));
}

/** Dictionaries by the printed steps beside those by block descent, a language a row. */
function steps() {
  const rows = STEPS.map((language) => {
    const report = reportOf(`steps-${language}`);
    const [mean, less] = [report("MRR over both directions"), report("less MRR over both directions")];
    return [NAMES.get(language), last(mean, "`cdl`"), last(mean, "`cdl-paper`"), last(less, "`cdl-paper`")];
  });
  return tableOf(["language", "`cdl`", "`cdl-paper`", "`cdl-paper` less `cdl`"], rows);
}

/** Methods in the order of tables. */
const METHODS = "psq cca opca cdl-pairs cdl lsi cplsa jplsa average-lsi average translated-bm25 bm25".split(" ").map((name) => `\`${name}\``);
const COMPARABLE = ["es", "fr", "it", "tl", "sw"];
/** Languages whose dictionaries were made by the printed steps, too. */
const STEPS = ["es", "fr", "it", "tl", "sw"];
const GRADED = ["fr", "it", "tl", "sw"];

/** The settings of a method, how many were tried, and the model's size. */
function settingOf(settings, method) {
  const [, setting, tried, megabytes] = /^(.*) \((\d+) tried; [\d.]+ s; ([\d.]+) MB\)$/.exec(last(settings, method));
  return [method, setting, tried, megabytes];
}

/** The tables of docs/methods.md, by the names by which it cites them. */
export function methodTables() {
  const reports = new Map(GRADED.map((language) => [language, reportOf(`documents-${language}`)]));
  const graded = (figure) => sideBySide(METHODS, GRADED.map((language) => [NAMES.get(language), reports.get(language)(figure)]));
  const settings = reports.get("sw")("settings");
  return new Map([
    ["methods:comparable", sideBySide(METHODS, COMPARABLE.map((language) => [NAMES.get(language), comparable(language)]))],
    ["methods:documents-ndcg", graded("NDCG@5 among all documents")],
    ["methods:documents-map", graded("MAP among all documents")],
    ["methods:documents-samples", graded("NDCG@5 on sampled candidates")],
    ...GRADED.map((language) => [`methods:shares-${language}`, curve(language)]),
    ["methods:steps", steps()],
    ["methods:settings", tableOf(["method", "setting", "settings tried", "MB"], [...settings.keys()].map((method) => settingOf(settings, method)))],
  ]);
}
