// Reports of `smooth-clir compare` and `sweep` in docs/paper/ -> the tables of docs/paper.md, and whether each figure that a page
// states with an interval stands in a report that it links to.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const docs = fileURLToPath(new URL("../docs/", import.meta.url));
/** A file of docs/. */
export const read = (path) => readFileSync(docs + path, "utf8");

// ---- reading reports

/** Tables of Markdown: the columns' names, and each row's cells by them. */
export function tablesIn(text) {
  const tables = [];
  for (const [block] of text.matchAll(/(?:^\|.*\|\n?)+/gm)) {
    const [head, , ...lines] = block.trimEnd().split("\n").map((line) => line.slice(1, -1).split("|").map((cell) => cell.trim()));
    tables.push(new Map(lines.map((cells) => [cells[0], new Map(head.map((column, at) => [column, cells[at]]))])));
  }
  return tables;
}

const merged = (tables) => new Map(tables.flatMap((table) => [...table]));

/**
 * The tables of a report by its sections: `settings`, and below each of `all` and `samples` the tables `spread` (over seeds), `mean` and `less` (the
 * first row). A split is before the section's name where a report has splits: `group all`.
 */
export function sectionsOf(report) {
  const sections = new Map();
  let split = "";
  for (const section of report.split(/^(?=##)/m)) {
    const title = section.split("\n", 1)[0];
    split = /^## Split by (\w+)/.exec(title)?.[1].concat(" ") ?? split;
    const ranked = /(all documents|sampled candidates)$/.exec(title)?.[1];
    if (ranked === undefined) {
      sections.set(`${split}settings`, merged(tablesIn(section)));
      continue;
    }
    const parts = section.split(/^(?=Means over|Each less)/m);
    const of = (start) => merged(tablesIn(parts.find((part) => part.startsWith(start)) ?? ""));
    const before = merged(tablesIn(parts[0]));
    const means = of("Means over");
    const areMeans = /means over \d+ seeds \[95/.test(parts[0]);
    const kinds = { spread: before, mean: areMeans ? before : means, less: of("Each less") };
    for (const [kind, table] of Object.entries(kinds)) sections.set(`${split}${ranked === "all documents" ? "all" : "samples"} ${kind}`, table);
  }
  return sections;
}

const reportOf = (name) => sectionsOf(read(`paper/${name}.md`));

// ---- writing tables

/** A difference with a p below this stands without it. */
const SURE = 0.05;

/** A cell of a report as the page writes it: true minus signs, and p where a difference may be chance. */
export function written(cell) {
  const [estimate, p] = cell.replaceAll("*", "").split(" p ");
  const value = estimate.replace(/-(?=[\d.])/g, "−");
  return p === undefined || !(Number(p) >= SURE) ? value : `${value}, p ${p.replace(/^0(?=\.)/, "")}`;
}

const lineOf = (cells) => `| ${cells.join(" | ")} |`;
/** A table of Markdown, with the empty lines around it. */
export const tableOf = (head, rows) => `\n\n${[head, head.map(() => "---"), ...rows].map(lineOf).join("\n")}\n\n`;

/** A column of a report: its title, and the section and metric of its cells. */
const columnOf = (report) => ([title, section, metric]) => ({ title, cells: (row) => report.get(section)?.get(row)?.get(metric) });

/** A column of differences from the first row, and in that row its mean, with the interval or else the spread over seeds. */
function effects(title, name, section, metric) {
  const report = reportOf(name);
  const [mean, spread, less] = ["mean", "spread", "less"].map((kind) => report.get(`${section} ${kind}`));
  const [first] = spread.keys();
  const shown = mean.get(first)?.get(metric) ?? spread.get(first).get(metric);
  return { title, cells: (row) => (row === first ? shown : less.get(row)?.get(metric)) };
}

const rowsOf = (report, section) => [...report.get(`${section} spread`).keys()];

/** A table with a line for each of `rows`. */
const byRow = (first, rows, columns) =>
  tableOf([first, ...columns.map(({ title }) => title)], rows.map((row) => [row, ...columns.map(({ cells }) => written(cells(row) ?? ""))]));

/** A table of one report, with a line for each row of a section. */
function ofReport(name, first, section, columns) {
  const report = reportOf(name);
  return byRow(first, rowsOf(report, section), columns.map(columnOf(report)));
}

const P = "P_mr@1";
/** Languages of documents: the name, and the code. */
export const LANGUAGES = [["French", "fr"], ["Italian", "it"], ["Tagalog", "tl"], ["Swahili", "sw"]];

/** A table of the reports of all languages but French, which has a table of its own: `columns` of each by its name and report. */
function ofLanguages(experiment, first, section, columns) {
  const others = LANGUAGES.slice(1).map(([name, code]) => [name, `${experiment}-${code}`]);
  return byRow(first, rowsOf(reportOf(others[0][1]), section), others.flatMap(([name, report]) => columns(name, report)));
}

/** The tables of docs/paper.md by their names. */
const TABLES = {
  losses: () =>
    ofReport("losses-five-verses-fr", "row", "group all", [
      ["epsilon", "group settings", "epsilon"],
      [`by group: ${P}`, "group all mean", P],
      [`${P} less SOSL`, "group all less", P],
      ["MAP less SOSL", "group all less", "MAP"],
      [`at random: ${P}`, "query all mean", P],
      [`${P} less SOSL`, "query all less", P],
      ["MAP less SOSL", "query all less", "MAP"],
    ]),
  "losses-languages": () =>
    ofLanguages("losses-five-verses", "row", "group all", (name, report) => [
      effects(`${name}, by group`, report, "group all", P),
      effects("at random", report, "query all", P),
    ]),
  "losses-all": () =>
    ofReport("losses-all-verses-fr", "row", "group all", [
      ["epsilon", "group settings", "epsilon"],
      [P, "group all mean", P],
      ["NDCG@5", "group all mean", "NDCG@5"],
      ["MAP", "group all mean", "MAP"],
      [`${P} less SOSL`, "group all less", P],
      ["MAP less SOSL", "group all less", "MAP"],
    ]),
  "losses-all-languages": () =>
    ofLanguages("losses-all-verses", "row", "group all", (name, report) => [
      effects(`${name}, ${P}`, report, "group all", P),
      effects("MAP", report, "group all", "MAP"),
    ]),
  "losses-documents": () =>
    ofReport("losses-all-documents-fr", "row", "query all", [
      ["epsilon", "query settings", "epsilon"],
      ["NDCG@5", "query all mean", "NDCG@5"],
      ["less SOSL", "query all less", "NDCG@5"],
      ["MAP", "query all mean", "MAP"],
      ["less SOSL", "query all less", "MAP"],
      [`${P} less SOSL`, "query all less", P],
      ["MAP on samples, less SOSL", "query samples less", "MAP"],
    ]),
  "losses-manuals": () => {
    const ofSplit = (title, split) => [
      [`${title}: ${P}`, `${split} all mean`, P],
      ["less SOSL", `${split} all less`, P],
      ["MAP", `${split} all mean`, "MAP"],
      ["less SOSL", `${split} all less`, "MAP"],
    ];
    return ofReport("losses-all-manuals-fr", "row", "query all", [...ofSplit("at random", "query"), ...ofSplit("by group", "group")]);
  },
  "losses-documents-languages": () =>
    ofLanguages("losses-all-documents", "row", "query all", (name, report) => [
      effects(`${name}, MAP`, report, "query all", "MAP"),
      effects("NDCG@5", report, "query all", "NDCG@5"),
    ]),
  encoders: () =>
    ofReport("encoders-lsi-verses-sw", "row", "group all", [
      ["epsilon", "group settings", "epsilon"],
      [P, "group all spread", P],
      ["NDCG@5", "group all spread", "NDCG@5"],
      ["MAP", "group all spread", "MAP"],
      [`${P} less the average`, "group all less", P],
      ["MAP less the average", "group all less", "MAP"],
      [`${P} on samples, less the average`, "group samples less", P],
    ]),
  "encoders-documents": () =>
    ofReport("encoders-lsi-documents-sw", "row", "group all", [
      ["MAP", "group all mean", "MAP"],
      ["MAP less the average", "group all less", "MAP"],
      [`${P} less the average`, "group all less", P],
      [`on samples: ${P}`, "group samples mean", P],
      [`${P} less the average`, "group samples less", P],
      ["MAP less the average", "group samples less", "MAP"],
    ]),
  epsilon: () =>
    ofReport("epsilon-verses-fr", "epsilon", "all", [
      [P, "all mean", P],
      ["less cosine", "all less", P],
      ["MAP", "all mean", "MAP"],
      ["less cosine", "all less", "MAP"],
      [`${P} on samples, less cosine`, "samples less", P],
    ]),
  "epsilon-languages": () =>
    byRow("epsilon", rowsOf(reportOf("epsilon-verses-fr"), "all"), [
      effects("Italian", "epsilon-verses-it", "all", P),
      effects("Tagalog", "epsilon-verses-tl", "all", P),
      effects("Swahili", "epsilon-verses-sw", "all", P),
      effects("Arabic", "epsilon-verses-ar", "all", P),
      effects("French, all queries", "epsilon-all-verses-fr", "all", P),
      effects("Swahili, all queries", "epsilon-all-verses-sw", "all", P),
    ]),
  "epsilon-documents": () => {
    const folders = [["French manuals", "manuals-fr"], ...LANGUAGES.map(([name, code]) => [name, `documents-${code}`])];
    const columns = folders.flatMap(([name, folder]) => [
      effects(`${name}, MAP`, `epsilon-all-${folder}`, "all", "MAP"),
      effects("on samples", `epsilon-all-${folder}`, "samples", "MAP"),
    ]);
    return byRow("epsilon", rowsOf(reportOf("epsilon-all-manuals-fr"), "all"), columns);
  },
  grades: () =>
    ofReport("grades-verses-fr", "row", "group all", [
      ["epsilon", "group settings", "epsilon"],
      [P, "group all mean", P],
      ["less the first", "group all less", P],
      ["MAP", "group all mean", "MAP"],
      ["MAP on samples, less the first", "group samples less", "MAP"],
    ]),
  explosion: () => {
    const [adam, descent] = ["explosion-verses-sw", "explosion-descent-verses-sw"].map(reportOf);
    const rows = rowsOf(adam, "all").filter((row) => !row.startsWith("SCS, clipped"));
    const ofAdam = [
      ["longest gradient of the score", "settings", "longest gradient of the score"],
      ["clipped steps", "settings", "clipped steps"],
      [P, "all mean", P],
      ["less cosine", "all less", P],
    ];
    const ofDescent = [
      ["descent: clipped steps", "settings", "clipped steps"],
      ["last loss", "settings", "of the last"],
      [P, "all mean", P],
      ["less cosine", "all less", P],
    ];
    return byRow("row", rows, [...ofAdam.map(columnOf(adam)), ...ofDescent.map(columnOf(descent))]);
  },
  negatives: () =>
    ofReport("negatives-verses-fr", "negatives", "all", [
      [`${P}, all documents`, "all mean", P],
      ["less 20", "all less", P],
      ["MAP, all documents", "all mean", "MAP"],
      ["less 20", "all less", "MAP"],
      [`${P} on samples, less 20`, "samples less", P],
      ["MAP on samples, less 20", "samples less", "MAP"],
    ]),
  "negatives-documents": () => {
    const metrics = [["all", P], ["all", "MAP"], ["samples", P], ["samples", "MAP"]];
    const head = ["documents", ...metrics.map(([section, metric]) => `${metric}, ${section === "all" ? "all documents" : "samples"}`)];
    const rows = LANGUAGES.map(([name, code]) => {
      const report = reportOf(`negatives-documents-${code}`);
      return [`[${name}](paper/negatives-documents-${code}.md)`, ...metrics.map(([section, metric]) => written(report.get(`${section} less`).get("100").get(metric)))];
    });
    return tableOf(head, rows);
  },
};

/** The tables of docs/paper.md, by the names by which it cites them. */
export const paperTables = () => new Map(Object.entries(TABLES).map(([name, table]) => [`paper:${name}`, table()]));

// ---- tracing figures

const NUMBER = "[+−-]?\\d*\\.\\d+(?:e-\\d+)?";
const ESTIMATE = new RegExp(`(${NUMBER}) \\[(${NUMBER}), (${NUMBER})\\]`, "g");

/** Means with intervals, as numbers of three decimals, and the same of the opposite difference. */
function estimatesIn(text) {
  const numbers = (found) => found.slice(1).map((number) => Number(number.replace("−", "-")));
  const key = (estimate) => estimate.map((number) => (Math.round(number * 1000) / 1000 || 0).toFixed(3)).join(" ");
  return [...text.matchAll(ESTIMATE)].map((found) => {
    const [mean, low, high] = numbers(found);
    return { text: found[0], key: key([mean, low, high]), opposite: key([-mean, -high, -low]) };
  });
}

/** The means with intervals that a text states, and those of them that stand in none of the reports. */
export function traced(text, reports) {
  const known = new Set(reports.flatMap((report) => estimatesIn(report).flatMap(({ key, opposite }) => [key, opposite])));
  const all = estimatesIn(text);
  return { stated: all.length, unknown: all.filter(({ key }) => !known.has(key)).map((estimate) => estimate.text) };
}

/** The same of a page of docs/ and the reports that it links to. */
export function tracedPage(page) {
  const text = read(page);
  const links = new Set([...text.matchAll(/\]\(((?:paper|methods)\/[\w-]+\.md)\)/g)].map(([, path]) => path));
  return traced(text, [...links].map(read));
}
