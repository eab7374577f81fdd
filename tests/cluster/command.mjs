// The command, run in a folder.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { user } from "./servers.mjs";

const { SMOOTH_CLIR: program } = process.env;
assert.ok(program, "SMOOTH_CLIR names the program");

/** The same numbers each time: multiplicative congruential, Park and Miller's. */
export function random(seed) {
  let state = seed;
  return (below) => (state = (state * 48_271) % 2_147_483_647) % below;
}

/** The command in a folder, with a model there, and the addresses of servers. */
export class Command {
  #folder;
  #model;
  #urls;

  constructor(folder, model, urls) {
    this.#folder = folder;
    this.#model = model;
    this.#urls = urls;
  }

  /** Starts the command. */
  start(line, { env = user, query = [] } = {}) {
    return spawn(program, [...line.split(" "), ...query], { cwd: this.#folder, env: { ...process.env, ...env } });
  }

  /** Runs the command: its status, and what it said. */
  async run(line, options) {
    const child = this.start(line, options);
    const said = { out: "", errors: "" };
    child.stdout.on("data", (data) => (said.out += data));
    child.stderr.on("data", (data) => (said.errors += data));
    const status = await new Promise((resolve) => child.on("close", resolve));
    return { status, ...said };
  }

  async done(line, options) {
    const { status, out, errors } = await this.run(line, options);
    assert.equal(status, 0, `${line}: ${errors}`);
    return out || errors;
  }

  /** A command line that fails, with one line that says all of this and no secret. */
  async refused(line, expected, options) {
    const { status, out, errors } = await this.run(line, options);
    assert.equal(status, 1, `${line}: ${out}${errors}`);
    assert.equal(out, "", line);
    assert.match(errors, /^error: [^\n]*\n$/);
    for (const text of expected) assert.ok(errors.includes(text), `${line}: no ${text} in ${errors}`);
    assert.ok(!errors.includes(user.CLICKHOUSE_PASSWORD), errors);
  }

  engine(addresses = this.#urls) {
    return `--engine clickhouse=${addresses.join(",")}`;
  }

  /** The command line of a search, without its query. */
  searchOf(index, options) {
    return `search --json ${options} -- ${this.#model} ${index}`.replace(/ +/g, " ");
  }

  async search(index, query, options) {
    return JSON.parse(await this.done(this.searchOf(index, options), { query: [query] }));
  }

  /** A search that fails. */
  notFound(index, options, expected, { query = "w1 w2 w3", ...options_of_run } = {}) {
    return this.refused(this.searchOf(index, options), expected, { query: [query], ...options_of_run });
  }

  /** A query's hits here and there, which must be the same to the last bit of their scores. */
  async same(index, query, options = "", addresses = this.#urls) {
    const here = await this.search(index, query, options);
    const there = await this.search(index, query, `${options} ${this.engine(addresses)}`.trim());
    assert.deepEqual(there, here, `${index}, ${query}, ${options}`);
    return there.hits;
  }

  exportTo(index, options = "", addresses = this.#urls) {
    return `export clickhouse ${index} --model ${this.#model} --url ${addresses.join(",")} ${options}`.trim();
  }
}
