// What feedback is worth: typed queries before and after fine-tuning from 50 relevance judgements, in Node.
//
//   node benches/feedback.mjs DATA MODEL INDEX LANGUAGE
//
// DATA/typed has queries and judgements, INDEX the passages of LANGUAGE by MODEL, a folder. Half of the queries, drawn once, give
// the judgements: of each the first hit that is not relevant (grade 0) and a passage of grade 2. Prints MRR@10 of these
// queries and of the other half.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { SmoothClir } from "smooth-clir";

const JUDGEMENTS = 50;
const [data, model, index, language] = process.argv.slice(2);
if (language === undefined) throw new Error("usage: feedback.mjs DATA MODEL INDEX LANGUAGE");
const table = async (name) => (await readFile(join(data, "typed", name), "utf8")).trimEnd().split("\n").map((line) => line.split("\t"));

const engine = await SmoothClir.load({
  model: [join(model, "query.safetensors"), join(model, `document.${language}.safetensors`)],
  documents: index,
});
const there = new Set((await engine.documents()).ids);
const relevant = new Map();
for (const [query, passage, grade] of await table("qrels.tsv")) {
  if (grade === "2" && there.has(passage)) relevant.set(query, [...(relevant.get(query) ?? []), passage]);
}
const queries = (await table("queries.tsv")).filter(([id]) => relevant.has(id)).map(([id, , text]) => ({ id, text }));
// Every other query, in an order that depends on the texts alone.
queries.sort((a, b) => (digest(a.text) < digest(b.text) ? -1 : 1));
const halves = [queries.filter((_, place) => place % 2 === 0), queries.filter((_, place) => place % 2 === 1)];

function digest(text) {
  let hash = 2166136261;
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0), 16777619) >>> 0;
  return hash;
}

async function mrr(some) {
  let sum = 0;
  for (const { id, text } of some) {
    const hits = await engine.search(text, { limit: 10 });
    const rank = hits.findIndex((hit) => relevant.get(id).includes(hit.id));
    if (rank >= 0) sum += 1 / (rank + 1);
  }
  return (sum / some.length).toFixed(3);
}

async function print(name) {
  console.log(`${language}  ${name.padEnd(24)} judged ${await mrr(halves[0])}  others ${await mrr(halves[1])}`);
}

await print("before");
const judgements = [];
for (const { id, text } of halves[0]) {
  const hits = await engine.search(text, { limit: 10 });
  const wrong = hits.find((hit) => !relevant.get(id).includes(hit.id));
  if (wrong) judgements.push({ query: text, document: wrong.id, language, grade: 0 });
  judgements.push({ query: text, document: relevant.get(id)[0], language, grade: 2 });
  if (judgements.length >= JUDGEMENTS) break;
}
for (const steps of [10, 30, 100]) {
  await engine.learn(judgements, { steps, device: "wasm" });
  await print(`${judgements.length} judgements, ${steps} steps`);
  await engine.reset();
}
engine.close();
