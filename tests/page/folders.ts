import { fileURLToPath } from "node:url";

/** The page as it is built. */
export const DIST = fileURLToPath(new URL("../../www/dist", import.meta.url));
/** The npm package as it is built. */
export const PACKAGE = fileURLToPath(new URL("../../npm/dist", import.meta.url));
/** The repository. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
