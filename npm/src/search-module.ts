// The WebAssembly module that searches. Its address is relative to this script, and bundlers put their output where the
// package's root is: this file stays in the root.
import { Module } from "./loading/module.js";
import { renew } from "./wasm/smooth_clir.js";

export { Engine } from "./wasm/smooth_clir.js";
export type { EncodedQuery, EngineFile, TextBlock } from "./wasm/smooth_clir.js";

/** @internal */
export const searchModule = new Module(new URL("./wasm/smooth_clir_bg.wasm", import.meta.url), renew);
