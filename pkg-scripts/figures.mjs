// Compares what the README and the pages cite with its sources, and with --write makes them agree:
//   node pkg-scripts/figures.mjs [--write]
// A page cites with <!--=NAME-->TEXT<!--/-->: a figure of docs/figures.json (NAME@fr: as French writes it), `table` (all of
// them), `terms:LANGUAGE`, the page's glossary, or `paper:TABLE` and `methods:TABLE`, tables of docs/paper.md and docs/methods.md from their
// reports. The page's own code cites with /*=NAME*/NUMBER/*/*/ in the files of CODE.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { methodTables } from "./method-reports.mjs";
import { paperTables } from "./paper-reports.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const read = (path) => readFileSync(join(root, path), "utf8");

/** The figures of docs/figures.json as a table. */
function tableOf({ machines, sets, commands, figures }) {
  const rows = Object.values(figures).map(({ value, unit, what, set, command, machine, date }) => {
    const on = set === undefined ? "" : `\`${set}\``;
    return `| ${what} | ${value} | ${unit} | ${on} | \`${commands[command]}\` | ${machine === undefined ? "any" : `\`${machine}\``} | ${date} |`;
  });
  const named = [
    ...Object.entries(sets).map(([name, { what, tuning }]) => `- Set \`${name}\`${tuning ? ", a **tuning set**" : ""}: ${what}.`),
    ...Object.entries(machines).map(([name, what]) => `- Machine \`${name}\`: ${what}.`),
  ];
  return `\n${named.join("\n")}\n\n| figure | value | unit | set | command | machine | date |\n|---|---|---|---|---|---|---|\n${rows.join("\n")}\n`;
}

/** The terms of the page's glossary in a language, as a list. */
async function termsOf(language) {
  // A file of one object, and of types.
  const source = read(`www/src/ui/glossary/strings.${language}.ts`)
    .replace(/^(?:import|export) type .*$/gm, "")
    .replace(": typeof en", "");
  const terms = (await import(`data:text/javascript,${encodeURIComponent(source)}`))[language];
  const between = language === "fr" ? " : " : ": ";
  return `\n${Object.values(terms).map(({ name, meaning }) => `- **${name}**${between}${meaning}`).join("\n")}\n`;
}

/** The files of the page's code that cite figures, as numbers: 31_095. */
const CODE = ["www/src/views/metrics/sweep.ts"];
const number = (value) => value.replaceAll(",", "_");

/** A figure as French writes it. */
const french = (value) => value.replace(/(\d),(?=\d{3})/g, "$1\u202f").replace(/(?<!\d)\.(?=\d)/g, "0,").replace(/(\d)\.(?=\d)/g, "$1,");

/** The pages that may cite: the README and those of docs/. */
export function pagesWithFigures() {
  const pages = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).map((page) => `docs/${page.replaceAll("\\", "/")}`);
  return ["README.md", ...pages.filter((page) => page.endsWith(".md"))].sort();
}

/** Each place where a page differs from its source, and each page's text as it should be. */
export async function citations() {
  const sources = JSON.parse(read("docs/figures.json"));
  const texts = new Map(Object.entries(sources.figures).map(([name, { value }]) => [name, value]));
  for (const [name, value] of [...texts]) texts.set(`${name}@fr`, french(value));
  texts.set("table", tableOf(sources));
  for (const [name, table] of [...paperTables(), ...methodTables()]) texts.set(name, table);
  for (const language of ["en", "fr"]) texts.set(`terms:${language}`, await termsOf(language));
  const differences = [];
  const cited = new Set();
  const pages = new Map();
  for (const page of pagesWithFigures()) {
    const text = read(page);
    const right = text.replace(/<!--=([\w:@-]+)-->([\s\S]*?)<!--\/-->/g, (whole, name, found) => {
      const expected = texts.get(name);
      if (page !== "docs/figures.md") cited.add(name.replace(/@\w+$/, ""));
      if (expected === undefined) differences.push(`${page}: no figure ${name} in docs/figures.json`);
      else if (found !== expected) differences.push(`${page}: ${name} is ${JSON.stringify(found.slice(0, 60))}, expected ${JSON.stringify(expected.slice(0, 60))}`);
      return expected === undefined ? whole : `<!--=${name}-->${expected}<!--/-->`;
    });
    if (right !== text) pages.set(page, right);
  }
  for (const file of CODE) {
    const text = read(file);
    const right = text.replace(/\/\*=([\w-]+)\*\/(.*?)\/\*\/\*\//g, (whole, name, found) => {
      const value = sources.figures[name]?.value;
      cited.add(name);
      if (value === undefined) differences.push(`${file}: no figure ${name} in docs/figures.json`);
      else if (found !== number(value)) differences.push(`${file}: ${name} is ${found}, expected ${number(value)}`);
      return value === undefined ? whole : `/*=${name}*/${number(value)}/*/*/`;
    });
    if (right !== text) pages.set(file, right);
  }
  return { differences, cited, pages, sources };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { differences, pages } = await citations();
  if (process.argv[2] === "--write") {
    for (const [page, text] of pages) {
      writeFileSync(join(root, page), text);
      console.log(page);
    }
  } else {
    for (const difference of differences) console.error(difference);
    if (differences.length > 0) process.exitCode = 1;
  }
}
