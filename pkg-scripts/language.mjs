// Writes the card of a language pack: node pkg-scripts/language.mjs LANGUAGE FOLDER, where FOLDER has the packs of npm/models and
// www/models with their cards and figures, as pkg-scripts/language makes them.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const [language, folder] = process.argv.slice(2);
const json = (path) => JSON.parse(readFileSync(path, "utf8"));
const rounded = (x) => Math.round(x * 1e4) / 1e4;

/** The bytes and figures of the pack for a model. */
function measured(model) {
  const bytes = readFileSync(`${folder}/${model}/document.${language}.safetensors`);
  const figures = [];
  for (const ranking of ["hybrid", "dense", "lexical"]) {
    const path = `${folder}/${model}/mates.${ranking}.json`;
    if (!existsSync(path)) continue;
    for (const [set, directions] of Object.entries(json(path).sets)) {
      const { "accuracy@1": accuracy, MRR } = directions[`en-${language}`];
      figures.push({ set, ranking, "accuracy@1": rounded(accuracy), MRR: rounded(MRR) });
    }
  }
  const path = `${folder}/${model}/typed`;
  if (existsSync(path)) figures.push({ set: "typed", ranking: "hybrid", "MRR@10": Number(readFileSync(path, "utf8")) });
  return { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex"), figures };
}

const { bytes, sources, ...made } = json(`${folder}/npm/card.${language}.json`);
const card = { ...made, general: measured("npm"), page: measured("www"), sources };
writeFileSync(`npm/models/card.${language}.json`, `${JSON.stringify(card, null, 2)}\n`);
