// The WebAssembly module that also fine-tunes, trains and uses the GPU. Its address is relative to this script, and
// bundlers put their output where the package's root is: this file stays in the root.
import { renew } from "./full/smooth_clir.js";
import { Module } from "./loading/module.js";

export { defaultSteps, documentsOf, Engine, Gpu, Training } from "./full/smooth_clir.js";
export type { EncodedDocuments, EncodedQuery, FineTuningSteps, Ranker } from "./full/smooth_clir.js";

/** @internal */
export const fullModule = new Module(new URL("./full/smooth_clir_bg.wasm", import.meta.url), renew, "part-failed");
