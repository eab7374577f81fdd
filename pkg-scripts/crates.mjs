// Which crate's code the module holds: bytes of functions and of data, before wasm-opt.
import { readFileSync } from "node:fs";

const bytes = readFileSync(process.argv[2]);
let at = 8;

function number() {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 127) * 2 ** shift;
    if (byte < 128) return value;
  }
}

const name = () => {
  const length = number();
  at += length;
  return bytes.toString("utf8", at - length, at);
};

/** Functions that are imported come first in the count. */
function importedFunctions() {
  let functions = 0;
  for (let left = number(); left > 0; left -= 1) {
    name();
    name();
    const kind = bytes[at++];
    if (kind !== 0) throw new Error("the module imports more than functions");
    functions += 1;
    number();
  }
  return functions;
}

/** The crate of a mangled name, in either of the compiler's ways to mangle. */
function crateOf(mangled) {
  const inV0 = /^_R.*?Cs[0-9A-Za-z]+_(\d+)/.exec(mangled);
  if (inV0) {
    const rest = mangled.slice(inV0[0].length).replace(/^_/, "");
    return rest.slice(0, Number(inV0[1]));
  }
  const legacy = /^_ZN(\d+)(.*)$/.exec(mangled);
  if (!legacy) return "bindings";
  const first = legacy[2].slice(0, Number(legacy[1]));
  // `_<T as Trait>`: the crate of the type.
  const path = first.replace(/^_?(\$LT\$|\$RF\$|mut|\$u20\$|&|\[|\()*/, "");
  return /^[A-Za-z0-9_]+/.exec(path)?.[0] ?? "other";
}

let imported = 0;
let data = 0;
const sizes = [];
const names = new Map();
while (at < bytes.length) {
  const section = bytes[at++];
  const length = number();
  const end = at + length;
  if (section === 2) imported = importedFunctions();
  if (section === 10) {
    for (let left = number(); left > 0; left -= 1) {
      const size = number();
      sizes.push(size);
      at += size;
    }
  }
  if (section === 11) data = length;
  if (section === 0 && name() === "name") {
    while (at < end) {
      const part = bytes[at++];
      const partEnd = number() + at;
      if (part === 1) for (let left = number(); left > 0; left -= 1) names.set(number(), name());
      at = partEnd;
    }
  }
  at = end;
}

const crates = new Map();
for (const [place, size] of sizes.entries()) {
  const crate = crateOf(names.get(place + imported) ?? "");
  crates.set(crate, (crates.get(crate) ?? 0) + size);
}
const small = 1000;
const rows = [...crates].filter(([, size]) => size >= small).sort((a, b) => b[1] - a[1]);
const rest = [...crates.values()].filter((size) => size < small).reduce((sum, size) => sum + size, 0);
console.log("\n| code of, before wasm-opt | raw bytes |\n|---|---|");
for (const [crate, size] of rows) console.log(`| ${crate} | ${size.toLocaleString("en")} |`);
console.log(`| others | ${rest.toLocaleString("en")} |`);
console.log(`| data: tables of Unicode, for the most part, and messages | ${data.toLocaleString("en")} |`);
