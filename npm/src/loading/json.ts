import type { SmoothClirError } from "../errors.js";

/** Parses the bytes of a JSON file; `wrong` makes the error if they are not JSON. @internal */
export function parseJson(bytes: Uint8Array, wrong: (problem: string, cause?: unknown) => SmoothClirError): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw wrong("not JSON", cause);
  }
}
