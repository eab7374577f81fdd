// Prints the tables of docs/paper.md from an OUT of pkg-scripts/paper, and with --write copies the reports and figures to
// docs/paper/:
//   node pkg-scripts/paper-tables.mjs OUT [--write]
import { copyFileSync, existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const [out, write] = process.argv.slice(2);
if (out === undefined) {
  console.error("usage: node pkg-scripts/paper-tables.mjs OUT [--write]");
  process.exit(2);
}
const pages = fileURLToPath(new URL("../docs/paper/", import.meta.url));
const METRICS = ["P_mr@1", "NDCG@5", "MAP"];
const digits = (x) => x.toFixed(3);
const signed = (x) => (x < 0 ? "−" : "+") + Math.abs(x).toFixed(3);
const shownP = (p) => (p < 0.001 ? "< .001" : p.toFixed(3));

/** A mean with its interval. */
const mean = ({ mean: value, interval: [low, high] }) => `${digits(value)} [${digits(low)}, ${digits(high)}]`;
/** A difference with its interval and p. */
const difference = (of) => (of === undefined ? "" : `${signed(of.mean)} [${signed(of.interval[0])}, ${signed(of.interval[1])}], p ${shownP(of.p)}`);

/** One table: each row's means, and how it differs from the first. */
function tableOf(first, { rows, candidates, queries, seeds }, extra) {
  const head = [first, ...extra.names, ...METRICS, `${METRICS[0]} less the first`, `${METRICS[2]} less the first`];
  const lines = rows.map(({ name, metrics }) => {
    const cells = METRICS.map((metric) => mean(metrics[metric]));
    const differences = [METRICS[0], METRICS[2]].map((metric) => difference(metrics[metric].difference));
    return [name, ...extra.of(name), ...cells, ...differences];
  });
  const text = [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  return `${candidates}, ${queries} test queries, ${seeds} seeds:\n\n${text}\n`;
}

/** The rows of all sweeps of epsilon side by side: the first value's mean, and how each other value differs from it. */
const sweeps = [];

for (const folder of readdirSync(out).sort()) {
  const read = (name) => JSON.parse(readFileSync(join(out, folder, name), "utf8"));
  if (existsSync(join(out, folder, "compare.json"))) {
    for (const result of read("compare.json").results) {
      const settings = new Map(result.methods.map(({ name, settings: of }) => [name, of]));
      const extra = { names: ["epsilon"], of: (name) => [String(settings.get(name)?.epsilon ?? "")] };
      for (const table of result.tables) console.log(`\n### ${folder}, split by ${result["split-by"]}, ${tableOf("row", table, extra)}`);
    }
  }
  if (existsSync(join(out, folder, "sweep.json"))) {
    const none = { names: [], of: () => [] };
    if (folder.startsWith("epsilon")) sweeps.push({ folder, table: read("sweep.json").tables.find(({ candidates }) => candidates === "all documents") });
    for (const table of read("sweep.json").tables) console.log(`\n### ${folder}, ${tableOf("value", table, none)}`);
  }
  if (write === "--write") {
    for (const name of ["compare", "sweep", "densities"]) {
      for (const kind of ["md", "svg"]) {
        const from = join(out, folder, `${name}.${kind}`);
        const to = name === "densities" ? `${folder.replace(/^\w+/, "densities")}.${kind}` : `${folder}.${kind}`;
        if (existsSync(from)) copyFileSync(from, join(pages, to));
      }
    }
  }
}

if (sweeps.length > 0) {
  const names = [...new Set(sweeps.flatMap(({ table }) => table.rows.map(({ name }) => name)))].sort((a, b) => isNaN(a) - isNaN(b) || a - b || 0);
  const head = ["verses", ...names];
  const lines = sweeps.map(({ folder, table }) => {
    const cell = (name) => {
      const metric = table.rows.find((row) => row.name === name)?.metrics["P_mr@1"];
      if (metric === undefined) return "";
      return metric.difference === undefined ? mean(metric) : difference(metric.difference);
    };
    return [`${folder}, ${table.queries} test queries, ${table.seeds} seeds`, ...names.map(cell)];
  });
  const text = [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  console.log(`\n### Sweeps of epsilon, P_mr@1 among all documents, each value less the first\n\n${text}`);
}
