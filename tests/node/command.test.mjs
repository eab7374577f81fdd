// The command of the package, from the command line to the folder that browsers read.
import assert from "node:assert/strict";
import { execFile, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { SmoothClir } from "smooth-clir";

const at = (place) => fileURLToPath(new URL(`../../${place}`, import.meta.url));
const command = at("npm/dist/command/main.js");
const models = at("npm/models");
const example = at("examples/site/public");
/** A tiny model, its teacher, and the bytes of the native `smooth-clir index --deep` for its documents: see the README there. */
const deep = at("tests/node/deep");
/** The native program, which `pkg-scripts/build` makes. */
const native = process.env.SMOOTH_CLIR ?? join(process.env.CARGO_TARGET_DIR ?? at("target"), "release/smooth-clir");

const places = [];
after(() => Promise.all(places.map((place) => rm(place, { recursive: true, force: true }))));

/** An empty folder. */
async function empty() {
  const place = await mkdtemp(join(tmpdir(), "smooth-clir-command-"));
  places.push(place);
  return place;
}

/** A folder with these files. */
async function site(files = {}) {
  const place = await empty();
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(place, name, ".."), { recursive: true });
    await writeFile(join(place, name), content);
  }
  return place;
}

/** A site in French of two pages. */
const pages = () =>
  site({
    "a.html": "<html lang=fr><title>La pluie</title><h1>La pluie</h1><p>Il pleut sur la montagne et dans la vallée.",
    "b.md": "---\nlang: fr\ntopic: mer\n---\n# La mer\n\nLes vagues de la mer sont hautes en hiver.\n",
  });

/** Runs the command in a folder, and resolves with its status and what it said. */
function run(cwd, ...args) {
  return new Promise((resolve) => {
    execFile(process.execPath, [command, ...args], { cwd, encoding: "utf8" }, (error, stdout, stderr) => {
      resolve({ status: error ? error.code : 0, stdout, stderr });
    });
  });
}

/** Runs the command, which is to succeed. */
async function index(cwd, ...args) {
  const done = await run(cwd, "index", ...args);
  assert.equal(done.status, 0, done.stderr);
  return done;
}

/** The bytes of a file that is stored compressed. */
const content = async (path) => gunzipSync(await readFile(`${path}.gz`));

/** All files of a folder, by their places. */
async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(await Promise.all(paths.sort().map(async (path) => [path.slice(folder.length + 1), await readFile(path)])));
}

test("help and version are results, and a command line that is wrong has the status 2", async () => {
  const place = await pages();
  const { version } = JSON.parse(await readFile(at("npm/package.json"), "utf8"));
  assert.deepEqual(await run(place, "--version"), { status: 0, stdout: `smooth-clir ${version}\n`, stderr: "" });
  for (const args of [["--help"], ["index", "--help"], ["serve", "-h"], []]) assert.match((await run(place, ...args)).stdout, /Usage: smooth-clir/);
  const refusals = [
    [["find"], /unknown command `find`/],
    [["index"], /index needs the site's folder/],
    [["index", "."], /--out is missing/],
    [["index", ".", "--out", "search", "--colour"], /Unknown option '--colour': smooth-clir index --help has all there are/],
    [["index", ".", "--out"], /'--out <value>' argument missing/],
    [["index", ".", "--out", "search", "--block", "0"], /--block 0: expected a number from 1/],
    [["index", ".", "--out", "search", "--precision", "i4"], /--precision i4: expected i8 or f32/],
    [["index", ".", "--out", "search", "--english", "maybe"], /--english maybe: expected index, skip, keep/],
    [["index", ".", "--out", "search", "--light", "--teacher", "x"], /--light and --teacher do not go together/],
    [["index", ".", "--out", "search", "--language", "xx"], /--language xx: there is a model for .*fr, .*; others need a package/],
    [["index", ".", "--out", "search", "--language", "auto", "--language", "fr"], /--language auto goes with no other/],
    [["index", ".", "--out", "search", "--language", "fr", "--language", "yy"], /--language yy: there is a model for/],
    [["index", ".", "--out", "search", "--ask", "x y"], /--ask x y: expected a language code/],
    [["index", ".", "--out", "search", "--ask", "yy"], /--ask yy: there is a model for/],
    [["index", ".", "--out", "search", "--serve", "70000"], /--serve 70000: expected a port/],
    [["index", ".", "--out", "search", "--base", "javascript:x"], /--base javascript:x: expected a URL/],
    [["serve"], /serve needs one folder/],
    [["serve", ".", "--prot", "80"], /Unknown option '--prot': smooth-clir serve --help/],
  ];
  for (const [args, message] of refusals) {
    const { status, stdout, stderr } = await run(place, ...args);
    assert.deepEqual({ args, status, stdout }, { args, status: 2, stdout: "" });
    assert.match(stderr, message);
    assert.match(stderr, /^error: [^\n]*\n$/);
  }
  assert.deepEqual((await readdir(place)).sort(), ["a.html", "b.md"]);
});

test("what is not there, or has no pages, is refused by its name", async () => {
  const place = await site({ "pages/readme.pdf": "%PDF-", "data.bin": "x", "blank/a.txt": " \n" });
  const refusals = [
    ["nowhere", /nowhere: there is no such file or folder/],
    ["pages", /pages: no pages are there/],
    ["data.bin", /data\.bin: expected a page/],
    ["blank", /blank: nothing to index/],
  ];
  for (const [input, message] of refusals) {
    const { status, stderr } = await run(place, "index", input, "--out", "search");
    assert.equal(status, 1, stderr);
    assert.match(stderr, message);
  }
  assert.deepEqual((await readdir(place)).sort(), ["blank", "data.bin", "pages"]);
});

test("an index has the bytes of the native program's", async () => {
  assert.ok(existsSync(native), `${native} is not there: run pkg-scripts/build`);
  const place = await empty();
  await cp(example, join(place, "site"), { recursive: true });
  await writeFile(join(place, "site/latin.html"), Buffer.from("<meta charset=iso-8859-1><html lang=fr><p>La forêt est humide.", "latin1"));
  await writeFile(join(place, "site/notes.txt"), "Le vent souffle fort ce soir.\n\nLa nuit tombe.");
  await writeFile(join(place, "site/\u{10000}.md"), "# Lune\n\nLa lune brille.");
  await writeFile(join(place, "site/\uff5e.md"), "# Soleil\n\nLe soleil brille.");
  await writeFile(join(place, "list.jsonl"), '{"id":"1","title":"Sel","text":"Le sel de la mer","year":2020}\n{"id":"2","text":"Du pain","year":"2021"}\n');
  await writeFile(
    join(place, "site/sitemap.xml"),
    ["fr/eau", "fr/potager.html", "gone"].map((page) => `<url><loc>https://x.example/${page}</loc><lastmod>2024-01-02</lastmod></url>`).join("").replace(/^/, "<urlset>") + "</urlset>",
  );
  const cases = [
    ["site", "--language", "fr"],
    ["site", "--language", "fr", "--english", "skip", "--passage-words", "20"],
    ["site/sitemap.xml", "--language", "fr", "--field", "lastmod"],
    ["list.jsonl", "--language", "fr", "--field", "year"],
    ["site/fr/eau.html", "--language", "fr", "--precision", "f32", "--block", "1"],
  ];
  for (const [number, [input, ...options]] of cases.entries()) {
    const [ours, theirs] = [`ours${number}`, `theirs${number}/`];
    await index(place, input, ...options, "--light", "--whole-model", "--out", ours);
    const usual = ["--precision", "--block"].flatMap((name, at) => (options.includes(name) ? [] : [name, ["i8", "16"][at]]));
    const done = spawnSync(native, ["index", models, input, ...options, ...usual, "--out", theirs], { cwd: place, encoding: "utf8" });
    assert.equal(done.status, 0, done.stderr);
    const expected = await filesIn(join(place, `theirs${number}`));
    assert.ok(expected.size > 1);
    const found = await filesIn(join(place, ours));
    found.set("index.safetensors", gunzipSync(found.get("index.safetensors.gz")));
    found.delete("index.safetensors.gz");
    for (const [name, bytes] of expected) assert.ok(bytes.equals(found.get(name)), `${input} ${options}: ${name}`);
    assert.equal([...found.keys()].filter((name) => /^(index|texts)\./.test(name)).length, expected.size);
  }
});

test("the part of the model that an output has is the native program's", async () => {
  const place = await empty();
  const cases = [
    [[], [["document.fr", "model"]]],
    [["--ask", "fr", "--ask", "it"], [["document.fr", "model"], ["document.it", "packs"]]],
  ];
  for (const [options, encoders] of cases) {
    await index(place, example, "--language", "fr", "--light", "--out", "ours", ...options);
    const done = spawnSync(native, ["index", models, example, "--language", "fr", "--with-model", "--out", "theirs/", ...options], { cwd: place, encoding: "utf8" });
    assert.equal(done.status, 0, done.stderr);
    for (const [name, folder] of [["query", "model"], ...encoders]) {
      const file = `${name}.safetensors`;
      assert.ok((await content(join(place, "ours", folder, file))).equals(await readFile(join(place, "theirs/model", file))), `${name} ${options}`);
    }
    assert.ok((await content(join(place, "ours/index.safetensors"))).equals(await readFile(join(place, "theirs/index.safetensors"))));
  }
});

test("the output has all that a browser needs, each file as the manifest says, and nothing else", async () => {
  const place = await pages();
  const { stdout } = await index(place, ".", "--out", "search", "--light");
  assert.equal(stdout, '<script type="module" src="search/box.js"></script>\n<smooth-clir-search></smooth-clir-search>\n');
  const files = await filesIn(join(place, "search"));
  const { files: listed } = JSON.parse(files.get("manifest.json"));
  assert.deepEqual(Object.keys(listed).sort(), [
    // As a host may send it, and as it is stored.
    ...["index.safetensors", "index.safetensors.gz"],
    ...["model/document.fr.safetensors", "model/document.fr.safetensors.gz", "model/query.safetensors", "model/query.safetensors.gz"],
  ]);
  for (const [name, { bytes, sha256 }] of Object.entries(listed)) {
    const expected = files.get(name) ?? gunzipSync(files.get(`${name}.gz`));
    assert.equal(expected.length, bytes);
    assert.equal(createHash("sha256").update(expected).digest("hex"), sha256);
  }
  // The index checks its texts itself.
  const others = [...files.keys()].filter((name) => !(name in listed) && name !== "texts.0.safetensors");
  assert.ok(others.includes("dist/wasm/smooth_clir_bg.wasm") && others.includes("dist/worker.js"));
  assert.deepEqual(others.filter((name) => !/^(box\.js|manifest\.json|dist\/)/.test(name) || /full|lab|documents|indexer|command|\.d\.ts/.test(name)), []);
  // Every file that a script names is there.
  for (const name of others.filter((name) => name.endsWith(".js"))) {
    for (const [, named] of files.get(name).toString().matchAll(/(?:from|import)\s*"(\.[^"]+)"/g)) {
      assert.ok(files.has(join(name, "..", named)), `${name} names ${named}`);
    }
  }
  const engine = await SmoothClir.load({
    model: ["query", "document.fr"].map((name) => join(place, `search/model/${name}.safetensors.gz`)),
    documents: join(place, "search/index.safetensors.gz"),
    manifest: join(place, "search/manifest.json"),
  });
  const [hit] = await engine.search("rain");
  assert.deepEqual([hit.id, hit.language], ["a.html", "fr"]);
  engine.close();
});

test("a page that cannot be read is left out and named; --strict stops there and writes nothing", async () => {
  const place = await pages();
  await writeFile(join(place, "latin.md"), Buffer.from("# L'été\n", "latin1"));
  await writeFile(join(place, "large.html"), Buffer.alloc(2 ** 24 + 1, 97));
  await writeFile(join(place, "really.html"), "%PDF-1.4 a");
  const strange = Buffer.concat([Buffer.from(`${place}/bad`), Buffer.from([0xff]), Buffer.from(".html")]);
  // File systems of some machines refuse it.
  const isNamed = await writeFile(strange, "<p>x").then(() => true, () => false);
  const { stderr } = await index(place, ".", "--out", "search", "--light");
  assert.match(stderr, /latin\.md: left out, not UTF-8 at byte 5/);
  assert.match(stderr, /large\.html: left out, 16777217 bytes, longer than 16777216/);
  assert.match(stderr, /really\.html: left out, a PDF/);
  if (isNamed) assert.match(stderr, /bad\ufffd\.html: left out, its name is not UTF-8/);
  assert.match(stderr, /search: 2 passages/);
  // A page that is named is asked for.
  const named = await run(place, "index", "a.html", "latin.md", "--out", "other", "--light");
  assert.deepEqual([named.status, /latin\.md: not UTF-8 at byte 5/.test(named.stderr)], [1, true], named.stderr);
  const { status, stderr: said } = await run(place, "index", ".", "--out", "other", "--strict", "--light");
  assert.equal(status, 1);
  assert.match(said, isNamed ? /its name is not UTF-8/ : /large\.html: 16777217 bytes/);
  assert.ok(!existsSync(join(place, "other")));
});

test("hidden files, node_modules, the output itself and links that lead out are no part of the site", async () => {
  const place = await pages();
  const outside = await site({ "secret.html": "<html lang=fr><p>Un secret de la mer." });
  await index(place, ".", "--out", "search", "--light");
  for (const name of [".hidden/c.html", "node_modules/x/README.md", "search/dist/d.html"]) {
    await mkdir(join(place, name, ".."), { recursive: true });
    await writeFile(join(place, name), "<html lang=fr><p>Pas ici.");
  }
  await symlink(join(outside, "secret.html"), join(place, "link.html"));
  await symlink(outside, join(place, "folder"));
  const { stderr } = await index(place, ".", "--out", "search", "--light");
  assert.match(stderr, /link\.html: left out, it leads out of \./);
  assert.match(stderr, /folder: left out, it leads out of \./);
  assert.match(stderr, /search: 2 passages/);
  // Links that lead out are not wrong.
  await index(place, ".", "--out", "search", "--light", "--strict");
});

test("the sitemaps that one leads to, and the folders before a site's own, are limited", async () => {
  const { pagesOf } = await import("../../npm/dist/command/site/sitemap.js");
  const { SITE_FOLDERS, SITEMAPS } = await import("../../npm/dist/limits.js");
  // JSON stands for a sitemap: what is read here is the same.
  const parse = (bytes) => ({ pages: [], sitemaps: [], ...JSON.parse(Buffer.from(bytes).toString()) });
  const page = { address: ["a.html"], changed: undefined };
  for (const count of [SITEMAPS - 1, SITEMAPS, SITEMAPS + 1]) {
    const further = Array.from({ length: count - 1 }, (_, at) => `${at}.xml`);
    const files = Object.fromEntries(further.map((name) => [name, "{}"]));
    const place = await site({ ...files, "a.html": "x", "sitemap.xml": JSON.stringify({ pages: [page], sitemaps: further.map((name) => [name]) }) });
    const read = () => pagesOf(join(place, "sitemap.xml"), parse).pages.length;
    if (count > SITEMAPS) assert.throws(read, /sitemap\.xml: more than 1000 sitemaps/);
    else assert.equal(read(), 1);
  }
  for (const folders of [SITE_FOLDERS - 1, SITE_FOLDERS, SITE_FOLDERS + 1]) {
    const address = [...Array.from({ length: folders }, (_, at) => `f${at}`), "a.html"];
    const place = await site({ "a.html": "x", "sitemap.xml": JSON.stringify({ pages: [{ address, changed: undefined }] }) });
    const read = () => pagesOf(join(place, "sitemap.xml"), parse).pages.length;
    if (folders > SITE_FOLDERS) assert.throws(read, /none of its pages has a file beside it/);
    else assert.equal(read(), 1);
  }
});

test("an output is whole or as it was before", async () => {
  const place = await pages();
  await index(place, ".", "--out", "search", "--light");
  const before = await filesIn(join(place, "search"));
  const { status, stderr } = await run(place, "index", ".", "--out", "search", "--field", "colour", "--light");
  assert.equal(status, 1);
  assert.match(stderr, /colour: no document has it; there are lang, topic/);
  assert.deepEqual(await filesIn(join(place, "search")), before);

  const child = spawn(process.execPath, [command, "index", ".", "--out", "search", "--light", "--passage-words", "1"], { cwd: place, stdio: "ignore" });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  setTimeout(() => child.kill("SIGINT"), 150);
  await ended;
  assert.deepEqual((await readdir(place)).sort(), ["a.html", "b.md", "search"]);
  const now = await filesIn(join(place, "search"));
  assert.ok(now.has("box.js") && now.has("manifest.json"));

  // Files of an earlier output do not stay.
  await rm(join(place, "b.md"));
  await index(place, ".", "--out", "search", "--block", "1", "--light");
  assert.deepEqual([...(await filesIn(join(place, "search"))).keys()].filter((name) => name.startsWith("texts.")), ["texts.0.safetensors"]);
  await writeFile(join(place, "search/own.txt"), "x");
  const refused = await run(place, "index", ".", "--out", "search", "--light");
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /search: has own\.txt, which this command did not make/);
  assert.equal((await run(place, "index", ".", "--out", "a.html", "--light")).status, 1);

  // A folder with names that an output has, which is none.
  await mkdir(join(place, "project/dist"), { recursive: true });
  await writeFile(join(place, "project/dist/index.html"), "<p>La pluie tombe.");
  const project = await run(place, "index", "project/dist", "--out", "project", "--light");
  assert.equal(project.status, 1);
  assert.match(project.stderr, /project: has dist, which this command did not make/);
  assert.deepEqual([...(await filesIn(join(place, "project"))).keys()], ["dist/index.html"]);
});

test("a model of a package in node_modules is used where it reads more documents, once its files match its manifest", async () => {
  const place = await pages();
  const folder = join(place, "node_modules/smooth-clir-models-test/models");
  await cp(models, folder, { recursive: true });
  await rm(join(folder, "document.fr.safetensors"));
  // It cannot read French: the package's own model does.
  await index(place, ".", "--out", "search", "--light");
  await cp(join(models, "document.fr.safetensors"), join(folder, "document.fr.safetensors"));
  const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");
  const listed = Object.fromEntries([...(await filesIn(folder))].map(([name, bytes]) => [name, { bytes: bytes.length, sha256: sha256(bytes) }]));
  const write = (files) => writeFile(join(folder, "manifest.json"), JSON.stringify({ format: "smooth-clir-manifest", version: 1, files }));
  await write(listed);
  await index(place, ".", "--out", "search", "--light");
  await write({ ...listed, "document.fr.safetensors": { bytes: 1, sha256: "0".repeat(64) } });
  const { status, stderr } = await run(place, "index", ".", "--out", "search", "--light");
  assert.equal(status, 1);
  assert.match(stderr, /document\.fr\.safetensors does not match .*manifest\.json: its SHA-256 is/);
  await index(place, ".", "--out", "search", "--light", "--model", models);
  const wrong = await run(place, "index", ".", "--out", "search", "--light", "--model", ".");
  assert.match(wrong.stderr, /\.: expected the files of a model/);
});

test("an index is of one model: passages that another one could read are left out and counted", async () => {
  const place = await pages();
  await writeFile(join(place, "x.html"), "<html lang=xx><p>m1 m2 m3");
  await cp(join(deep, "model"), join(place, "node_modules/smooth-clir-models-xx/models"), { recursive: true });
  const { stderr } = await index(place, ".", "--out", "search", "--light");
  assert.match(stderr, /^1 passage in xx: left out$/m);
  assert.match(stderr, /search: 2 passages/);
});

/** A folder with `node_modules`: a model of French alone, and packages of packs, each a language, what is changed in its file, and another language. */
async function withPacks(place, packs) {
  const copy = async (name, file, change = (bytes) => bytes, as = file) => {
    const folder = join(place, `node_modules/smooth-clir-models-${name}/models`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, as), change(await readFile(join(models, file))));
  };
  await copy("base", "query.safetensors");
  await copy("base", "document.fr.safetensors");
  for (const [name, language, change, as = language] of packs) await copy(name, `document.${language}.safetensors`, change, `document.${as}.safetensors`);
}

/** Replaces the first digit of a digest in the metadata of a model's file. */
const changed = (key) => (bytes) => {
  const copy = Buffer.from(bytes);
  const at = copy.indexOf(`"${key}":"`) + key.length + 4;
  copy[at] = copy[at] === 48 ? 49 : 48;
  return copy;
};

const mixed = {
  "a.html": "<html lang=fr><title>La pluie</title><p>Il pleut sur la montagne et dans la vallée.",
  "b.html": "<html lang=it><title>Il mare</title><p>Le onde del mare sono alte in inverno.",
  "c.html": "<html lang=sw><title>Mvua</title><p>Mvua inanyesha mlimani na bondeni.",
  "d.html": "<html lang=en><title>Snow</title><p>Snow falls on the hills.",
};

test("language packs of packages join the model, each passage is read by its own, and the result counts them by language", async () => {
  const place = await site(mixed);
  await withPacks(place, [["en-it", "it"], ["en-sw", "sw"]]);
  const base = ["--model", "node_modules/smooth-clir-models-base/models"];
  for (const args of [base, []]) {
    const { stderr } = await index(place, ".", "--out", "search", "--light", ...args);
    assert.match(stderr, /search: 4 passages \(en 1, fr 1, it 1, sw 1\), /);
    assert.deepEqual(await readdir(join(place, "search/model")), [...["fr", "it", "sw"].map((language) => `document.${language}.safetensors.gz`), "query.safetensors.gz"]);
    const engine = await SmoothClir.load({
      model: ["query", "document.fr", "document.it", "document.sw"].map((name) => join(place, `search/model/${name}.safetensors.gz`)),
      documents: join(place, "search/index.safetensors.gz"),
    });
    for (const [query, id] of [["rain in the mountains", "a.html"], ["sea waves", "b.html"], ["snowy hills", "d.html"]]) {
      assert.equal((await engine.search(query))[0].id, id);
    }
    assert.equal((await engine.search("rain", { language: "sw" }))[0].id, "c.html");
    engine.close();
  }
  // The pack of the package is what is read.
  const listed = { "document.it.safetensors": { bytes: 1, sha256: "0".repeat(64) } };
  const manifest = join(place, "node_modules/smooth-clir-models-en-it/models/manifest.json");
  await writeFile(manifest, JSON.stringify({ format: "smooth-clir-manifest", version: 1, files: listed }));
  const { status, stderr } = await run(place, "index", ".", "--out", "other", "--light", ...base);
  assert.equal(status, 1);
  assert.match(stderr, /smooth-clir-models-en-it\/models\/document\.it\.safetensors does not match/);
});

test("a site answers queries in languages that no page is in, by packs that only those who ask in them fetch", async () => {
  const place = await pages();
  const { stderr } = await index(place, ".", "--out", "search", "--light", "--ask", "it", "--ask", "sw", "--ask", "en");
  assert.match(stderr, /^one who asks in a language of --ask fetches its pack too, \d+ kB on average$/m);
  const at = (file) => join(place, "search", file);
  const script = await readFile(at("box.js"), "utf8");
  assert.match(script, /^ {2}model: \[at\("model\/query\.safetensors\.gz"\), at\("model\/document\.fr\.safetensors\.gz"\)\],$/m);
  assert.match(script, /^ {2}packs: \[at\("packs\/document\.it\.safetensors\.gz"\), at\("packs\/document\.sw\.safetensors\.gz"\)\],$/m);
  const engine = await SmoothClir.load({
    model: ["query", "document.fr"].map((name) => at(`model/${name}.safetensors.gz`)),
    documents: at("index.safetensors.gz"),
    manifest: at("manifest.json"),
  });
  await engine.addModel(at("packs/document.it.safetensors.gz"), { manifest: at("manifest.json") });
  assert.equal(await engine.languageOf("le onde alte del mare"), "it");
  assert.equal((await engine.search("le onde alte del mare"))[0].id, "b.md");
  assert.equal((await engine.search("pioggia in montagna", { queryLanguage: "it" }))[0].id, "a.html");
  engine.close();
  // Where pages are in the language too, its whole pack takes the place of the part that they need, and an earlier output goes.
  const { length: whole } = await readFile(join(models, "document.fr.safetensors"));
  const share = async () => (await content(at("model/document.fr.safetensors"))).length / whole;
  assert.ok((await share()) < 0.5);
  await index(place, ".", "--out", "search", "--light", "--ask", "fr");
  assert.ok((await share()) > 0.9);
  assert.ok(!existsSync(at("packs")));
});

test("of several languages that are named, others are left out", async () => {
  const place = await site({ ...mixed, "e.html": "<p>La pioggia cade da ieri sulla montagna, e il vento soffia tra gli alberi della foresta." });
  const { stderr } = await index(place, ".", "--out", "search", "--light", "--language", "fr", "--language", "it", "--english", "skip");
  assert.match(stderr, /search: 3 passages \(fr 1, it 2\), /);
  assert.match(stderr, /^1 passage in sw: left out$/m);
  const auto = await index(place, ".", "--out", "search", "--light", "--language", "auto");
  assert.match(auto.stderr, /search: 5 passages \(en 1, fr 1, it 2, sw 1\), /);
});

test("two packs of a language, a pack of another query encoder, and a pack that is missing are refused by what to do", async () => {
  const place = await site(mixed);
  const refused = async (...args) => {
    const done = await run(place, "index", ".", "--out", "search", "--light", ...args);
    assert.ok(!existsSync(join(place, "search")));
    return [done.status, done.stderr];
  };
  await withPacks(place, [["en-it", "it"], ["law-it", "it", changed("digest")]]);
  const both = /there are two packs of it, \S+en-it\/models\/document\.it\.safetensors and \S+law-it\/models\/document\.it\.safetensors: remove one/;
  const [status, said] = await refused();
  assert.equal(status, 1);
  assert.match(said, /error: 1 passage in it: there are two packs/);
  assert.match(said, both);
  assert.match((await refused("--language", "it"))[1], both);
  // The same file twice is one pack.
  await writeFile(join(place, "node_modules/smooth-clir-models-law-it/models/document.it.safetensors"), await readFile(join(models, "document.it.safetensors")));
  await index(place, ".", "--out", "fine", "--light");

  await withPacks(place, [["en-it", "it", changed("space")], ["law-it", "it", changed("space")], ["en-xx", "it", changed("space"), "xx"]]);
  const [other, why] = await refused("--language", "xx");
  assert.equal(other, 2);
  assert.match(why, /document\.xx\.safetensors belongs to another query encoder, [0-9a-f]{12}…, than [0-9a-f]{12}… of the models here: install versions that belong together/);
  // A model that is named has the packs that belong to it, and no others.
  const base = ["--model", "node_modules/smooth-clir-models-base/models"];
  assert.match((await refused(...base, "--language", "de"))[1], /--language de: there is a model for fr; npm install smooth-clir-models-en-de\n$/);
  const { stderr } = await index(place, ".", "--out", "fine", "--light", ...base);
  assert.match(stderr, /^1 passage in it: left out$/m);
  // The package's own model reads Italian, which a pack for another model does not change.
  await index(place, ".", "--out", "fine", "--light", "--language", "it");
  await writeFile(join(place, "node_modules/smooth-clir-models-en-it/models/document.it.safetensors"), "no header");
  assert.match((await refused())[1], /document\.it\.safetensors: cannot be read as a model's file/);
});

test("a teacher's vectors are those of the native program, on any number of threads", async () => {
  const place = await empty();
  const teacher = join(deep, "teacher.safetensors");
  const options = ["--language", "xx", "--model", join(deep, "model"), "--whole-model", "--block", "2"];
  for (const precision of ["i8", "f32"]) {
    await index(place, join(deep, "documents.tsv"), ...options, "--teacher", teacher, "--precision", precision, "--out", precision);
    const found = await filesIn(join(place, precision));
    found.set("index.safetensors", await content(join(place, precision, "index.safetensors")));
    for (const [name, bytes] of await filesIn(join(deep, precision))) assert.ok(bytes.equals(found.get(name)), `${precision}: ${name}`);
  }
  // Of a package too, which needs no name; with --light it is not read.
  await mkdir(join(place, "node_modules/smooth-clir-teacher"), { recursive: true });
  await cp(teacher, join(place, "node_modules/smooth-clir-teacher/teacher.safetensors"));
  await index(place, join(deep, "documents.tsv"), ...options, "--out", "packaged");
  const packaged = await content(join(place, "packaged/index.safetensors"));
  assert.ok(packaged.equals(await readFile(join(deep, "i8/index.safetensors"))));
  await index(place, join(deep, "documents.tsv"), ...options, "--light", "--out", "light");
  assert.ok(!packaged.equals(await content(join(place, "light/index.safetensors"))));
});

test("a teacher of another model, or one that is none, is refused, and without one a line says what that costs", async () => {
  const place = await pages();
  const { stderr } = await index(place, ".", "--out", "search");
  assert.match(stderr, /the model alone encodes the passages: MRR@10 .* npm install smooth-clir-teacher/);
  const refused = async (...args) => {
    const { status, stderr } = await run(place, "index", ".", "--out", "other", ...args);
    assert.ok(!existsSync(join(place, "other")));
    return [status, stderr];
  };
  const teacher = join(deep, "teacher.safetensors");
  const [status, other] = await refused("--teacher", teacher);
  assert.equal(status, 1);
  assert.match(other, /is another teacher than the model was trained with/);
  assert.match((await refused("--teacher", "a.html"))[1], /not a whole safetensors file/);
  assert.match((await refused("--teacher", "nowhere"))[1], /nowhere: cannot be read: it is not there/);
  // A package is checked by the digest that the model states.
  await mkdir(join(place, "node_modules/smooth-clir-teacher"), { recursive: true });
  await cp(teacher, join(place, "node_modules/smooth-clir-teacher/teacher.safetensors"));
  assert.match((await refused())[1], /is not the teacher of the model in .*: its SHA-256 is/);
});

test("several folders are one site, whose pages are seen from the folder around them", async () => {
  const place = await site({ "fr/a.html": "<html lang=fr><p>Il pleut.", "it/a.html": "<html lang=it><p>Piove sempre.", "x.html": "<html lang=fr><p>x" });
  await index(place, "fr", "it", "--out", "search", "--light");
  const texts = (await readFile(join(place, "search/texts.0.safetensors"))).toString("latin1");
  assert.match(texts, /fr\/a\.htmlit\/a\.html/);
  assert.match(await readFile(join(place, "search/box.js"), "utf8"), /base: at\("\.\.\/"\)/);
  assert.deepEqual(await readdir(join(place, "search/model")), ["document.fr.safetensors.gz", "document.it.safetensors.gz", "query.safetensors.gz"]);
});

test("--base, or the place of the output in the site, says where results link to", async () => {
  const place = await pages();
  const base = async (...args) => {
    const { stderr } = await index(place, ".", "--light", ...args);
    const script = await readFile(join(place, args[1], "box.js"), "utf8");
    return [/base: at\((.*)\)/.exec(script)?.[1], /no links/.test(stderr)];
  };
  assert.deepEqual(await base("--out", "search"), ['"../"', false]);
  assert.deepEqual(await base("--out", "guide/in/search"), ['"../../../"', false]);
  assert.deepEqual(await base("--out", "../elsewhere-of-smooth-clir"), [undefined, true]);
  places.push(join(place, "../elsewhere-of-smooth-clir"));
  assert.deepEqual(await base("--out", "search", "--base", "https://x.example/docs/"), ['"https://x.example/docs/"', false]);
});

test("a site in English alone needs the query encoder alone, and --serve previews what was made", async () => {
  const place = await site({ "a.html": "<html lang=en><title>Rain</title><p>It rains over the mountains, and the river rises." });
  const child = spawn(process.execPath, [command, "index", ".", "--out", "search", "--light", "--serve", "0"], { cwd: place });
  try {
    const said = await new Promise((resolve) => child.stderr.on("data", (bytes) => /search at/.test(bytes) && resolve(String(bytes))));
    const url = /its search at (\S+);/.exec(said)[1].replace("localhost", "127.0.0.1");
    assert.match(await (await fetch(url)).text(), /src="\/search\/box\.js"/);
  } finally {
    child.kill();
  }
  assert.deepEqual(await readdir(join(place, "search/model")), ["query.safetensors.gz"]);
  const [model, documents] = ["model/query.safetensors.gz", "index.safetensors.gz"].map((name) => join(place, "search", name));
  const engine = await SmoothClir.load({ model, documents });
  assert.deepEqual((await engine.search("rivers")).map(({ id, language }) => [id, language]), [["a.html", "en"]]);
  engine.close();
});

test("--quiet says nothing where nothing is wrong", async () => {
  const place = await pages();
  assert.deepEqual(await run(place, "index", ".", "--out", "search", "--quiet", "--light"), { status: 0, stdout: "", stderr: "" });
});

test("serve shows a site with its search, and nothing outside it", async () => {
  const place = await pages();
  await index(place, ".", "--out", "search", "--light");
  await writeFile(join(place, ".secret"), "x");
  const child = spawn(process.execPath, [command, "serve", ".", "--port", "0"], { cwd: place });
  try {
    const said = await new Promise((resolve) => child.stderr.on("data", (bytes) => /search at/.test(bytes) && resolve(String(bytes))));
    const url = /at (http:\/\/localhost:\d+)\//.exec(said)[1].replace("localhost", "127.0.0.1");
    const get = async (path) => {
      const response = await fetch(url + path);
      return [response.status, response.headers.get("content-type"), await response.text()];
    };
    assert.match((await get("/a.html"))[2], /Il pleut/);
    // A result of Markdown is shown, not downloaded.
    await writeFile(join(place, "b.md"), "# Neige");
    assert.deepEqual(await get("/b.md"), [200, "text/plain;charset=utf-8", "# Neige"]);
    const [status, type, html] = await get("/-/search");
    assert.deepEqual([status, type], [200, "text/html;charset=utf-8"]);
    assert.match(html, /<script type="module" src="\/search\/box\.js">/);
    assert.equal((await get("/search/dist/wasm/smooth_clir_bg.wasm"))[1], "application/wasm");
    assert.match((await get("/search/box.js"))[1], /^text\/javascript/);
    for (const path of ["/none", "/.secret", "/%2esecret", "/../", "/%2e%2e%2f"]) assert.equal((await get(path))[0], 404, path);
    const port = new URL(url).port;
    // A name of another site that leads to this machine.
    const asked = request({ port, host: "127.0.0.1", path: "/a.html", headers: { host: `evil.example:${port}` } }).end();
    const [answer] = await once(asked, "response");
    assert.equal(answer.statusCode, 421);
    answer.resume();
    const busy = await run(place, "serve", ".", "--port", port);
    assert.equal(busy.status, 1);
    assert.match(busy.stderr, new RegExp(`port ${port}: cannot listen: the port is in use`));
  } finally {
    child.kill();
  }
});
