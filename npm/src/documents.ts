/**
 * Reads documents of people and sites as `smooth-clir index` reads them: Markdown, HTML, text, CSV, tab-separated lines and
 * JSON become titles and passages, to be given to `addUserDocuments`.
 *
 * ```js
 * import { DocumentReader } from "smooth-clir/documents";
 *
 * const reader = await DocumentReader.load();
 * const documents = [];
 * reader.read({ name: "notes.md", bytes }, (document) => documents.push(document));
 * await engine.addUserDocuments(documents, { language: "fr" });
 * ```
 *
 * @packageDocumentation
 */
import { checkArray, checkFunction, checkGiven, checkInteger, checkNoOthers, checkObject, checkReadable, checkString, checkWord, U32_MAX } from "./arguments.js";
import * as raw from "./documents/smooth_clir_documents.js";
import { messageOf, SmoothClirError } from "./errors.js";
import { PAGE_BYTES } from "./limits.js";
import { Module } from "./loading/module.js";

/** The formats that are read. */
export const DOCUMENT_FORMATS = ["markdown", "html", "text", "csv", "tsv", "json"] as const;
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];

/** A passage of a page or a text, or a record of a table. */
export interface ReadDocument {
  /**
   * Begins with the file's name; unique in it. A further passage with the same address has a number at its end, such as
   * `rain.html#wind (2)`, which is no part of the address.
   */
  id: string;
  title: string;
  /** The heading that its text stands under; empty where there is none. */
  section: string;
  text: string;
  /** The language that the page or the record states, as in `fr`; undefined where it states none. */
  language: string | undefined;
}

/** The bytes of a file that need not be in memory as a whole. */
export interface ByteSource {
  readonly length: number;
  /** The bytes from `start` to before `end`, fewer only at the file's end. */
  read(start: number, end: number): Uint8Array;
}

/** A file to read. */
export interface DocumentFile {
  /** Its name or path, with which the ids of its documents begin. */
  name: string;
  /** By default told by the name: see {@link formatOf}. */
  format?: DocumentFormat | undefined;
  bytes: Uint8Array | ByteSource;
}

/** A paragraph of a document in another format. */
export interface Paragraph {
  text: string;
  /**
   * The fragment of an address that leads to it, such as `page=3`: the ids of passages whose words are mostly here have it,
   * except where the document begins with it.
   */
  fragment?: string | undefined;
}

/** Options of reading. */
export interface ReadingOptions {
  /** The most words of a passage of a page or a text; 200 by default. */
  words?: number | undefined;
}

/**
 * Why a file is refused. `code` is one of:
 *
 * | code | cause |
 * |---|---|
 * | `empty` | there is no text in it |
 * | `not-utf8` | a line is not UTF-8 |
 * | `too-long`, `page-too-long` | a line, a paragraph, a record or a page has more than 16 MiB |
 * | `page-limit` | a page would cost far more than its length: see `docs/limits.md` |
 * | `columns` | a table without a header has more than three columns |
 * | `no-text-column` | a header names no column `text` |
 * | `other-columns` | a record has other columns than the first |
 * | `not-json`, `not-object`, `not-text` | JSON that is broken, or a value that is no object with a text |
 * | `unreadable` | the bytes cannot be read |
 * | `document` | anything else |
 * | `unknown-format` | the format cannot be told by the name |
 */
export class DocumentError extends SmoothClirError {
  /** The line, from 1. */
  readonly line: number | undefined;
  /** The record of JSON, from 1. */
  readonly record: number | undefined;
  /** What was found and what was expected, in the order of the message. */
  readonly values: readonly string[];

  /** @internal */
  constructor(code: string, message: string, { line, record, values = [] }: Partial<Pick<DocumentError, "line" | "record" | "values">> = {}) {
    super(code, message);
    this.line = line;
    this.record = record;
    this.values = values;
  }
}

const ENDINGS: Readonly<Record<string, DocumentFormat>> = {
  md: "markdown",
  markdown: "markdown",
  html: "html",
  htm: "html",
  xhtml: "html",
  txt: "text",
  text: "text",
  csv: "csv",
  tsv: "tsv",
  tab: "tsv",
  json: "json",
  jsonl: "json",
  ndjson: "json",
};

/** The format of a file by the ending of its name; undefined where it is none of these. */
export function formatOf(name: string): DocumentFormat | undefined {
  const ending = /\.([^./\\]*)$/.exec(name)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(ENDINGS, ending) ? ENDINGS[ending] : undefined;
}

/** Reads documents. Calls are synchronous: give large files to it in a worker. */
export class DocumentReader {
  private constructor() {}

  /** Loads the module of the readers, once; after a trap, such as a lack of memory, another instance of it. */
  static async load(): Promise<DocumentReader> {
    await readersModule.start();
    return (reader ??= new DocumentReader());
  }

  /**
   * Reads a file, and calls `take` with each of its documents in order. A text, a table and JSON can be of any length, and
   * their `bytes` are read in pieces; a page of Markdown or HTML has 16 MiB at most.
   *
   * @returns the number of records without a text, which are left out.
   * @throws {DocumentError} where the file cannot be read: documents that were taken before are valid. What `take` throws.
   */
  read(file: DocumentFile, take: (document: ReadDocument) => void, options: ReadingOptions = {}): { withoutText: number } {
    checkObject("file", file);
    checkString("file.name", file.name);
    if (file.format !== undefined) checkWord("file.format", file.format, DOCUMENT_FORMATS);
    checkReadable("file.bytes", file.bytes);
    checkFunction("take", take);
    const words = wordsOf(options);
    const { name, format = formatOf(name) } = file;
    const source = toSource(file.bytes);
    const bytes = (start: number, end: number) => source.read(start, Math.min(end, source.length));
    const withoutText = coded(() => {
      switch (format) {
        case "markdown":
        case "html":
          // One byte more than the limit is enough to refuse it.
          return void raw.readPage(name, format === "html" ? "html" : "md", bytes(0, PAGE_BYTES + 1), words, taker(take));
        case "text":
          return void raw.readText(name, bytes, words, taker(take));
        case "csv":
        case "tsv":
          return raw.readTable(name, format, bytes, taker(take));
        case "json":
          return raw.readObjects(name, bytes, taker(take));
        default:
          throw new DocumentError("unknown-format", `${name}: expected one of ${Object.keys(ENDINGS).join(", ")}`);
      }
    });
    return { withoutText: withoutText ?? 0 };
  }

  /** Cuts a document of another format, such as the text of a PDF, into passages. */
  cut(
    document: { name: string; title?: string | undefined; paragraphs: readonly Paragraph[] },
    take: (document: ReadDocument) => void,
    options: ReadingOptions = {},
  ): void {
    checkObject("document", document);
    const { name, title = "", paragraphs } = document;
    checkString("document.name", name);
    checkString("document.title", title);
    checkArray("document.paragraphs", paragraphs);
    paragraphs.forEach((paragraph, at) => {
      checkObject(`document.paragraphs[${at}]`, paragraph);
      checkString(`document.paragraphs[${at}].text`, paragraph.text);
      checkGiven(checkString, { [`document.paragraphs[${at}].fragment`]: paragraph.fragment });
    });
    checkFunction("take", take);
    const words = wordsOf(options);
    const [texts, fragments] = [paragraphs.map(({ text }) => text), paragraphs.map(({ fragment = "" }) => fragment)];
    coded(() => raw.cutDocument(name, title, texts, fragments, words, taker(take)));
  }
}

const readersModule = new Module(new URL("./documents/smooth_clir_documents_bg.wasm", import.meta.url), raw.renew, "part-failed");
let reader: DocumentReader | undefined;

const taker =
  (take: (document: ReadDocument) => void): raw.Take =>
  (id, title, section, text, language) =>
    take({ id, title, section, text, language });

/** The most words of a passage, if a number was chosen. */
function wordsOf(options: ReadingOptions | null): number | undefined {
  const { words, ...others } = options ?? {};
  checkNoOthers(others);
  checkGiven((name, value) => checkInteger(name, value, 1, U32_MAX), { words });
  return words;
}

function toSource(bytes: Uint8Array | ByteSource): ByteSource {
  if (!(bytes instanceof Uint8Array)) return bytes;
  return { length: bytes.length, read: (start, end) => bytes.subarray(start, end) };
}

/** Throws the module's refusals as errors of the package. */
function coded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof SmoothClirError || !(error instanceof Error) || !("values" in error)) throw error;
    const { code, line, record, values } = error as unknown as DocumentError;
    throw new DocumentError(code, messageOf(error), { line, record, values });
  }
}
