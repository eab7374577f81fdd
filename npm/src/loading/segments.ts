import { causedBy, SmoothClirError } from "../errors.js";
import type { Source } from "../types.js";
import { parseJson } from "./json.js";

/** Whether a source is the list of an index's segments. @internal */
export function isSegments(source: Source): source is string | URL {
  return !(source instanceof Uint8Array) && /(^|[/\\])segments\.json([?#]|$)/.test(String(source));
}

/** The index files that a list of segments names: `segments.json` as `smooth-clir index --append` writes it. @internal */
export function segmentFiles(list: string | URL, bytes: Uint8Array): string[] {
  const wrong = (problem: string, cause?: unknown) =>
    new SmoothClirError("metadata", `${String(list)}: ${problem}`, causedBy(cause));
  const { format, kind, version, segments } = (parseJson(bytes, wrong) ?? {}) as Record<string, unknown>;
  if (format !== "smooth-clir" || kind !== "segments") throw wrong("not a list of segments");
  if (version !== 1) throw wrong(`version ${String(version)} is not supported, expected 1`);
  if (!Array.isArray(segments)) throw wrong("`segments` is missing");
  return segments.map((segment: unknown) => {
    const { name } = (segment ?? {}) as { name?: unknown };
    if (typeof name !== "string" || !/^segment\.\d+$/.test(name)) throw wrong(`invalid name of a segment: \`${String(name)}\``);
    // The query of the list's own URL is kept: a site may sign its URLs.
    return String(list).replace(/segments\.json(?=[?#]|$)/, `${name}/index.safetensors`);
  });
}
