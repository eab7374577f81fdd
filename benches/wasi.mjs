// Runs a WebAssembly program: wasi.mjs MODULE ARGUMENT...
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [module, ...rest] = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args: [module, ...rest], preopens: { "/": "/" } });
const { instance } = await WebAssembly.instantiate(await readFile(module), wasi.getImportObject());
wasi.start(instance);
