/**
 * Cross-lingual search by smooth cosine similarity, in the browser and in Node.
 *
 * ```js
 * import { SmoothClir } from "smooth-clir";
 *
 * const engine = await SmoothClir.load({ model: "query.safetensors", documents: "documents.safetensors" });
 * const hits = await engine.search("rain over the mountains", { limit: 3 });
 * console.log(hits[0].language, hits[0].title, hits[0].score);
 * engine.close();
 * ```
 *
 * @packageDocumentation
 */
export { SmoothClir } from "./engine/engine.js";
export { SmoothClirError, type CoreErrorCode, type ErrorCode, type HostErrorCode } from "./errors.js";
export { languageOfScript } from "./script.js";
export type * from "./types.js";
