// Makes the instance of a WebAssembly module replaceable: wraps wasm-bindgen's script in a function, so that each instance
// has classes, finalizers and callbacks of its own. After a trap nothing of the old instance reaches the new one.
//
//   node pkg-scripts/renewable.mjs FOLDER/NAME
import { readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";

const path = process.argv[2];
let script = readFileSync(`${path}.js`, "utf8");
// Safe to run twice.
if (script.includes("export function renew(")) process.exit();

const names = [];
script = script.replace(/^export (class|function) (\w+)/gm, (_, kind, name) => {
  names.push(name);
  return `${kind} ${name}`;
});

/** Replaces a line that the script has once. */
function replace(line, by) {
  if (script.split(line).length !== 2) {
    console.error(`error: ${path}.js: expected \`${line.trim()}\` once: another version of wasm-bindgen?`);
    process.exit(1);
  }
  script = script.replace(line, () => by);
}
replace("    wasm = instance.exports;", "    wasm = adopt(instance.exports);");
replace("    wasmModule = module;", "    compiled = wasmModule = module;");
replace("export { initSync, __wbg_init as default };\n", "");
// Deno reads it at the head of a script only.
const types = `/* @ts-self-types="./${basename(path)}.d.ts" */\n`;
replace(types, "");

// Without `initSync`: one way to start is enough.
const all = [...names, "init"].join(", ");
writeFileSync(
  `${path}.js`,
  `${types}let compiled;
function create(adopt) {
${script}
// Later instances are of the module that was compiled for the first.
const init = (source) => __wbg_init(compiled ? { module_or_path: compiled } : source);
return { ${all} };
}
export let { ${all} } = create((exports) => exports);
export { init as default };
export function renew(adopt) {
    const next = create(adopt);
    return async (source) => {
        const exports = await next.init(source);
        ({ ${all} } = next);
        return exports;
    };
}
`,
);
writeFileSync(
  `${path}.d.ts`,
  `${readFileSync(`${path}.d.ts`, "utf8").replace(/\/\*\*(?:(?!\*\/)[^])*\*\/\nexport function initSync.*\n/, "")}
/**
 * Makes a function that starts a further instance, of the module that was loaded for the first: classes and functions are
 * this one's from then on. \`adopt\` gets its exports, and returns those to call.
 */
export function renew(adopt: (exports: InitOutput) => InitOutput): typeof __wbg_init;
`,
);
