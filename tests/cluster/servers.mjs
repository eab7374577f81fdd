// ClickHouse servers on the loopback addresses 127.0.0.1 to 127.0.0.3, with the same ports.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as wait } from "node:timers/promises";

export const user = { CLICKHOUSE_USER: "writer", CLICKHOUSE_PASSWORD: "a password" };

/** The answer of a server to a statement. */
async function ask(address, statement) {
  const headers = { "X-ClickHouse-User": user.CLICKHOUSE_USER, "X-ClickHouse-Key": user.CLICKHOUSE_PASSWORD };
  const response = await fetch(`${address}/?wait_end_of_query=1`, { method: "POST", body: statement, headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`${address}: ${text}`);
  return text;
}

/** Kills a process and waits for its end. */
async function kill(child) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "exit");
}

export class Server {
  #program;
  #folder;
  #process;

  /** `program`: the server, which finds its libraries by LD_LIBRARY_PATH. */
  constructor(program, folder, number, { http, tcp }) {
    this.#program = program;
    this.#folder = join(folder, `server${number}`);
    this.address = `http://127.0.0.${number}:${http}`;
    for (const name of ["data", "tmp"]) mkdirSync(join(this.#folder, name), { recursive: true });
    const shard = (n) => `<shard><replica><host>127.0.0.${n}</host><port>${tcp}</port></replica></shard>`;
    // `yandex` is what 18.16 expects; later versions take it too.
    writeFileSync(
      join(this.#folder, "config.xml"),
      `<yandex>
        <logger><level>warning</level><console>1</console></logger>
        <listen_host>127.0.0.${number}</listen_host><http_port>${http}</http_port><tcp_port>${tcp}</tcp_port>
        <path>${this.#folder}/data/</path><tmp_path>${this.#folder}/tmp/</tmp_path>
        <users_config>${this.#folder}/users.xml</users_config>
        <default_profile>default</default_profile><default_database>default</default_database>
        <mark_cache_size>67108864</mark_cache_size>
        <remote_servers><three>${[1, 2, 3].map(shard).join("")}</three></remote_servers>
      </yandex>`,
    );
    const account = (name, password) =>
      `<${name}><password>${password}</password><networks><ip>127.0.0.0/8</ip></networks>` +
      `<profile>default</profile><quota>default</quota></${name}>`;
    writeFileSync(
      join(this.#folder, "users.xml"),
      `<yandex><profiles><default/></profiles><quotas><default/></quotas>
        <users>${account("default", "none known")}${account("writer", user.CLICKHOUSE_PASSWORD)}</users></yandex>`,
    );
  }

  async start() {
    const log = openSync(join(this.#folder, "log"), "a");
    const options = { stdio: ["ignore", log, log] };
    this.#process = spawn(this.#program, [`--config-file=${this.#folder}/config.xml`], options);
    for (let tries = 0; tries < 200; tries += 1) {
      if (this.#process.exitCode !== null) throw new Error(`${this.address} ended: ${this.#log().slice(-2000)}`);
      if ((await this.ask("SELECT 1").catch(() => "")) === "1\n") return;
      await wait(100);
    }
    throw new Error(`${this.address} does not answer: ${this.#log().slice(-2000)}`);
  }

  #log() {
    return readFileSync(join(this.#folder, "log"), "utf8");
  }

  kill() {
    return kill(this.#process);
  }

  ask(statement) {
    return ask(this.address, statement);
  }
}

/** A current ClickHouse, chDB's, in a process of Python that speaks HTTP. */
export class ChdbServer {
  #python;
  #folder;
  #host;
  #port;
  #process;

  constructor(python, folder, number, { http }) {
    this.#python = python;
    this.#folder = join(folder, `chdb${number}`);
    [this.#host, this.#port] = [`127.0.0.${number}`, http];
    this.address = `http://${this.#host}:${http}`;
  }

  async start() {
    const script = fileURLToPath(new URL("chdb_server.py", import.meta.url));
    const options = { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, ...user } };
    this.#process = spawn(this.#python, [script, this.#folder, this.#host, this.#port], options);
    let said = "";
    for await (const data of this.#process.stdout) {
      said += data;
      const ready = /^ready (.*)\n/.exec(said);
      if (ready) return ready[1];
    }
    throw new Error(`${this.address} ended`);
  }

  kill() {
    return kill(this.#process);
  }

  ask(statement) {
    return ask(this.address, statement);
  }
}
