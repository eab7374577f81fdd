import { SmoothClirError } from "smooth-clir";

/** An error: a stable code, and a message for people. */
export interface Failure {
  code: string;
  message: string;
}

export function toFailure(error: unknown): Failure {
  return {
    code: error instanceof SmoothClirError ? error.code : "unknown",
    message: error instanceof Error ? error.message : String(error),
  };
}

/** Whether the engine itself is gone, so that only another one helps. After a trap (`wasm-failed`) it loads itself anew. */
export function isBroken(error: unknown): boolean {
  return ["worker-failed", "closed"].includes(toFailure(error).code);
}

/** Failures to get a file, or of the engine; any other is of what a file holds. */
const ELSEWHERE = ["network", "http-status", "incomplete", "worker-failed", "wasm-failed", "part-failed", "closed", "unknown"];

/** Whether a file came that is not what it should be. */
export function isOfFile(error: unknown): boolean {
  return !ELSEWHERE.includes(toFailure(error).code);
}
