// Files of texts beyond a limit: those shown longest ago are forgotten, and fetched again when they are needed.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { SmoothClir } from "smooth-clir";

const root = fileURLToPath(new URL("../../", import.meta.url));
const program = resolve(root, process.env.CARGO_TARGET_DIR ?? "target", "release/smooth-clir");
const models = join(root, "www/models");
const model = ["query", "document.fr"].map((name) => join(models, `${name}.safetensors`));

/** A query for each document, which it finds first. */
const QUERIES = { rain: "La pluie.", sea: "La mer.", horse: "Le cheval.", bread: "Le pain.", fire: "Le feu." };
const NAMES = Object.keys(QUERIES);
/** Spaces that make each file of texts so long that four are within the limit of 64 MiB, and five are not; a line may have 16 MiB. */
const PADDING = " ".repeat(15 * 2 ** 20);

describe("texts in files of 15 MiB", () => {
  let folder, server, url, engine;
  let fetched = [];
  /** The further index's texts are sent when this is over. */
  let held;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "texts-"));
    await writeFile(join(folder, "d.tsv"), NAMES.map((name) => `${name}\t\t${QUERIES[name]}${PADDING}.\n`).join(""));
    await writeFile(join(folder, "further.tsv"), "moon\t\tLa lune.\n");
    for (const [texts, index] of [["d.tsv", "index/"], ["further.tsv", "further/"]]) {
      await promisify(execFile)(program, ["index", models, texts, "--language", "fr", "--block", "1", "--out", index], { cwd: folder });
    }
    server = createServer(async (request, response) => {
      if (request.url.includes("further/texts")) await held;
      const [, number] = /index\/texts\.(\d+)/.exec(request.url) ?? [];
      if (number !== undefined) fetched.push(NAMES[number]);
      const bytes = await readFile(join(folder, request.url)).catch(() => undefined);
      response.writeHead(bytes ? 200 : 404).end(bytes);
    });
    await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
    url = `http://127.0.0.1:${server.address().port}/index/index.safetensors`;
  });
  after(async () => {
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    engine = await SmoothClir.load({ model, documents: url });
    fetched = [];
  });
  afterEach(() => engine.close());

  const search = async (query) => {
    const [hit] = await engine.search(query, { limit: 1 });
    assert.equal(hit.id, query);
    assert.ok(hit.text.startsWith(QUERIES[query]));
  };

  test("are fetched once as long as the limit holds, and again where they were shown longest ago", async () => {
    const four = ["sea", "rain", "horse", "bread"];
    for (const query of [...four, "sea"]) await search(query);
    assert.deepEqual(fetched, four);
    // Five are here until the next search begins, which forgets "rain".
    for (const query of ["fire", "sea", "horse", "bread", "fire"]) await search(query);
    assert.deepEqual(fetched, [...four, "fire"]);
    await search("rain");
    assert.deepEqual(fetched, [...four, "fire", "rain"]);
  });

  test("of the last search stay, however many they are", async () => {
    for (const epsilon of [0.25, 0.5, 1]) assert.equal((await engine.search(NAMES.join(" "), { epsilon, limit: 5 })).length, 5);
    assert.equal(fetched.length, 5);
  });

  test("of searches at once are all shown", async () => {
    await Promise.all(NAMES.map(search));
    assert.deepEqual(fetched.sort(), [...NAMES].sort());
  });

  test("of a search under way stay while others begin", async () => {
    let send;
    held = new Promise((resolve) => (send = resolve));
    await engine.addDocuments(url.replace("/index/", "/further/"));
    for (const query of NAMES) await search(query);
    // Forgets "rain", fetches it again, and waits for "moon". Five are here then, which are too many.
    const all = engine.search([...NAMES, "moon"].join(" "), { limit: 6 });
    for (const query of ["rain", "fire", "rain", "fire"]) await search(query);
    send();
    const hits = await all;
    assert.deepEqual(hits.map(({ id }) => id).sort(), [...NAMES, "moon"].sort());
    for (const { text } of hits) assert.match(text, /^L[ae] /);
    assert.deepEqual(fetched, [...NAMES, "rain"]);
  });

  test("are fetched again to explain, match and judge a document", async () => {
    for (const query of NAMES) await search(query);
    fetched = [];
    // Each of these searches forgets the one of the five that was fetched or shown longest ago.
    await search("fire");
    assert.ok((await engine.explain("rain", { document: "rain" })).matches.length > 0);
    assert.deepEqual(fetched, ["rain"]);
    await search("fire");
    const [matches] = await engine.matches("sea", [{ document: "sea", language: "fr" }]);
    assert.ok(matches.length > 0);
    assert.deepEqual(fetched, ["rain", "sea"]);
    await search("fire");
    const judgements = [{ query: "horse", document: "horse", grade: 2 }, { query: "horse", document: "rain", grade: 0 }];
    assert.ok((await engine.learn(judgements, { steps: 1 })).losses.length > 0);
    assert.deepEqual(fetched, ["rain", "sea", "horse"]);
  });

  test("that were all asked for stay", async () => {
    await engine.fetchTexts();
    for (const query of [...NAMES, ...NAMES]) await search(query);
    assert.deepEqual(fetched.sort(), [...NAMES].sort());
  });
});
