// Writes what the page shows before its model is here: the English titles of the built-in corpus, and a query with its
// answers. node pkg-scripts/example.mjs GENERATED EXAMPLE.json
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SmoothClir } from "smooth-clir";

/** Few of its words are in the answers, in whatever language. */
const QUERY = "bird that cannot fly";
/** As many as fill a screen. */
const ENTRIES = 3;

const [generated, file] = process.argv.slice(2);
const english = Object.fromEntries(
  readFileSync(join(generated, "corpus/fr/queries.tsv"), "utf8").trimEnd().split("\n").map((line) => line.split("\t").slice(0, 2)),
);

const isFull = existsSync(join(generated, "models/query.safetensors"));
const languages = ["fr", "it", "sw", "tl"];
const of = (name) => join(generated, `${name}.safetensors`);
const sides = ["query", ...languages.map((language) => `document.${language}`)].map((name) => of(`models/${name}`));
const engine = await SmoothClir.load({
  model: isFull ? sides : of("query"),
  documents: languages.map((language) => of(`documents/${language}/${isFull ? "full" : "demo"}`)),
});
const entryOf = ({ id, language }) => id.replace(new RegExp(`[.-]${language}$`), "");
const ranking = await engine.search(QUERY, { limit: 16 });
const entries = [...new Set(ranking.map(entryOf))].slice(0, ENTRIES);
const hits = ranking.filter((hit) => entries.includes(entryOf(hit)));
const matches = await engine.matches(QUERY, hits.map(({ id, language }) => ({ document: id, language })));
const example = {
  query: QUERY,
  tokens: await engine.tokens(QUERY),
  hits,
  matches,
  english: Object.fromEntries(entries.map((entry) => [entry, english[entry]])),
};
engine.close();
const rounded = (_, value) => (typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value);
writeFileSync(file, JSON.stringify(example, rounded));
writeFileSync(join(generated, "english.json"), JSON.stringify(english));
