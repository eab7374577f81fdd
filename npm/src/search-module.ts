// The WebAssembly module that searches. Its address is relative to this script, and bundlers put their output where the
// package's root is: this file stays in the root.
import { startModule } from "./loading/module.js";
import init from "./wasm/smooth_clir.js";

export { Engine } from "./wasm/smooth_clir.js";
export type { EncodedQuery, TextBlock } from "./wasm/smooth_clir.js";

/** Loads the module, once; returns its memory. @internal */
export async function startSearchModule(): Promise<WebAssembly.Memory> {
  return (await startModule(new URL("./wasm/smooth_clir_bg.wasm", import.meta.url), init)).memory;
}
