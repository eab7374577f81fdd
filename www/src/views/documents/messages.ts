import type { ReadDocument } from "smooth-clir/documents";
import type { Kind } from "./kinds";

/** A file for the worker to read. */
export interface Order {
  file: Blob;
  path: string;
  kind: Exclude<Kind, "saved">;
  /** The languages to choose from where a document does not state its own. */
  languages: readonly string[];
  /** The language that a person chose for all documents of the file; "" leaves it to their words. */
  language: string;
}

/** A document with its language. */
export interface OwnDocument extends ReadDocument {
  language: string;
}

/** Why a file is not read: a code, and what a sentence about it needs. */
export interface Problem {
  code: string;
  line?: number | undefined;
  record?: number | undefined;
  values?: readonly string[] | undefined;
}

/** How far the worker is in a file, in bytes or pages. */
export interface Progress {
  done: number;
  all: number;
  unit: "bytes" | "pages";
}

/** What the worker tells of a file; `end` and `problem` are the last of it. */
export type Report =
  | { progress: Progress }
  | { documents: OwnDocument[] }
  | { end: { bytes: number; withoutText: number; pagesWithoutText: number } }
  | { problem: Problem };

/** A refusal with what a sentence about it needs. */
export class Refused extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.code);
    this.problem = problem;
  }
}
