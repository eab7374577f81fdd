// What learning and texts of one's own take and give.

/** Where to take steps: `"auto"` is the graphics card where there is one, else WebAssembly. */
export type DeviceWish = "auto" | "webgpu" | "wasm";

/** How far a lesson is. */
export interface LearnProgress {
  /** The step that was taken, from 1. */
  step: number;
  /** How many there are at most. */
  steps: number;
  /** The marks' mean loss before it (paper 1, eq. 2). */
  loss: number;
}

/** What a change of the model did to the documents. */
export interface Reencoded {
  /** Documents that were encoded again: those with a word that changed. */
  documents: number;
  /** Documents that could not be, because their texts are not here: they keep their vectors until they are shown. */
  unseen: number;
}

/** Where steps are taken. */
export interface Device {
  kind: "webgpu" | "wasm";
  /** The graphics card as its driver names it, or "WebAssembly". */
  name: string;
  /** Why here, for people. */
  reason: string;
}

/** What a lesson did. */
export interface Learned extends Reencoded {
  /** Where its steps were taken. */
  device: Device;
  /** How many marks it learned from; of several on the same query and document the last counted. */
  marks: number;
  /** How many words' rows it moved. */
  rows: number;
  /** The marks' mean loss before each step that was taken. It ends early once that is 0. */
  losses: number[];
}

/** A model that learned, as a file. */
export interface Exported {
  /** A whole model file, in the precision of the one that was loaded; index documents with it anew. */
  bytes: Uint8Array;
  /** The largest difference between a number that was learned and the file's: 0 for 32-bit files. */
  largestError: number;
  /** The root of the mean square of these differences. */
  meanError: number;
}

/** A document as its text, to be encoded here. */
export interface Text {
  /** Its name, unlike that of any other document in its language. */
  id: string;
  /** Shown, not encoded; none where left out. */
  title?: string | undefined;
  text: string;
  /** What it can be chosen by. */
  fields?: Readonly<Record<string, string | readonly string[]>> | undefined;
}

/** A document of an index file. */
export interface IndexedText extends Text {
  title: string;
  language: string;
  fields: Record<string, string[]>;
}

/** How far documents are that are being encoded. */
export interface TextsProgress {
  /** Documents so far. */
  done: number;
  /** Documents in all. */
  documents: number;
}

/** Documents that were encoded here. */
export interface TextsAdded {
  documents: number;
  /** Documents without a word that the model knows: no search finds them. */
  unknown: number;
  /** Of each document, how many of its words the model knows. */
  knownWords: Uint32Array;
  /** Of each document, how many words it has. */
  words: Uint32Array;
}
