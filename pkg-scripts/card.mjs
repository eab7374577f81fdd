// Writes what was measured of the shipped models to their card: node pkg-scripts/card.mjs FIGURES,
// a folder that pkg-scripts/models fills.
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";

const models = "www/models";
const figures = process.argv[2];
const json = (path) => JSON.parse(readFileSync(path, "utf8"));
const rounded = (x) => Math.round(x * 1e4) / 1e4;

const card = json(`${models}/card.json`);
const files = readdirSync(models).filter((name) => name.endsWith(".safetensors"));
card.bytes = Object.fromEntries(files.sort().map((name) => [name, statSync(`${models}/${name}`).size]));
card.figures = [];
for (const file of readdirSync(figures).sort()) {
  const [language, half] = file.split(".");
  if (language === "typed") continue;
  for (const [set, directions] of Object.entries(json(`${figures}/${file}`).sets)) {
    const found = directions[`en-${language}`];
    card.figures.push({ language, set, half, "accuracy@1": rounded(found["accuracy@1"]), MRR: rounded(found.MRR) });
  }
}
card.typed = json(`${figures}/typed.json`)["success@3"];
for (const row of Object.values(card.typed)) for (const column in row) row[column] = rounded(row[column]);
writeFileSync(`${models}/card.json`, `${JSON.stringify(card, null, 2)}\n`);
