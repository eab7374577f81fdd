// The service under attack, and what those get who ask as they should:
// node tests/service/endure.mjs PROGRAM MODEL [MINUTES], 20 where not told. Linux only: it reads /proc.
//
// All at once: clients that read their answers byte by byte or say nothing, floods of explanations by ids that are there
// and that are not, requests that are none, requests under another name, an index that is appended to and compacted, and a
// standard error that cannot be written (/dev/full). Four clients ask for documents meanwhile, from another address. Fails
// if one of their answers is not what it was before, or missing, or if the service has grown from the second quarter of
// the time to the last by more than a tenth.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, open, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const [program, model, minutes = "20"] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), "smooth-clir-endure-"));
const index = join(folder, "index/");
const run = (...args) => promisify(execFile)(program, args, { maxBuffer: 1 << 26 });
const GOOD = "127.0.0.1";
const BAD = "127.0.0.2";
// Words that are known in documents of both languages.
const words = "maji jua mvua samaki mtoto nyumba shule safari mti ndege chakula barabara mlima ziwa usiku".split(" ");
const queries = "rain water sun fish child house school journey tree bird food road mountain lake night".split(" ");

const documents = Array.from({ length: 5000 }, (_, number) => {
  const text = Array.from({ length: 40 }, (_, at) => words[(number * (at + 3) + at * at) % words.length]).join(" ");
  return JSON.stringify({ id: `d${number}`, title: `D ${number}`, text });
});
await writeFile(join(folder, "documents.jsonl"), documents.join("\n"));
const append = async (name, language) =>
  run("index", model, join(folder, name), "--language", language, "--append", "--block", "64", "--out", index);
await append("documents.jsonl", "sw");
await mkdir(join(folder, "page"));
await writeFile(join(folder, "page/large"), "");
await truncate(join(folder, "page/large"), 64 << 20);

const errors = await open("/dev/full", "w");
const options = ["--listen", "127.0.0.1:0", "--page", join(folder, "page"), "--max-connections", "256"];
const limits = ["--max-connections-per-client", "64", "--max-connection-age", "10", "--timeout", "2"];
const service = spawn(program, ["serve", model, index, ...options, ...limits], { stdio: ["ignore", "pipe", errors.fd] });
const [told] = await once(createInterface({ input: service.stdout }), "line");
const port = Number(told.split(":").at(-1));
let ended = false;
service.on("exit", () => (ended = true));

/**
 * An answer: its status and its body; nothing where the connection ended first. One that was kept may end just when it is
 * used again, because it is old: then another is asked, as browsers do.
 */
const ask = (path, { from = GOOD, host = "localhost", agent, slow } = {}) =>
  new Promise((resolve) => {
    const asked = request({ host: "127.0.0.1", port, path, localAddress: from, agent, headers: { host } }, async (answer) => {
      answer.on("error", () => resolve(undefined));
      if (slow) {
        // A piece of what has come, now and then.
        while (!answer.destroyed && !isOver()) {
          answer.read(512);
          await sleep(200);
        }
        answer.destroy();
        return resolve(undefined);
      }
      let body = "";
      answer.setEncoding("utf8");
      answer.on("data", (piece) => (body += piece));
      answer.on("end", () => resolve({ status: answer.statusCode, body }));
    });
    asked.on("error", () => resolve(asked.reusedSocket ? ask(path, { from, host, agent, slow }) : undefined));
    asked.end();
  });

const path = (query) => `/search?q=${query}&language=sw&k=10`;
const expected = new Map();
for (const query of queries) expected.set(query, (await ask(path(query))).body);
if (![...expected.values()].some((body) => JSON.parse(body).hits.length > 0)) throw new Error("the queries find nothing");

const counts = { right: 0, wrong: 0, busy: 0, lost: 0, attacks: 0, changes: 0 };
const times = [];
const end = Date.now() + Number(minutes) * 60_000;
const isOver = () => ended || Date.now() > end;

async function good() {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let number = 0; !isOver(); number++) {
    const query = queries[number % queries.length];
    const begun = performance.now();
    const answer = await ask(path(query), { agent });
    times.push(performance.now() - begun);
    if (answer === undefined) counts.lost++;
    else if (answer.status === 503) counts.busy++;
    else if (answer.status === 200 && answer.body === expected.get(query)) counts.right++;
    else counts.wrong++;
    await sleep(20);
  }
  agent.destroy();
}

async function attack(one) {
  while (!isOver()) {
    await one();
    counts.attacks++;
    await sleep(5);
  }
}

/** Sends bytes, and waits until the service ends the connection. */
const send = (bytes) =>
  new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port, localAddress: BAD });
    socket.on("error", () => {}).on("close", resolve).resume();
    socket.write(bytes);
  });

async function change() {
  for (let number = 0; !isOver(); number++) {
    await writeFile(join(folder, "more.jsonl"), JSON.stringify({ id: `e${number}`, text: `pluie et mer ${number}` }));
    await append("more.jsonl", "fr");
    if (number % 5 === 4) await run("compact", index);
    counts.changes++;
    await sleep(5000);
  }
}

const memories = [];
async function watch() {
  while (!isOver()) {
    const status = await readFile(`/proc/${service.pid}/status`, "utf8").catch(() => "");
    memories.push(Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
    await sleep(1000);
  }
}

const draw = (below) => Math.floor(Math.random() * below);
const many = (count, start) => Array.from({ length: count }, start);
await Promise.all([
  ...many(4, good),
  ...many(16, () => attack(() => ask("/large", { from: BAD, slow: true }))),
  ...many(16, () => attack(() => send(""))),
  ...many(8, () => attack(() => ask(`/explain?q=rain&document=d${draw(5000)}`, { from: BAD }))),
  ...many(8, () => attack(() => ask(`/explain?q=rain&document=x${draw(5000)}`, { from: BAD }))),
  ...many(2, () => attack(() => ask("/explain?q=rain+water+sun+fish&k=100", { from: BAD }))),
  ...many(2, () => attack(() => ask("/search?q=rain", { from: BAD, host: "evil.example" }))),
  ...many(2, () => attack(() => send(`GET /search?q=${"%ff".repeat(draw(30_000))} HTTP/1.1\r\n\r\n`))),
  ...many(2, () => attack(() => send(Buffer.from(many(2000, () => draw(256)))))),
  change(),
  watch(),
]);

const sorted = times.sort((a, b) => a - b);
const at = (share) => sorted[Math.floor(share * (sorted.length - 1))].toFixed(1);
const quarter = Math.floor(memories.length / 4);
const means = [0, 1, 2, 3].map((number) => {
  const part = memories.slice(number * quarter, (number + 1) * quarter);
  return part.reduce((sum, one) => sum + one, 0) / part.length;
});
console.log(`${minutes} minutes: ${JSON.stringify(counts)}`);
console.log(`milliseconds of an answer: median ${at(0.5)}, 99 % ${at(0.99)}, longest ${at(1)}`);
console.log(`MB of memory that is no file's, in each quarter of the time: ${means.map((mean) => mean.toFixed(0)).join(" ")}`);
const problems = [];
if (ended) problems.push("the service ended");
if (counts.wrong > 0) problems.push("answers were wrong");
if (counts.lost > 0) problems.push("answers were missing");
if (counts.right === 0) problems.push("nothing was answered");
if (means[3] > 1.1 * means[1]) problems.push("it grew");
service.kill();
await rm(folder, { recursive: true });
if (problems.length > 0) {
  console.error(`error: ${problems.join(", ")}`);
  process.exit(1);
}
