// Writes package.json and README.md of a language pack's package: node package-language.mjs LANGUAGE FOLDER, the folder with its
// models/card.LANGUAGE.json.
import { readFileSync, statSync, writeFileSync } from "node:fs";

const [language, folder] = process.argv.slice(2);
const json = (path) => JSON.parse(readFileSync(path, "utf8"));
const { version } = json("npm/package.json");
const { figures = [], training = [], sources = [] } = json(`${folder}/models/card.${language}.json`);
if (sources.length === 0) throw new Error(`card.${language}.json names no sources`);
const name = `smooth-clir-models-en-${language}`;
const english = new Intl.DisplayNames("en", { type: "language" }).of(language);
const file = `models/document.${language}.safetensors`;
const about = {
  name,
  version,
  description: `${english} for smooth-clir: a language pack for cross-lingual search.`,
  keywords: ["cross-lingual", "search", "language", language],
  license: "MIT OR Apache-2.0",
  files: ["models", "LICENSE-MIT", "LICENSE-APACHE"],
};

const row = (cells) => `| ${cells.join(" | ")} |`;
const table = (head, rows) => [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");
const measured = figures.map(({ set, ranking, MRR, "accuracy@1": accuracy }) => [set, ranking, accuracy, MRR]);
const linked = ({ name, url }) => (url === undefined ? name : `[${name}](${url})`);
const megabytes = (statSync(`${folder}/${file}`).size / 1e6).toFixed(1);
const parts = [
  `# ${name}`,
  `${english} for [smooth-clir](https://www.npmjs.com/package/smooth-clir): the file \`${file}\`, ${megabytes} MB, which belongs to the model of the same version of
the package \`smooth-clir\`.`,
  "Installed beside `smooth-clir`, its command finds the pack and indexes pages in this language with it:",
  `\`\`\`sh\nnpm install smooth-clir ${name}\nnpx smooth-clir index public --out public/search\n\`\`\``,
  "In JavaScript it is one more file of the model:",
  `\`\`\`js\nawait engine.addModel(new URL(import.meta.resolve("${name}/${file}")));\n\`\`\``,
  ...(measured.length === 0 ? [] : ["## Figures", `Mate retrieval, from English to ${english}:`, table(["set", "ranking", "accuracy@1", "MRR"], measured)]),
  ...(training.length === 0 ? [] : ["## Training", training.map((line) => `- ${line}`).join("\n")]),
  "## Sources and licences",
  table(["source", "licence", "attribution"], sources.map((source) => [linked(source), source.licence, source.attribution ?? ""])),
  "The pack has word translations and statistics of these texts, not the texts. It is licensed under MIT or Apache-2.0, at your option.",
];
writeFileSync(`${folder}/package.json`, `${JSON.stringify(about, null, 2)}\n`);
writeFileSync(`${folder}/README.md`, `${parts.join("\n\n")}\n`);
