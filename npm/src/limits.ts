// Every limit of what is asked of the package and of what it loads; `docs/limits.md` lists them with those of the other
// parts. Those of files and queries are the core's own.

/** Bytes of a file, unless `maxBytes` says otherwise. */
export const FILE_BYTES = 2 ** 31;
/** Bytes of a manifest, or of a list of segments. */
export const LIST_BYTES = 2 ** 24;
/** Bytes of files of texts, beyond which those shown longest ago are forgotten: they are fetched again when they are needed. */
export const TEXT_BYTES = 2 ** 26;
/** Documents that were shown, of which the place of the texts is known. */
export const SHOWN_DOCUMENTS = 10_000;
/**
 * Files of a model and its indexes that are downloaded at once. By HTTP/1.1 a browser opens six connections to a host: three are
 * left for what a person waits for meanwhile, such as texts of results.
 */
export const DOWNLOADS = 3;
/** Milliseconds: if a server asks for a longer wait, a download fails. */
export const WAIT_MS = 10_000;
/** Milliseconds that a worker has to start. */
export const START_MS = 10_000;
/** Changes of fine-tuning that can still be undone after the WebAssembly module stopped. */
export const KEPT_CHANGES = 64;
/** Steps of training in one call. */
export const TRAINING_STEPS = 1_000_000;
/** Trainings from scratch at a time: the next one takes the place of the oldest. */
export const TRAININGS = 8;
/** Points along a side of a heat map. */
export const MAP_POINTS = 2048;
/** Bytes of a page of Markdown or HTML that is read: the readers' own limit. */
export const PAGE_BYTES = 2 ** 24;
/** Bytes of a model's file whose digest the browser computes instead of the core: it copies them for that. */
export const HASHED_BYTES = 2 ** 25;
/** Bytes of the header of a model's file that are looked at outside the core: the core's own limit. */
export const HEADER_BYTES = 2 ** 20;
/** Sitemaps that an index of sitemaps may lead to. */
export const SITEMAPS = 1000;
/** Folders between a site and its host's root. */
export const SITE_FOLDERS = 32;
