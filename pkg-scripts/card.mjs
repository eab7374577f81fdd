// Writes the measured figures of a model to its card: node pkg-scripts/card.mjs MODEL FIGURES, its folder
// and the folder of figures that pkg-scripts/models makes.
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";

const [model, figures] = process.argv.slice(2);
const json = (path) => JSON.parse(readFileSync(path, "utf8"));
const rounded = (x) => Math.round(x * 1e4) / 1e4;

const languages = readdirSync(figures).flatMap((file) => /^(.+)\.hybrid\.json$/.exec(file)?.[1] ?? []).sort();
const card = json(`${model}/card.json`);
const files = readdirSync(model).filter((name) => /^(query|document\..+)\.safetensors$/.test(name));
card.bytes = Object.fromEntries(files.sort().map((name) => [name, statSync(`${model}/${name}`).size]));
card.figures = [];
for (const language of languages) {
  for (const ranking of ["hybrid", "dense", "lexical"]) {
    for (const [set, directions] of Object.entries(json(`${figures}/${language}.${ranking}.json`).sets)) {
      const { "accuracy@1": accuracy, MRR } = directions[`en-${language}`];
      card.figures.push({ language, set, ranking, "accuracy@1": rounded(accuracy), MRR: rounded(MRR) });
    }
  }
}
card.typed = json(`${figures}/typed.json`)["success@3"];
for (const row of Object.values(card.typed)) for (const column in row) row[column] = rounded(row[column]);
writeFileSync(`${model}/card.json`, `${JSON.stringify(card, null, 2)}\n`);
