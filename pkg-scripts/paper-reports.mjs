// Reports of `smooth-clir compare` and `sweep` in docs/paper/ -> the tables of docs/paper.md, and whether each figure that a page
// states with an interval stands in a report that it links to.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const docs = fileURLToPath(new URL("../docs/", import.meta.url));
const read = (path) => readFileSync(docs + path, "utf8");

// ---- reading reports

/** Tables of Markdown: the columns' names, and each row's cells by them. */
function tablesIn(text) {
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

/** The least p that goes without saying. */
const SURE = 0.05;

/** A cell of a report as the page writes it: true minus signs, and p where a difference may be chance. */
export function written(cell) {
  const [estimate, p] = cell.replaceAll("*", "").split(" p ");
  const value = estimate.replace(/-(?=[\d.])/g, "−");
  return p === undefined || !(Number(p) >= SURE) ? value : `${value}, p ${p.replace(/^0(?=\.)/, "")}`;
}

const lineOf = (cells) => `| ${cells.join(" | ")} |`;
const tableOf = (head, rows) => `\n\n${[head, head.map(() => "---"), ...rows].map(lineOf).join("\n")}\n\n`;

/** A column: its title, and the place of its cells: a report, a section and a metric. */
const column = (title, report, section, metric) => ({ title, cells: (row) => reportOf(report).get(section)?.get(row)?.get(metric) });

/** A column of differences from the first row, and in that row its mean, with the interval or else the spread over seeds. */
function effects(title, report, section, metric) {
  const all = reportOf(report);
  const first = [...all.get(`${section} spread`).keys()][0];
  const mean = all.get(`${section} mean`).get(first)?.get(metric) ?? all.get(`${section} spread`).get(first).get(metric);
  return { title, cells: (row) => (row === first ? mean : all.get(`${section} less`).get(row)?.get(metric)) };
}

const rowsOf = (report, section) => [...reportOf(report).get(section).keys()];

/** A table with a line for each of `rows`. */
const byRow = (first, rows, columns) =>
  tableOf([first, ...columns.map(({ title }) => title)], rows.map((row) => [row, ...columns.map(({ cells }) => written(cells(row) ?? ""))]));

const documentsReport = "losses-all-documents-fr";
const five = "losses-five-verses";
const P = "P_mr@1";

const languages = [["French", "fr"], ["Italian", "it"], ["Tagalog", "tl"], ["Swahili", "sw"]];

/** The tables of docs/paper.md by their names. */
const TABLES = {
  losses: () =>
    byRow("row", rowsOf(`${five}-fr`, "group all spread"), [
      column("epsilon", `${five}-fr`, "group settings", "epsilon"),
      column(`by group: ${P}`, `${five}-fr`, "group all mean", P),
      column(`${P} less SOSL`, `${five}-fr`, "group all less", P),
      column("MAP less SOSL", `${five}-fr`, "group all less", "MAP"),
      column(`at random: ${P}`, `${five}-fr`, "query all mean", P),
      column(`${P} less SOSL`, `${five}-fr`, "query all less", P),
      column("MAP less SOSL", `${five}-fr`, "query all less", "MAP"),
    ]),
  "losses-languages": () =>
    byRow("row", rowsOf(`${five}-it`, "group all spread"), languages.slice(1).flatMap(([name, code]) => [
      effects(`${name}, by group`, `${five}-${code}`, "group all", P),
      effects("at random", `${five}-${code}`, "query all", P),
    ])),
  "losses-all": () => {
    const report = "losses-all-verses-fr";
    return byRow("row", rowsOf(report, "group all spread"), [
      column("epsilon", report, "group settings", "epsilon"),
      column(P, report, "group all mean", P),
      column("NDCG@5", report, "group all mean", "NDCG@5"),
      column("MAP", report, "group all mean", "MAP"),
      column(`${P} less SOSL`, report, "group all less", P),
      column("MAP less SOSL", report, "group all less", "MAP"),
    ]);
  },
  "losses-all-languages": () =>
    byRow("row", rowsOf("losses-all-verses-it", "group all spread"), languages.slice(1).flatMap(([name, code]) => [
      effects(`${name}, ${P}`, `losses-all-verses-${code}`, "group all", P),
      effects("MAP", `losses-all-verses-${code}`, "group all", "MAP"),
    ])),
  "losses-documents": () =>
    byRow("row", rowsOf(documentsReport, "query all spread"), [
      column("epsilon", documentsReport, "query settings", "epsilon"),
      column("NDCG@5", documentsReport, "query all mean", "NDCG@5"),
      column("less SOSL", documentsReport, "query all less", "NDCG@5"),
      column("MAP", documentsReport, "query all mean", "MAP"),
      column("less SOSL", documentsReport, "query all less", "MAP"),
      column(`${P} less SOSL`, documentsReport, "query all less", P),
      column("MAP on samples, less SOSL", documentsReport, "query samples less", "MAP"),
    ]),
  "losses-manuals": () => {
    const report = "losses-all-manuals-fr";
    return byRow("row", rowsOf(report, "query all spread"), [
      column(`at random: ${P}`, report, "query all mean", P),
      column("less SOSL", report, "query all less", P),
      column("MAP", report, "query all mean", "MAP"),
      column("less SOSL", report, "query all less", "MAP"),
      column(`by group: ${P}`, report, "group all mean", P),
      column("less SOSL", report, "group all less", P),
      column("MAP", report, "group all mean", "MAP"),
      column("less SOSL", report, "group all less", "MAP"),
    ]);
  },
  "losses-documents-languages": () =>
    byRow("row", rowsOf("losses-all-documents-it", "query all spread"), languages.slice(1).flatMap(([name, code]) => [
      effects(`${name}, MAP`, `losses-all-documents-${code}`, "query all", "MAP"),
      effects("NDCG@5", `losses-all-documents-${code}`, "query all", "NDCG@5"),
    ])),
  encoders: () => {
    const report = "encoders-lsi-verses-sw";
    return byRow("row", rowsOf(report, "group all spread"), [
      column("epsilon", report, "group settings", "epsilon"),
      column(P, report, "group all spread", P),
      column("NDCG@5", report, "group all spread", "NDCG@5"),
      column("MAP", report, "group all spread", "MAP"),
      column(`${P} less the average`, report, "group all less", P),
      column("MAP less the average", report, "group all less", "MAP"),
      column(`${P} on samples, less the average`, report, "group samples less", P),
    ]);
  },
  epsilon: () =>
    byRow("epsilon", rowsOf("epsilon-verses-fr", "all spread"), [
      column(P, "epsilon-verses-fr", "all mean", P),
      column("less cosine", "epsilon-verses-fr", "all less", P),
      column("MAP", "epsilon-verses-fr", "all mean", "MAP"),
      column("less cosine", "epsilon-verses-fr", "all less", "MAP"),
      column(`${P} on samples, less cosine`, "epsilon-verses-fr", "samples less", P),
    ]),
  "epsilon-languages": () =>
    byRow("epsilon", rowsOf("epsilon-verses-fr", "all spread"), [
      effects("Italian", "epsilon-verses-it", "all", P),
      effects("Tagalog", "epsilon-verses-tl", "all", P),
      effects("Swahili", "epsilon-verses-sw", "all", P),
      effects("Arabic", "epsilon-verses-ar", "all", P),
      effects("French, all queries", "epsilon-all-verses-fr", "all", P),
      effects("Swahili, all queries", "epsilon-all-verses-sw", "all", P),
    ]),
  "epsilon-documents": () => {
    const folders = [["French manuals", "manuals-fr"], ...languages.map(([name, code]) => [name, `documents-${code}`])];
    return byRow("epsilon", rowsOf("epsilon-all-manuals-fr", "all spread"), folders.flatMap(([name, folder]) => [
      effects(`${name}, MAP`, `epsilon-all-${folder}`, "all", "MAP"),
      effects("on samples", `epsilon-all-${folder}`, "samples", "MAP"),
    ]));
  },
  grades: () => {
    const report = "grades-verses-fr";
    return byRow("row", rowsOf(report, "group all spread"), [
      column("epsilon", report, "group settings", "epsilon"),
      column(P, report, "group all mean", P),
      column("less the first", report, "group all less", P),
      column("MAP", report, "group all mean", "MAP"),
      column("MAP on samples, less the first", report, "group samples less", "MAP"),
    ]);
  },
  explosion: () => {
    const [adam, descent] = ["explosion-verses-sw", "explosion-descent-verses-sw"];
    const rows = rowsOf(adam, "all spread").filter((row) => !row.startsWith("SCS, clipped"));
    return byRow("row", rows, [
      column("longest gradient of the score", adam, "settings", "longest gradient of the score"),
      column("clipped steps", adam, "settings", "clipped steps"),
      column(P, adam, "all mean", P),
      column("less cosine", adam, "all less", P),
      column("descent: clipped steps", descent, "settings", "clipped steps"),
      column("last loss", descent, "settings", "of the last"),
      column(P, descent, "all mean", P),
      column("less cosine", descent, "all less", P),
    ]);
  },
  negatives: () => {
    const report = "negatives-verses-fr";
    return byRow("negatives", rowsOf(report, "all spread"), [
      column(`${P}, all documents`, report, "all mean", P),
      column("less 20", report, "all less", P),
      column("MAP, all documents", report, "all mean", "MAP"),
      column("less 20", report, "all less", "MAP"),
      column(`${P} on samples, less 20`, report, "samples less", P),
      column("MAP on samples, less 20", report, "samples less", "MAP"),
    ]);
  },
  "negatives-documents": () => {
    const metrics = [["all", P], ["all", "MAP"], ["samples", P], ["samples", "MAP"]];
    const head = ["documents", ...metrics.map(([section, metric]) => `${metric}, ${section === "all" ? "all documents" : "samples"}`)];
    const rows = languages.map(([name, code]) => {
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
