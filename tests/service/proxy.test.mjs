// The configuration of nginx that docs/serve.md gives, in front of the service: PROGRAM=... MODEL=... node --test
// tests/service/proxy.test.mjs. It is read from there; only ports, certificate and folders are replaced.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { promisify } from "node:util";

const { PROGRAM: program, MODEL: model } = process.env;
const folder = await mkdtemp(join(tmpdir(), "smooth-clir-proxy-"));
const children = [];
let service;
let proxy;

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

before(async () => {
  const documents = Array.from({ length: 50 }, (_, id) => JSON.stringify({ id: `d${id}`, text: `maji mvua ${id}` }));
  await writeFile(join(folder, "documents.jsonl"), documents.join("\n"));
  const index = join(folder, "documents.index");
  const run = promisify(execFile);
  await run(program, ["index", model, join(folder, "documents.jsonl"), "--language", "sw", "--out", index]);
  const serve = spawn(program, ["serve", model, index, "--listen", "127.0.0.1:0", "--max-connections", "20"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(serve);
  const [told] = await once(createInterface({ input: serve.stdout }), "line");
  service = told.split("http://")[1];

  const page = await readFile(new URL("../../docs/serve.md", import.meta.url), "utf8");
  const [, documented] = /```nginx\n(.*?)```/s.exec(page);
  const port = await freePort();
  const replaced = documented.replace("127.0.0.1:8080", service).replace("listen 443 ssl;", `listen 127.0.0.1:${port};`);
  assert.ok(replaced.includes(service) && replaced.includes(String(port)), "the page names the ports that are replaced");
  const own = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`);
  const config = `pid ${folder}/pid; error_log ${folder}/errors; daemon off;
    events {} http { access_log off; ${own.join(" ")}\n${replaced} }`;
  await writeFile(join(folder, "nginx.conf"), config);
  children.push(spawn("nginx", ["-p", folder, "-e", join(folder, "errors"), "-c", join(folder, "nginx.conf")], { stdio: "inherit" }));
  proxy = `http://127.0.0.1:${port}`;
  for (let tries = 0; tries < 100; tries++) {
    if (await fetch(`${proxy}/health`).catch(() => undefined)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail(await readFile(join(folder, "errors"), "utf8"));
});

after(async () => {
  for (const child of children) child.kill();
  await Promise.all(children.map((child) => once(child, "exit")));
  await rm(folder, { recursive: true });
});

test("answers are those of the service, whatever name the proxy is asked by", async () => {
  const direct = await (await fetch(`http://${service}/search?q=rain`)).text();
  assert.ok(JSON.parse(direct).hits.length > 0);
  assert.equal(await (await fetch(`${proxy}/search?q=rain`)).text(), direct);
});

test("metrics are for those within", async () => {
  assert.equal((await fetch(`${proxy}/metrics`)).status, 403);
});

test("a flood of explanations is refused by the proxy, and searches are not", async () => {
  const flood = await Promise.all(Array.from({ length: 40 }, () => fetch(`${proxy}/explain?q=rain&document=d1`)));
  const statuses = new Set(flood.map((answer) => answer.status));
  assert.deepEqual([...statuses].sort(), [200, 503]);
  assert.equal((await fetch(`${proxy}/search?q=rain`)).status, 200);
});

test("clients that say nothing hold no connection of the service", async () => {
  const [host, port] = proxy.slice("http://".length).split(":");
  const silent = Array.from({ length: 25 }, () => connect({ host, port }).on("error", () => {}));
  await Promise.all(silent.map((socket) => once(socket, "connect")));
  assert.equal((await fetch(`http://${service}/search?q=rain`)).status, 200);
  for (const socket of silent) socket.destroy();
});
