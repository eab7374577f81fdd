// Hybrid searches of an index with words in three shards of ClickHouse find what a search in this process finds.
// SMOOTH_CLIR: the command; CLICKHOUSE_SERVER: the server, or CHDB_PYTHON: a Python that has chDB. See pkg-scripts/test-cluster.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Command, random } from "./command.mjs";
import { ChdbServer, Server } from "./servers.mjs";
import { tensors } from "./tensors.mjs";

const { CLICKHOUSE_SERVER: program, CHDB_PYTHON: python } = process.env;
assert.ok(program || python, "CLICKHOUSE_SERVER or CHDB_PYTHON names the program");

// Of 16,384 documents and more the core does not score all, and a shard has batches of 5,295 documents of 192 dimensions.
const SIZES = { small: 11_500, large: 17_500, segments: 11_200 };
const LANGUAGES = ["fr", "sw", "en"];
const folder = mkdtempSync(join(tmpdir(), "smooth-clir-hybrid-"));
const ports = { http: 18_433, tcp: 18_434 };
const server = (number) => (python ? new ChdbServer(python, folder, number, ports) : new Server(program, folder, number, ports));
const servers = [1, 2, 3].map(server);
const urls = servers.map((each) => each.address);
const command = new Command(folder, "model/", urls);

const words = {};
/** The text of the first document of each index, which has copies. */
const first = {};

/** Words of a language, the first ones of its list most often. */
function drawn(next, language, count) {
  const all = words[language];
  return Array.from({ length: count }, () => all[Math.floor(all.length ** (next(1e6) / 1e6)) - 1]).join(" ");
}

before(async () => {
  mkdirSync(join(folder, "model"));
  const model = (name) => fileURLToPath(new URL(`../../npm/models/${name}`, import.meta.url));
  for (const name of ["query", "document.fr", "document.sw"]) {
    cpSync(model(`${name}.safetensors`), join(folder, "model", `${name}.safetensors`));
  }
  const listed = (file, tensor) => tensors(model(`${file}.safetensors`))(tensor).toString().split("\n");
  const shuffle = random(5);
  const mixed = (list) => list.map((word) => [shuffle(1e9), word]).toSorted(([a], [b]) => a - b).map(([, word]) => word);
  words.en = mixed(listed("query", "query.vocabulary").filter((word) => /^[a-z]{3,}$/.test(word))).slice(0, 3000);
  for (const language of ["fr", "sw"]) {
    const of = listed(`document.${language}`, `translation.${language}.document.vocabulary`);
    words[language] = mixed(of.filter((word) => /^\p{L}{3,}$/u.test(word))).slice(0, 3000);
  }
  for (const [name, size] of Object.entries(SIZES)) {
    const next = random(size);
    const lines = [];
    for (let number = 0; number < size; number += 1) {
      const language = LANGUAGES[number % 3];
      const text = drawn(next, language, number === 0 ? 30 : 1 + next(30));
      lines.push({ id: `n${number}`, title: "", text, language });
      // Documents of the same words in the same order, and in another: their scores differ by rounding alone.
      if (number % 90 === 33) lines.push({ ...lines[0], id: `copy${number}` });
      const turned = () => lines[0].text.split(" ").map((word) => [next(1e6), word]).toSorted(([a], [b]) => a - b);
      if (number % 45 === 34) lines.push({ ...lines[0], id: `turned${number}`, text: turned().map(([, word]) => word).join(" ") });
    }
    first[name] = lines[0].text;
    writeFileSync(join(folder, `${name}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }
  await command.done("index model/ small.jsonl --out small.index");
  await command.done("index model/ large.jsonl --precision i8 --out large.index");
  await command.done("index model/ segments.jsonl --append --segment 3000 --out segments/");
  const versions = await Promise.all(servers.map((each) => each.start()));
  if (python) console.log(`# ClickHouse ${versions[0]}`);
  for (const index of ["small.index", "large.index", "segments"]) {
    const began = performance.now();
    assert.match(await command.done(command.exportTo(index)), /[1-9]\d* batches sent, 0 there already/);
    console.log(`# export of ${index}: ${((performance.now() - began) / 1000).toFixed(2)} s`);
  }
});

after(async () => {
  await Promise.all(servers.map((each) => each.kill()));
  rmSync(folder, { recursive: true, force: true });
});

test("every hybrid search finds what it finds in this process, to the bit", async () => {
  const next = random(3);
  const options = ["", "--limit 100", "--dense 0", "--dense 0.3 --limit 1", "--language sw", "--limit 40 --language en"];
  let lexical = 0;
  for (let number = 0; number < 24; number += 1) {
    const language = number % 4 === 3 ? LANGUAGES[number % 3] : "en";
    const query = drawn(next, language, [1, 2, 4, 9][number % 4]);
    const index = ["small.index", "large.index", "segments"][Math.floor(number / 2) % 3];
    const hits = await command.same(index, query, `--query-language ${language} ${options[number % options.length]}`);
    lexical += hits.filter((hit) => hit.lexical > 0).length;
  }
  assert.ok(lexical > 300, `${lexical} hits have a word of the query`);
});

test("documents of the same words on different shards are in their order, and those of level scores by their bits", async () => {
  for (const [index, text] of [["small.index", first.small], ["large.index", first.large], ["segments", first.segments]]) {
    for (const limit of [1, 7, 30, 450]) {
      const hits = await command.same(index, text, `--limit ${limit} --query-language fr`);
      const numbers = hits.filter((hit) => hit.text === text).map((hit) => Number(hit.id.replace(/^\D+/, "")));
      assert.deepEqual(numbers, numbers.toSorted((a, b) => a - b));
      if (numbers.length > 0) assert.equal(numbers[0], 0);
      if (limit < 450) continue;
      // More of them stand on each shard than the 32 that it is asked for beyond the limit.
      assert.ok(numbers.length > 3 * 33, `${index}: ${numbers}`);
      assert.equal(new Set(numbers.map((number) => Math.floor(number / 5295) % 3)).size, 3);
    }
  }
});

test("words that no document has, unknown ones, and no words", async () => {
  const unknown = "xqzzv kwqxj";
  for (const index of ["small.index", "large.index", "segments"]) {
    assert.deepEqual(await command.same(index, unknown), []);
    assert.deepEqual(await command.same(index, "..."), []);
    // All but a few documents have the same score, 0: those few are found wherever they stand, and then the first ones.
    const hits = await command.same(index, `${words.en[300]} ${unknown}`, "--limit 700 --dense 0");
    const found = hits.filter((hit) => hit.score > 0).length;
    assert.ok(hits.length === 700 && found > 5 && found < 600, `${found}`);
  }
});

test("a query of a page's length, whose statement is longer than a server takes unasked", async () => {
  const query = drawn(random(9), "en", 400);
  await command.same("small.index", query, "--limit 20");
  await command.same("large.index", query, "--limit 20");
});

test("rows of words that should not be there, or are missing, are found out by a search, and by an export", async () => {
  const list = (kind) => `SELECT name FROM system.tables WHERE database = 'smooth_clir' AND match(name, '^tampered_v.*_${kind}1of3$')`;
  const options = `${command.engine()} --table tampered`;
  const exported = async (expected) => assert.match(await command.done(command.exportTo("small.index", "--table tampered")), expected);
  const notFound = (expected) => command.notFound("small.index", options, [urls[0], ...expected], { query: first.small });
  await exported(/ 0 there already/);
  const [table, copy] = [`smooth_clir.${(await servers[0].ask(list("w"))).trim()}`, "smooth_clir.other"];
  const replace = async (rows) => {
    await servers[0].ask(`CREATE TABLE ${copy} AS ${table}`);
    await servers[0].ask(`INSERT INTO ${copy} SELECT term, id, batch, ${rows}`);
    await servers[0].ask(`DROP TABLE ${table}`);
    await servers[0].ask(`RENAME TABLE ${copy} TO ${table}`);
  };
  await replace(`times, words FROM ${table} WHERE id != 5`);
  await notFound(["words of documents of this version, expected"]);
  await exported(/has unexpected rows and is built again/);
  await replace(`times * 2, words FROM ${table}`);
  await notFound(["its table was changed"]);
  await exported(/has unexpected rows and is built again/);
  await command.same("small.index", first.small, "--table tampered --query-language fr");
  // A search by the dense score alone needs no words; an export that was broken off goes on with them.
  await servers[0].ask(`DROP TABLE ${table}`);
  await notFound(["does not exist: export the index again"]);
  await command.same("small.index", first.small, "--table tampered --dense 1");
  await exported(/: [1-9]\d* batches sent, [1-9]\d* there already/);
  await command.same("small.index", first.small, "--table tampered --query-language fr");
});

test("the tables of documents and of words of other versions are dropped together", async () => {
  await command.done(command.exportTo("small.index", "--table old"));
  const said = await command.done(command.exportTo("segments", "--table old --drop-old"));
  assert.match(said, /6 tables of others dropped/);
  await command.same("segments", first.segments, "--table old --query-language fr");
});
