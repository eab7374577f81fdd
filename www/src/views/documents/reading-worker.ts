// Reads files, one order at a time. To cancel, the worker is ended.
import { DocumentReader, type ByteSource, type DocumentFormat, type ReadDocument } from "smooth-clir/documents";
import { bytesOf } from "./bytes";
import { ALL_CHARACTERS, WHOLE_BYTES } from "./limits";
import { Refused, type Order, type OwnDocument, type Problem, type Report } from "./messages";

/** Documents by which the language of a file is told. */
const SAMPLE = 40;
/** Characters of a document by which its language is told. */
const SAMPLE_CHARACTERS = 400;
/** Characters from which on a record tells its language for itself. */
const OWN_CHARACTERS = 40;
/** The share of records in one language from which on all of the file's are. */
const ALMOST_ALL = 0.95;
/** Documents in one report. */
const BATCH = 500;

// A worker's scope, of which the page's types know nothing.
const scope = globalThis as unknown as { postMessage(report: Report): void; onmessage: (event: MessageEvent<Order>) => void };
declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

scope.onmessage = ({ data }) => {
  read(data).then(
    (end) => scope.postMessage({ end }),
    (error: unknown) => scope.postMessage({ problem: toProblem(error) }),
  );
};

async function read(order: Order): Promise<{ bytes: number; withoutText: number; pagesWithoutText: number }> {
  const { file, path, kind } = order;
  const [reader, { languageOf }] = await Promise.all([DocumentReader.load(), import("../../model/later-languages")]);
  const isTable = kind === "csv" || kind === "tsv" || kind === "json" || kind === "paragraphs";
  const taker = new Taker(order, languageOf, isTable);
  const take = (document: ReadDocument) => taker.take(document);
  let [withoutText, pagesWithoutText] = [0, 0];
  if (kind === "pdf") {
    const { readPdf } = await import("./later-pdf");
    const pdf = await readPdf(await whole(file), (done, all) => scope.postMessage({ progress: { done, all, unit: "pages" } }));
    const title = pdf.title || path.replace(/^.*\//, "").replace(/\.[^.]*$/, "");
    for (const [at, paragraphs] of pdf.pages.entries()) {
      if (paragraphs.length === 0) {
        pagesWithoutText += 1;
        continue;
      }
      let number = 0;
      const ofPage = { name: path, title: `${title}, p. ${at + 1}`, paragraphs: paragraphs.map((text) => ({ text })) };
      reader.cut(ofPage, (passage) => {
        number += 1;
        // The fragment is one that viewers of PDF understand.
        take({ ...passage, id: `${path}#page=${at + 1}${number === 1 ? "" : `&passage=${number}`}` });
      });
    }
  } else if (kind === "docx") {
    const { docxToHtml } = await import("./later-docx");
    const html = new TextEncoder().encode(await docxToHtml(await whole(file)));
    reader.read({ name: path, format: "html", bytes: html }, take);
  } else {
    const bytes = kind === "paragraphs" ? await paragraphs(file) : source(file);
    const format: DocumentFormat = kind === "paragraphs" ? "json" : kind;
    ({ withoutText } = reader.read({ name: path, format, bytes }, take));
  }
  taker.end();
  return { bytes: taker.bytes, withoutText, pagesWithoutText };
}

/** The bytes of a file as they are needed. */
function source(file: Blob): ByteSource {
  const reader = new FileReaderSync();
  return {
    length: file.size,
    read(start, end) {
      scope.postMessage({ progress: { done: start, all: file.size, unit: "bytes" } });
      return new Uint8Array(reader.readAsArrayBuffer(file.slice(start, end)));
    },
  };
}

async function whole(file: Blob): Promise<Uint8Array> {
  if (file.size > WHOLE_BYTES) throw new Refused({ code: "file-too-long", values: [String(WHOLE_BYTES)] });
  return new Uint8Array(await file.arrayBuffer());
}

/** The paragraphs of a text as records. */
async function paragraphs(file: Blob): Promise<Uint8Array> {
  const records = (await file.text()).split(/\r?\n[^\S\n]*\r?\n/).map((text) => ({ text: text.trim() }));
  return new TextEncoder().encode(JSON.stringify(records));
}

type LanguageOf = (text: string, languages: readonly string[]) => { language: string; other?: string };

/** Tells the language of documents that do not state it, and hands them on in batches. */
class Taker {
  readonly #order: Order;
  readonly #languageOf: LanguageOf;
  /** Whether each document is told by itself, as in a table whose records are in several languages. */
  readonly #isTable: boolean;
  /** Documents that wait until the language of the file is told. */
  #waiting: ReadDocument[] | undefined = [];
  #language = "";
  #isMixed = false;
  #batch: OwnDocument[] = [];
  #bytes = 0;
  #characters = 0;

  constructor(order: Order, languageOf: LanguageOf, isTable: boolean) {
    this.#order = order;
    this.#languageOf = languageOf;
    this.#isTable = isTable;
  }

  /** Bytes of the documents in UTF-8. */
  get bytes(): number {
    return this.#bytes;
  }

  take(document: ReadDocument): void {
    this.#bytes += bytesOf(document.title) + bytesOf(document.text);
    this.#characters += document.text.length;
    if (this.#characters > ALL_CHARACTERS) throw new Refused({ code: "too-much", values: [String(ALL_CHARACTERS)] });
    if (!this.#waiting) return this.#give(document);
    this.#waiting.push(document);
    if (this.#waiting.length >= SAMPLE) this.#tell();
  }

  end(): void {
    this.#tell();
    this.#send();
  }

  /** Tells the language of the file by the documents so far. */
  #tell(): void {
    const waiting = this.#waiting;
    if (!waiting) return;
    this.#waiting = undefined;
    const { language, languages } = this.#order;
    const unstated = waiting.filter((document) => this.#stated(document) === undefined);
    if (language !== "") this.#language = language;
    else if (unstated.length > 0) {
      const samples = unstated.map(({ text }) => text.slice(0, SAMPLE_CHARACTERS));
      const found = this.#languageOf(samples.join("\n"), languages);
      this.#language = found.language;
      if (this.#isTable) {
        const own = samples.filter((text) => text.length >= OWN_CHARACTERS).map((text) => this.#languageOf(text, languages).language);
        const agreeing = own.filter((language) => language === found.language).length;
        this.#isMixed = agreeing < own.length * ALMOST_ALL;
      }
      if (found.other !== undefined && !this.#isMixed) throw new Refused({ code: "other-language", values: [found.other] });
    }
    for (const document of waiting) this.#give(document);
  }

  /** The language of a document that states or was given one. */
  #stated({ language }: ReadDocument): string | undefined {
    const { language: chosen, languages } = this.#order;
    if (chosen !== "") return chosen;
    if (language !== undefined && !languages.includes(language)) throw new Refused({ code: "other-language", values: [language] });
    return language;
  }

  #give(document: ReadDocument): void {
    let language = this.#stated(document);
    if (language === undefined && this.#isMixed && document.text.length >= OWN_CHARACTERS) {
      ({ language } = this.#languageOf(document.text.slice(0, SAMPLE_CHARACTERS), this.#order.languages));
    }
    this.#batch.push({ ...document, language: language ?? this.#language });
    if (this.#batch.length >= BATCH) this.#send();
  }

  #send(): void {
    if (this.#batch.length > 0) scope.postMessage({ documents: this.#batch });
    this.#batch = [];
  }
}

function toProblem(error: unknown): Problem {
  if (error instanceof Refused) return error.problem;
  const { code, line, record, values, message } = error as Partial<Problem> & Error;
  return code === undefined ? { code: "unknown", values: [message] } : { code, line, record, values: values ?? [message] };
}
