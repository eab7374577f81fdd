// An index in segments, as `smooth-clir index --append` writes it, in Node.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { SmoothClir } from "smooth-clir";

const root = fileURLToPath(new URL("../../", import.meta.url));
const program = resolve(root, process.env.CARGO_TARGET_DIR ?? "target", "release/smooth-clir");
const models = join(root, "www/models");
const model = ["query", "document.fr"].map((name) => join(models, `${name}.safetensors`));
// Alike ones lie in different segments: the first in the list is first in the ranking.
const TEXTS = ["La pluie tombe sur la mer.", "La pluie.", "Le soleil.", "La pluie.", "La mer et la pluie."];
const ranked = async (documents, options = {}) => {
  const engine = await SmoothClir.load({ model, documents, ...options });
  const hits = await engine.search("rain", { limit: 9 });
  engine.close();
  return hits;
};

describe("an index in segments", () => {
  let folder, server, url, whole;
  const requested = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "segments-"));
    await writeFile(join(folder, "d.tsv"), TEXTS.map((text, number) => `d${number}\t\t${text}\n`).join(""));
    const run = (...line) => promisify(execFile)(program, line, { cwd: folder });
    await run("index", models, "d.tsv", "--language", "fr", "--out", "whole.safetensors");
    await run("index", models, "d.tsv", "--language", "fr", "--append", "--segment", "2", "--out", "seg/");
    await run("manifest", "seg/");
    whole = await ranked(join(folder, "whole.safetensors"));
    server = createServer(async (request, response) => {
      requested.push(request.url);
      const bytes = await readFile(join(folder, request.url.split("?")[0])).catch(() => undefined);
      // As some hosts have it.
      const headers = request.url.includes(".json") ? { "content-type": "text/plain" } : {};
      response.writeHead(bytes ? 200 : 404, headers).end(bytes);
    });
    await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
    url = `http://127.0.0.1:${server.address().port}`;
  });
  after(async () => {
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true, force: true });
  });

  test("ranks as one file does, from a path and from an address", async () => {
    assert.equal(whole.length, TEXTS.length);
    assert.deepEqual(await ranked(join(folder, "seg/segments.json")), whole);
    assert.deepEqual(await ranked(`${url}/seg/segments.json`), whole);
    assert.deepEqual(await ranked(new URL(`${url}/seg/segments.json`)), whole);
    assert.ok(requested.includes("/seg/segment.2/index.safetensors") && requested.includes("/seg/segment.2/texts.0.safetensors"));
  });

  test("the query of the list's URL is kept for its segments", async () => {
    requested.length = 0;
    await SmoothClir.load({ model, documents: `${url}/seg/segments.json?v=7` }).then((engine) => engine.close());
    const segments = [1, 2, 3].map((number) => `/seg/segment.${number}/index.safetensors?v=7`);
    assert.deepEqual(requested.sort(), [...segments, "/seg/segments.json?v=7"]);
  });

  test("is checked against a manifest", async () => {
    for (const place of [folder, url]) {
      const engine = await SmoothClir.load({ model });
      await engine.addDocuments(`${place}/seg/segments.json`, { manifest: `${place}/seg/manifest.json` });
      assert.deepEqual(await engine.search("rain", { limit: 9 }), whole);
      engine.close();
    }
  });

  test("a segment that cannot be loaded is reported, and the others are searched", async () => {
    const missing = [];
    const list = JSON.parse(await readFile(join(folder, "seg/segments.json"), "utf8"));
    list.segments[1].name = "segment.99";
    await promisify(execFile)("cp", ["-r", "seg", "lost"], { cwd: folder });
    await writeFile(join(folder, "lost/segments.json"), JSON.stringify(list));
    const hits = await ranked(join(folder, "lost/segments.json"), { onMissing: ({ file }) => missing.push(file) });
    assert.deepEqual(missing.map((file) => file.slice(folder.length)), ["/lost/segment.99/index.safetensors"]);
    assert.deepEqual(hits.map(({ id }) => id), whole.map(({ id }) => id).filter((id) => !["d2", "d3"].includes(id)));
    const index = join(folder, "lost/segment.99/index.safetensors");
    const message = `${index} cannot be read: ENOENT: no such file or directory, open '${index}'`;
    await assert.rejects(ranked(join(folder, "lost/segments.json")), { code: "unreadable", message });
  });

  test("an invalid list is refused, and named", async () => {
    const list = JSON.parse(await readFile(join(folder, "seg/segments.json"), "utf8"));
    const path = join(folder, "segments.json");
    const other = (change) => JSON.stringify({ ...list, ...change });
    for (const [content, message] of [
      ["", "not JSON"],
      ["null", "not a list of segments"],
      [other({ kind: "index" }), "not a list of segments"],
      [other({ version: 2 }), "version 2 is not supported, expected 1"],
      [other({ segments: {} }), "`segments` is missing"],
      [other({ segments: [{ name: "../seg" }] }), "invalid name of a segment: `../seg`"],
      [other({ segments: [null] }), "invalid name of a segment: `undefined`"],
    ]) {
      await writeFile(path, content);
      await assert.rejects(ranked(path), { code: "metadata", message: `${path}: ${message}` });
    }
    await writeFile(join(folder, "segments.json"), "<!doctype html>");
    const message = `${join(folder, "segments.json")}: expected a model or an index, but its first byte is \`<\``;
    await assert.rejects(ranked(join(folder, "segments.json")), { code: "not-binary", message });
  });
});
