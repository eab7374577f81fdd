import * as format from "../../ui/format";
import type { Kind } from "./kinds";
import type { OwnDocument } from "./messages";
import { text } from "./strings";

/** Bytes from which on a size is given in megabytes. */
const MEGABYTE_FROM = 100_000;

/** A file, or a pasted text, with its documents. */
export interface Source {
  /** Its name or, in a folder, its path. Unique. */
  path: string;
  kind: Kind;
  /** Bytes of its texts in UTF-8. */
  bytes: number;
  documents: OwnDocument[];
  /** Records without a text, which were left out. */
  withoutText: number;
  /** Pages without text, such as scanned ones. */
  pagesWithoutText: number;
}

/** The words of a source's documents. */
export interface WordCounts {
  words: number;
  /** Those that the model knows. */
  known: number;
  /** Documents without a known word. */
  unknownDocuments: number;
}

/** The languages of a source's documents. */
export const languagesOf = ({ documents }: Source): string[] => [...new Set(documents.map(({ language }) => language))];

/** The source with all of its documents in a language. */
export const inLanguage = (source: Source, language: string): Source => ({
  ...source,
  documents: source.documents.map((document) => ({ ...document, language })),
});

/** Bytes as kilobytes, or as megabytes where they are many. */
export const sizeOf = (bytes: number): string =>
  text.size(bytes < MEGABYTE_FROM ? format.count(Math.ceil(bytes / 1000)) : undefined, format.megabytes(bytes));
