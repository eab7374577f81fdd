// The rooms of the two TypeScript trees, from the bottom up: a file uses its own room and the rooms above its room in
// this list. No circle of files is left, whatever kind of import closes it (`import type`, `export from` and `import()`
// count too).
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

/** `rooms`: the folders and files below the root, in their order. `apart`: rooms whose folders do not use each other. */
const TREES = [
  {
    root: "www/src",
    rooms: ["i18n", "ui", "model", "state", "finetune", "search", "views", "offline", "app"],
    apart: ["views"],
  },
  {
    root: "npm/src",
    rooms: [
      ...["limits.ts", "errors.ts", "types.ts", "arguments.ts", "abort.ts", "script.ts", "protocol.ts"],
      ...["loading", "search-module.ts", "full-module.ts", "lab.ts", "documents.ts"],
      ...["worker", "worker.ts", "package-worker.ts", "engine", "index.ts"],
      ...["snippet.ts", "fuse.ts", "search-box", "search-box.ts", "command"],
    ],
  },
];

const repository = fileURLToPath(new URL("../../", import.meta.url));

/** Every way in which a file names another: `from "x"`, `import "x"`, `import("x")`, `new URL("x", import.meta.url)`. */
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*["'](\.[^"']*)["']|\bnew URL\(\s*["'](\.[^"']*)["'],\s*import\.meta\.url/g;
const SOURCE = /\.(ts|css|js)$/;
const COMMENTS = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

/** Reads a tree: the files that each file uses, by their paths below the root. */
function readTree(root) {
  const folder = join(repository, root);
  const files = readdirSync(folder, { recursive: true })
    .filter((file) => SOURCE.test(file))
    .sort();
  return graphOf(new Map(files.map((file) => [file, readFileSync(join(folder, file), "utf8")])));
}

/** The graph of files with these texts. */
function graphOf(texts) {
  const resolve = (from, specifier) => {
    const path = normalize(join(dirname(from), specifier.replace(/\?.*$/, "")));
    // TypeScript writes the ending of what it will have become, or none.
    return [path, `${path}.ts`, path.replace(/\.js$/, ".ts")].find((candidate) => texts.has(candidate));
  };
  return new Map(
    [...texts].map(([file, text]) => {
      const named = [...text.replace(COMMENTS, "").matchAll(IMPORT)].map(([, plain, url]) => plain ?? url);
      // What lies outside of the tree, or is generated, is in no room.
      return [file, new Set(named.flatMap((specifier) => resolve(file, specifier) ?? []))];
    }),
  );
}

/** Imports against the order of rooms, and files outside of every room, in words. */
function faultsOf(graph, { rooms, apart = [] }) {
  const roomOf = (file) => file.split("/")[0];
  const faults = [];
  for (const [file, used] of graph) {
    const place = rooms.indexOf(roomOf(file));
    if (place < 0 && !file.endsWith(".d.ts")) faults.push(`${file}: its room "${roomOf(file)}" is not in the list`);
    for (const other of used) {
      if (rooms.indexOf(roomOf(other)) > place) faults.push(`${file} uses ${other}, which is in a later room`);
      const [mine, theirs] = [file, other].map((path) => path.split("/"));
      const separate = mine[0] === theirs[0] && apart.includes(mine[0]) && mine.length > 2 && theirs.length > 2;
      if (separate && mine[1] !== theirs[1]) faults.push(`${file} uses ${other}: folders of ${mine[0]} stand apart`);
    }
  }
  return faults;
}

/** The circles of files, each as a closed path: one for each group of files that reach each other. */
function circlesOf(graph) {
  const circles = [];
  const done = new Set();
  const walk = (file, path) => {
    const at = path.indexOf(file);
    if (at >= 0) return void circles.push([...path.slice(at), file].join(" -> "));
    if (done.has(file)) return;
    for (const other of graph.get(file)) walk(other, [...path, file]);
    done.add(file);
  };
  for (const file of graph.keys()) walk(file, []);
  return circles;
}

for (const tree of TREES) {
  const graph = readTree(tree.root);

  test(`${tree.root}: no circle of files`, () => {
    assert.ok(graph.size > 10, "the tree is read");
    assert.deepEqual(circlesOf(graph), []);
  });

  test(`${tree.root}: each room uses only those before it`, () => {
    assert.deepEqual(faultsOf(graph, tree), []);
    const empty = tree.rooms.filter((room) => ![...graph.keys()].some((file) => file === room || file.startsWith(`${room}/`)));
    assert.deepEqual(empty, [], "every room has files");
  });
}

test("the check sees what it is to see", () => {
  const tree = { rooms: ["low", "high"], apart: ["high"] };
  const faults = (texts) => faultsOf(graphOf(new Map(Object.entries(texts))), tree);
  const high = { "high/b.ts": "", "high/y/y.ts": "" };
  const upward = ["low/a.ts uses high/b.ts, which is in a later room"];
  assert.deepEqual(faults({ ...high, "low/a.ts": 'import { b } from "../high/b";' }), upward);
  assert.deepEqual(faults({ ...high, "low/a.ts": 'import type {\n  B,\n} from "../high/b.js";' }), upward);
  assert.deepEqual(faults({ ...high, "low/a.ts": 'export * from "../high/b";' }), upward);
  assert.deepEqual(faults({ ...high, "low/a.ts": 'import "../high/b";' }), upward);
  assert.deepEqual(faults({ ...high, "low/a.ts": 'await import("../high/b");' }), upward);
  assert.deepEqual(faults({ ...high, "low/a.ts": 'new URL("../high/b.js", import.meta.url);' }), upward);
  assert.deepEqual(faults({ ...high, "low/a.ts": '// import "../high/b";' }), []);
  assert.deepEqual(faults({ "high/b.ts": 'import "../low/a";', "low/a.ts": "" }), []);
  assert.deepEqual(faults({ "loose.ts": "" }), ['loose.ts: its room "loose.ts" is not in the list']);
  assert.deepEqual(faults({ "cellar/c.ts": "" }), ['cellar/c.ts: its room "cellar" is not in the list']);
  assert.deepEqual(faults({ ...high, "high/x/x.ts": 'import "../y/y"; import "../b";' }), [
    "high/x/x.ts uses high/y/y.ts: folders of high stand apart",
  ]);
  const circle = graphOf(new Map([["a.ts", 'import "./b";'], ["b.ts", 'import type { C } from "./c";'], ["c.ts", 'import("./a");']]));
  assert.deepEqual(circlesOf(circle), ["a.ts -> b.ts -> c.ts -> a.ts"]);
});
