// The WebAssembly module of the indexer.
import * as raw from "../indexer/smooth_clir_indexer.js";
import { Module } from "../loading/module.js";
import type { Sitemap } from "./site/sitemap.js";

export { DeepReader, Documents, Indexing, type LanguageCount, Site } from "../indexer/smooth_clir_indexer.js";

export const indexerModule = new Module(new URL("../indexer/smooth_clir_indexer_bg.wasm", import.meta.url), raw.renew, "part-failed");

export function readSitemap(bytes: Uint8Array): Sitemap {
  const [pages, sitemaps] = raw.readSitemap(bytes);
  return { pages: pages.map(([address, changed]) => ({ address, changed })), sitemaps };
}
