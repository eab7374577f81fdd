// Copies the reports and figures in an OUT of pkg-scripts/paper that docs/paper.md links to to docs/paper/. Its tables are filled in from them:
//   node pkg-scripts/paper-copy.mjs OUT && node pkg-scripts/figures.mjs --write
import { copyFileSync, existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const [out] = process.argv.slice(2);
if (out === undefined) {
  console.error("usage: node pkg-scripts/paper-copy.mjs OUT");
  process.exit(2);
}
const pages = fileURLToPath(new URL("../docs/paper/", import.meta.url));
const page = readFileSync(fileURLToPath(new URL("../docs/paper.md", import.meta.url)), "utf8");

/** What an experiment writes, and the names of the copies. */
const COPIES = {
  "compare.md": (experiment) => `${experiment}.md`,
  "compare.svg": (experiment) => `${experiment}.svg`,
  "sweep.md": (experiment) => `${experiment}.md`,
  "sweep.svg": (experiment) => `${experiment}.svg`,
  "study.md": (experiment) => `${experiment}.md`,
  "study.svg": (experiment) => `${experiment}.svg`,
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
