import type { SmoothClirError } from "./errors.js";

/** What the bytes of a JSON file say; `wrong` makes the error where they are none. @internal */
export function parseJson(bytes: Uint8Array, wrong: (problem: string, cause?: unknown) => SmoothClirError): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw wrong("not JSON", cause);
  }
}
