// What a thread that reads documents with a teacher is given, and what it answers.
import type { Teacher } from "./teacher.js";

export interface WorkerData {
  /** The files of the model. */
  model: readonly Uint8Array[];
  teacher: Teacher;
  precision: string;
}

/** Documents to read. */
export interface ToWorker {
  chunk: number;
  languages: string[];
  texts: string[];
}

/** That a thread has read the teacher, that it has read documents, or why it cannot. */
export type FromWorker = { digest: string; dimension: number } | { chunk: number; vectors: Float32Array<ArrayBuffer> } | { error: string };
