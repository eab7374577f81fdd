import type { SmoothClir } from "smooth-clir";
import { bytesOf } from "./bytes";
import type { Found } from "./files";
import { HEAD_BYTES, kindOf, type Kind } from "./kinds";
import { ALL_CHARACTERS } from "./limits";
import { Refused, type Order, type OwnDocument, type Problem, type Progress, type Report } from "./messages";
import type { Source } from "./source";

/** A file that is not read, and why. */
export interface Refusal {
  path: string;
  problem: Problem;
}

export interface ReadFiles {
  sources: Source[];
  refused: Refusal[];
}

interface Options {
  /** The languages to choose from. */
  languages: readonly string[];
  /** The language of all documents; "" tells it by their words. */
  language: string;
  /** The kind of all files, by default told by their names and first bytes. */
  kind?: Kind;
  signal: AbortSignal;
  onFile(number: number): void;
  onProgress(number: number, progress: Progress): void;
}

/** Reads files in a worker. A file that is refused leaves the others alone. */
export async function readFiles(engine: SmoothClir, files: readonly Found[], options: Options): Promise<ReadFiles> {
  const { signal } = options;
  const worker = new FileWorker();
  const stop = () => worker.end();
  signal.addEventListener("abort", stop);
  const [sources, refused]: [Source[], Refusal[]] = [[], []];
  let characters = 0;
  try {
    for (const [at, { path, file }] of files.entries()) {
      signal.throwIfAborted();
      options.onFile(at + 1);
      try {
        const source = await readFile(engine, worker, { path, file }, options, (progress) => options.onProgress(at + 1, progress));
        characters += source.documents.reduce((sum, { text }) => sum + text.length, 0);
        if (characters > ALL_CHARACTERS) throw new Refused({ code: "too-much", values: [String(ALL_CHARACTERS)] });
        sources.push(source);
      } catch (error) {
        signal.throwIfAborted();
        refused.push({ path, problem: error instanceof Refused ? error.problem : { code: "unknown", values: [(error as Error).message] } });
      }
    }
  } finally {
    signal.removeEventListener("abort", stop);
    worker.end();
  }
  return { sources, refused };
}

async function readFile(
  engine: SmoothClir,
  worker: FileWorker,
  { path, file }: Found,
  { languages, language, ...options }: Options,
  onProgress: (progress: Progress) => void,
): Promise<Source> {
  if (file.size === 0) throw new Refused({ code: "empty" });
  let head: Uint8Array;
  try {
    head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  } catch {
    throw new Refused({ code: "unreadable" });
  }
  const kind = options.kind ?? kindOf(path, head);
  if (kind === "saved") return savedSource(engine, path, file, languages);
  if (kind === "wrong-type" || kind === "binary" || kind === "utf16" || kind === "old-word") throw new Refused({ code: kind });
  const read = await worker.read({ file, path, kind, languages, language }, onProgress);
  return { path, kind, ...read };
}

/** An index file: its texts are encoded anew, so that it may be of any model. */
async function savedSource(engine: SmoothClir, path: string, file: Blob, languages: readonly string[]): Promise<Source> {
  const documents = (await engine.documentsOf(new Uint8Array(await file.arrayBuffer()))).map(({ id, title, section, text, language }) => ({
    id: `${path}#${id}`,
    title,
    section,
    text,
    language,
  }));
  const other = documents.find(({ language }) => !languages.includes(language));
  if (other) throw new Refused({ code: "other-language", values: [other.language] });
  const bytes = documents.reduce((sum, { title, text }) => sum + bytesOf(title) + bytesOf(text), 0);
  return { path, kind: "saved", bytes, documents, withoutText: 0, pagesWithoutText: 0 };
}

/** The worker that reads, started for the first file. */
class FileWorker {
  #worker: Worker | undefined;
  #fail: ((problem: Problem) => void) | undefined;

  read(order: Order, onProgress: (progress: Progress) => void): Promise<Pick<Source, "bytes" | "documents" | "withoutText" | "pagesWithoutText">> {
    const worker = (this.#worker ??= new Worker(new URL("./reading-worker.ts", import.meta.url), { type: "module" }));
    const documents: OwnDocument[] = [];
    return new Promise((resolve, reject) => {
      this.#fail = (problem) => reject(new Refused(problem));
      worker.onerror = (event) => {
        event.preventDefault();
        // The next file gets another worker.
        this.end();
        reject(new Refused({ code: "worker-failed", values: [event.message ?? ""] }));
      };
      worker.onmessage = ({ data }: MessageEvent<Report>) => {
        if ("progress" in data) onProgress(data.progress);
        else if ("documents" in data) for (const document of data.documents) documents.push(document);
        else if ("problem" in data) reject(new Refused(data.problem));
        else if ("end" in data) resolve({ documents, ...data.end });
      };
      worker.postMessage(order);
    });
  }

  end(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#fail?.({ code: "stopped" });
  }
}
