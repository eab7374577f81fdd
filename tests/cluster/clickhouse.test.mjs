// An index in three shards of ClickHouse answers as the scan in one process does, or not at all.
// SMOOTH_CLIR: the command; CLICKHOUSE_SERVER: the server. See pkg-scripts/test-cluster.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { Command, random } from "./command.mjs";
import { proxy } from "./proxy.mjs";
import { Server, user } from "./servers.mjs";
import { tensors } from "./tensors.mjs";

const { CLICKHOUSE_SERVER: program } = process.env;
assert.ok(program, "CLICKHOUSE_SERVER names the program");

const WORDS = 2000;
const DIMENSION = 64;
const DOCUMENTS = 100_000;
const folder = mkdtempSync(join(tmpdir(), "smooth-clir-cluster-"));
const ports = { http: 18_423, tcp: 18_424 };
const servers = [1, 2, 3].map((number) => new Server(program, folder, number, ports));
const urls = servers.map((server) => server.address);

const command = new Command(folder, "model.safetensors", urls);
const [done, refused, search, notFound, same, run] = ["done", "refused", "search", "notFound", "same", "run"].map(
  (name) => command[name].bind(command),
);
const [engine, searchOf, exportTo] = ["engine", "searchOf", "exportTo"].map((name) => command[name].bind(command));

/** Eq. (1) in f64, of a query of one word with every document: v = tanh(row). */
function scores(word, index, epsilon) {
  const model = tensors(join(folder, "model.safetensors"));
  const row = model("query.vocabulary").toString().split("\n").indexOf(word);
  assert.ok(row >= 0, word);
  const query = [...model("query.embedding").subarray(row * DIMENSION, (row + 1) * DIMENSION)].map(Math.tanh);
  const vectors = tensors(join(folder, index))("vectors");
  const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
  const place = (_, number) => {
    const document = vectors.subarray(number * DIMENSION, (number + 1) * DIMENSION);
    const length = (of) => Math.sqrt(dot([...of], of)) + epsilon;
    return dot(query, document) / (length(query) * length(document));
  };
  return Array.from({ length: vectors.length / DIMENSION }, place);
}

before(async () => {
  const next = random(7);
  const words = (prefix, count) => Array.from({ length: count }, () => `${prefix}${next(WORDS)}`).join(" ");
  mkdirSync(join(folder, "data"));
  const data = { queries: "", documents: "", relevance: "" };
  // Each word twice, so that the model has a row for all of them.
  for (let text = 0; text < WORDS / 4; text += 1) {
    const numbers = Array.from({ length: 8 }, (_, i) => (8 * text + i) % WORDS);
    data.queries += `q${text}\tTitle\t${numbers.map((n) => `w${n}`).join(" ")}\n`;
    data.documents += `d${text}\tTitre\t${numbers.map((n) => `m${n}`).join(" ")}\n`;
    data.relevance += `q${text}\td${text}\t2\n`;
  }
  for (const name of Object.keys(data)) writeFileSync(join(folder, "data", `${name}.tsv`), data[name]);
  const lines = [];
  for (let number = 0; number < DOCUMENTS; number += 1) {
    // One of a hundred has the text of the first, and one has no word that is known.
    const text = number % 100 === 50 ? "m1 m2 m3" : number % 100 === 51 ? "unknown" : words("m", 1 + next(8));
    lines.push(`n${number}\tTitre ${number}\t${text}\n`);
  }
  lines[0] = "n0\tTitre 0\tm1 m2 m3\n";
  writeFileSync(join(folder, "documents.tsv"), lines.join(""));
  writeFileSync(join(folder, "few.tsv"), lines.slice(0, 500).join(""));
  await done(`train data --language xx --dimension ${DIMENSION} --epochs 1 --negatives 5 --out model.safetensors`);
  await done("index model.safetensors documents.tsv --out all.index");
  await done("index model.safetensors few.tsv --out few.index");
  await Promise.all(servers.map((server) => server.start()));
});

after(async () => {
  await Promise.all(servers.map((server) => server.kill()));
  rmSync(folder, { recursive: true, force: true });
});

test("every search finds what the scan finds, to the bit, and what eq. (1) says in f64", async () => {
  const began = performance.now();
  const said = await done(exportTo("all.index"));
  console.log(`# export of ${DOCUMENTS} documents: ${((performance.now() - began) / 1000).toFixed(2)} s`);
  assert.match(said, new RegExp(`of ${DOCUMENTS} documents on 3 servers: [1-9]\\d* batches sent, 0 there already`));
  const next = random(11);
  for (let number = 0; number < 12; number += 1) {
    const query = Array.from({ length: 1 + next(4) }, () => `w${next(WORDS)}`).join(" ");
    await same("all.index", query, `--limit ${[1, 10, 100][number % 3]}`);
  }
  const known = tensors(join(folder, "model.safetensors"))("query.vocabulary").toString().split("\n");
  for (const word of [0, 500, known.length - 1].map((number) => known[number])) {
    const exact = scores(word, "all.index", 0.5);
    const hits = await same("all.index", word, "--limit 50");
    const last = exact.toSorted((a, b) => b - a)[hits.length - 1];
    assert.equal(hits.length, 50);
    for (const hit of hits) {
      const of = exact[Number(hit.id.slice(1))];
      assert.ok(Math.abs(hit.score - of) < 1e-6 && of > last - 2e-6, `${word} ${hit.id}: ${hit.score} ${of} ${last}`);
    }
  }
  assert.deepEqual(await same("all.index", "nothing known"), []);
});

test("documents with the same text on different shards are in their order", async () => {
  const hits = await same("all.index", "w1 w2 w3", `--limit ${DOCUMENTS}`);
  assert.equal(hits.length, DOCUMENTS);
  const copies = hits.filter((hit) => hit.text === "m1 m2 m3").map((hit) => Number(hit.id.slice(1)));
  assert.ok(copies.length > 900, `${copies.length} copies`);
  assert.deepEqual(copies, copies.toSorted((a, b) => a - b));
  assert.ok(new Set(copies.map((number) => Math.floor(number / 15_000) % 3)).size === 3);
  // All of a small index: also those that score 0 and below.
  await done(exportTo("few.index", "--table few"));
  assert.equal((await same("few.index", "w1", "--table few --limit 600")).length, 500);
});

test("eight bits, segments and a language are the scan's too; another epsilon is another version", async () => {
  await done("index model.safetensors few.tsv --precision i8 --out few8.index");
  await done("index model.safetensors few.tsv --append --segment 70 --out segments/");
  for (const index of ["few8.index", "segments"]) {
    await done(exportTo(index, "--table kinds"));
    for (const word of ["w1", "w2", "w3 w4"]) await same(index, word, "--table kinds --limit 30 --language xx");
  }
  await notFound("few.index", `${engine()} --epsilon 0`, ["newest version is", "was not exported"]);
  await done(exportTo("few.index", "--table kinds --epsilon 0"));
  await same("few.index", "w1", "--table kinds --epsilon 0 --limit 100");
});

test("a cluster's other servers are found by its name, and all have to be named otherwise", async () => {
  await same("all.index", "w5", "--cluster three", [urls[0]]);
  const elsewhere = engine([urls[0]]);
  await notFound("all.index", `${elsewhere} --cluster four`, [urls[0], "unknown cluster four"]);
  await notFound("all.index", elsewhere, [urls[0], "on 3 servers, not on 1"]);
  await notFound("all.index", engine([urls[0], urls[2], urls[1]]), ["_s2of3", "does not exist"]);
});

test("the same export again sends nothing; one that was broken off goes on; no row is twice", async () => {
  assert.match(await done(exportTo("all.index")), /: 0 batches sent, [1-9]\d* there already/);
  for (const end of ["break", "stall"]) {
    // Through the third server's way go 6 MB, and then nothing more.
    const way = await proxy(urls[2], { most: 6e6, end });
    const table = `--table broken_${end} --timeout 15`;
    await refused(exportTo("all.index", table, [...urls.slice(0, 2), way.address]), [way.address]);
    way.close();
    await notFound("all.index", `${engine()} --table broken_${end}`, ["does not exist"]);
    const said = await done(exportTo("all.index", table));
    assert.match(said, /: [1-9]\d* batches sent, [1-9]\d* there already/);
    await same("all.index", "w1 w9", `--table broken_${end}`);
  }
  // A killed export.
  const slow = await Promise.all(urls.map((url) => proxy(url, { delay: 20 })));
  const child = command.start(exportTo("all.index", "--table killed", slow.map((of) => of.address)));
  while (slow[0].seen.toServer < 5e6 && child.exitCode === null) await wait(5);
  assert.equal(child.exitCode, null, "it was done before it was killed");
  child.kill("SIGKILL");
  slow.forEach((of) => of.close());
  await done(exportTo("all.index", "--table killed"));
  await same("all.index", "w1 w9", "--table killed");
});

test("rows that should not be there are found out, by an export and by a search", async () => {
  const table = async (server) => {
    const like = "SELECT name FROM system.tables WHERE database = 'smooth_clir' AND name LIKE 'few\\_v%'";
    return `smooth_clir.${(await server.ask(like)).trim()}`;
  };
  const name = await table(servers[0]);
  await servers[0].ask(`INSERT INTO ${name} SELECT * FROM ${name} LIMIT 1`);
  await notFound("few.index", `${engine()} --table few`, [urls[0], "501 documents"]);
  assert.match(await done(exportTo("few.index", "--table few")), /has unexpected rows and is built again/);
  await same("few.index", "w1 w2", "--table few");
  // As many rows, with other numbers.
  await servers[0].ask(`CREATE TABLE smooth_clir.other AS ${name}`);
  await servers[0].ask(`INSERT INTO smooth_clir.other SELECT id, batch, language, twin, arrayMap(x -> toFloat32(x * 1.01), vec) FROM ${name}`);
  await servers[0].ask(`DROP TABLE ${name}`);
  await servers[0].ask(`RENAME TABLE smooth_clir.other TO ${name}`);
  await notFound("few.index", `${engine()} --table few`, [urls[0], "its table was changed"]);
  assert.match(await done(exportTo("few.index", "--table few")), /has unexpected rows and is built again/);
  await same("few.index", "w1 w2", "--table few");
});

test("a new version is read once all of it is there; old ones are dropped when that is asked for", async () => {
  const tables = async () => {
    const like = "SELECT count() FROM system.tables WHERE database = 'smooth_clir' AND name LIKE 'switch\\_v%'";
    return Promise.all(servers.map(async (server) => Number(await server.ask(like))));
  };
  await done(exportTo("few.index", "--table switch"));
  await done(exportTo("few8.index", "--table switch"));
  assert.deepEqual(await tables(), [2, 2, 2]);
  // Whoever still has the old index goes on reading the old version.
  for (const index of ["few.index", "few8.index"]) await same(index, "w1", "--table switch");
  assert.match(await done(exportTo("few8.index", "--table switch --drop-old")), /3 tables of others dropped/);
  assert.deepEqual(await tables(), [1, 1, 1]);
  await same("few8.index", "w1", "--table switch");
  await notFound("few.index", `${engine()} --table switch`, ["does not exist: export the index again"]);
  // Other tables of similar names stay.
  await same("all.index", "w1");
});

test("a wrong password, and ways in which the command line is wrong", async () => {
  const wrong = { ...user, CLICKHOUSE_PASSWORD: "wrong" };
  for (const env of [wrong, { ...user, CLICKHOUSE_USER: "nobody" }]) {
    await notFound("all.index", engine(), [urls[0], "wrong user or password"], { env });
    await refused(exportTo("all.index"), ["wrong user or password"], { env });
  }
  for (const address of ["http://writer:pass@127.0.0.1:1", "https://127.0.0.1:1", "127.0.0.1:1"]) {
    const { status, errors } = await run(exportTo("all.index", "", [address]));
    assert.equal(status, 2);
    assert.match(errors, /^error: [^\n]*\n$/);
    assert.ok(!errors.includes("pass@"), errors);
  }
});

test("a server that is slow or stalls is an error in time", async () => {
  const slow = await proxy(urls[1], { delay: 40 });
  await same("all.index", "w3 w4", "", [urls[0], slow.address, urls[2]]);
  slow.close();
  const stalled = await proxy(urls[1], { most: 1 });
  const began = performance.now();
  await notFound("all.index", `${engine([urls[0], stalled.address, urls[2]])} --timeout 2`, [stalled.address, "within 2 s"]);
  assert.ok(performance.now() - began < 15_000);
  stalled.close();
});

test("a killed server is an error that names it; started again, it answers as before", async () => {
  await servers[1].kill();
  for (const index of ["all.index", "few.index"]) {
    await notFound(index, `${engine()} ${index === "few.index" ? "--table few" : ""}`.trim(), [urls[1]]);
  }
  await refused(exportTo("few.index", "--table lost"), [urls[1]]);
  await servers[1].start();
  await same("all.index", "w3 w4 w5");
  // Killed in the middle of searches: each gives the scan's answer or names the server.
  const here = await search("all.index", "w8 w9", "");
  const killed = wait(300).then(() => servers[1].kill());
  const outcomes = { answered: 0, refused: 0 };
  while (outcomes.refused < 2) {
    const { status, out, errors } = await run(searchOf("all.index", engine()), { query: ["w8 w9"] });
    if (status === 0) assert.deepEqual(JSON.parse(out), here);
    else assert.ok(errors.startsWith(`error: ${urls[1]}: `), errors);
    outcomes[status === 0 ? "answered" : "refused"] += 1;
    assert.ok(outcomes.answered < 100, "the server was killed and all go on to be answered");
  }
  await killed;
  await servers[1].start();
  await same("all.index", "w8 w9");
});
