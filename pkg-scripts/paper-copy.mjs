// Copies from an OUT of pkg-scripts/paper to docs/paper/ what docs/paper.md links to, reports and pictures. Then fill in its tables:
//   node pkg-scripts/paper-copy.mjs OUT && node pkg-scripts/figures.mjs --write
import { copyFileSync, existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const [out] = process.argv.slice(2);
if (out === undefined) {
  console.error("usage: node pkg-scripts/paper-copy.mjs OUT");
  process.exit(2);
}
if (!existsSync(out)) {
  console.error(`error: ${out}: no such folder: expected an OUT of pkg-scripts/paper`);
  process.exit(1);
}
const pages = fileURLToPath(new URL("../docs/paper/", import.meta.url));
const page = readFileSync(fileURLToPath(new URL("../docs/paper.md", import.meta.url)), "utf8");

const own = (kind) => (experiment) => `${experiment}.${kind}`;
/** What an experiment writes, and the names of the copies. */
const COPIES = {
  "compare.md": own("md"),
  "compare.svg": own("svg"),
  "sweep.md": own("md"),
  "sweep.svg": own("svg"),
  "study.md": own("md"),
  "study.svg": own("svg"),
  "densities.svg": (experiment) => `${experiment.replace(/^\w+/, "densities")}.svg`,
  "gradients.svg": () => "gradients.svg",
  "losses.svg": () => "losses.svg",
};

for (const experiment of readdirSync(out).sort()) {
  for (const [name, copy] of Object.entries(COPIES)) {
    const to = copy(experiment);
    if (!existsSync(join(out, experiment, name)) || !page.includes(`(paper/${to})`)) continue;
    copyFileSync(join(out, experiment, name), join(pages, to));
    console.log(`docs/paper/${to}`);
  }
}
