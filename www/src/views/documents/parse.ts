import type { UserDocument } from "smooth-clir";
import * as format from "../../ui/format";
import { strings } from "../../i18n/strings";
import { text } from "./strings";

/** The format of a source. */
export type Kind = "whole" | "paragraphs" | "tsv" | "json" | "jsonl";

/** A text with a name, in one or in pieces. */
export interface Source {
  name: string;
  /** The title where the whole is one document; the beginning of the text where left out. */
  title?: string;
  texts: Iterable<string> | AsyncIterable<string>;
  /** Ends the reading. */
  signal: AbortSignal;
}

/** Characters of one document, and of all that are added at once. */
export const TEXT_MOST = 1_000_000;
export const ALL_MOST = 200_000_000;
/** JSON is read as a whole. */
const JSON_MOST = 50_000_000;
const TITLE_MOST = 60;
/** Characters that are read at once. */
const PIECE = 1 << 15;
/** Milliseconds of reading after which the page may draw. */
const TURN_MS = 10;

/** A problem of a source: its place, and what was found there. */
export class Problem extends Error {
  constructor(source: string, where: string | undefined, what: string) {
    super(text.problem(source, where, what));
  }
}

/** The documents of a source. `taken` holds the ids in use; those of the source are added to it. */
export async function parse(source: Source, kind: Kind, taken: Set<string>): Promise<UserDocument[]> {
  const reader = new Reader(source.name);
  await READERS[kind](source, reader);
  if (reader.texts.length === 0) throw new Problem(source.name, undefined, text.problems.empty);
  reserve(reader.texts, taken, (at, id) => reader.problem(reader.places[at], text.problems.taken(id)));
  return reader.texts;
}

/** Takes the ids of all these documents, or none of them. */
export function reserve(texts: readonly UserDocument[], taken: Set<string>, problem: (at: number, id: string) => Problem): void {
  const ids = new Set<string>();
  for (const [at, { id }] of texts.entries()) {
    if (taken.has(id) || ids.has(id)) throw problem(at, format.short(id));
    ids.add(id);
  }
  for (const id of ids) taken.add(id);
}

/** The format of a file by its name; undefined for a file that is no text. */
export function kindOf(name: string): Kind | undefined {
  const ending = /\.([^./]*)$/.exec(name)?.[1]?.toLowerCase();
  if (ending === "tsv" || ending === "tab") return "tsv";
  if (ending === "json") return "json";
  if (ending === "jsonl" || ending === "ndjson") return "jsonl";
  return ending === "csv" ? undefined : "whole";
}

/** A file's text as it comes; what is not UTF-8 becomes U+FFFD, which is refused later, where it can be named. */
export async function* decoded(file: Blob): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const reader = file.stream().getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      yield decoder.decode(value, { stream: !done });
      if (done) return;
    }
  } finally {
    await reader.cancel();
  }
}

/** Texts in small pieces, between which the page may answer to other things. */
async function* inTurns(texts: Source["texts"], signal: AbortSignal): AsyncGenerator<string> {
  let turn = performance.now();
  for await (const text of texts) {
    for (let at = 0; at < text.length; at += PIECE) {
      if (performance.now() - turn > TURN_MS) {
        await new Promise((resolve) => setTimeout(resolve));
        turn = performance.now();
      }
      signal.throwIfAborted();
      yield text.slice(at, at + PIECE);
    }
  }
}

/** Takes documents of one source in, and refuses what is none. */
class Reader {
  readonly texts: UserDocument[] = [];
  /** The place of each text; undefined where it is the whole source. */
  readonly places: (string | undefined)[] = [];
  readonly source: string;
  #length = 0;

  constructor(source: string) {
    this.source = source;
  }

  take({ id, title, text: content }: { id?: string; title?: string; text: string }, place: string | undefined): void {
    this.check(content, place);
    if (content.trim() === "") throw this.problem(place, text.problems.noText);
    this.#length += content.length;
    if (this.#length > ALL_MOST) throw this.problem(place, text.problems.tooMuch(format.count(ALL_MOST)));
    const number = this.texts.length + 1;
    this.texts.push({
      id: id || (place === undefined ? this.source : `${this.source} ${number}`),
      title: title || beginning(content),
      text: content,
    });
    this.places.push(place);
  }

  check(content: string, place: string | undefined): void {
    if (content.length > TEXT_MOST) throw this.problem(place, text.problems.tooLong(format.count(TEXT_MOST)));
    if (content.includes("\0")) throw this.problem(place, text.problems.notText);
    if (content.includes("\ufffd")) throw this.problem(place, text.problems.notUtf8);
  }

  problem(place: string | undefined, what: string): Problem {
    return new Problem(this.source, place, what);
  }
}

const READERS: Record<Kind, (source: Source, reader: Reader) => Promise<void>> = {
  async whole(source, reader) {
    const content = await joined(source, reader, TEXT_MOST);
    if (content.trim() !== "") reader.take({ title: source.title ?? "", text: content.trim() }, undefined);
  },

  async paragraphs(source, reader) {
    const content = await joined(source, reader, ALL_MOST);
    const paragraphs = content.split(/\r?\n[^\S\n]*\r?\n/).map((paragraph) => paragraph.trim());
    for (const paragraph of paragraphs.filter((paragraph) => paragraph !== "")) {
      reader.take({ text: paragraph }, text.places.paragraph(format.count(reader.texts.length + 1)));
    }
  },

  async tsv(source, reader) {
    let columns: number | undefined;
    await eachLine(source, reader, (line, place) => {
      const cells = line.split("\t");
      columns ??= cells.length;
      if (columns < 2 || columns > 3) throw reader.problem(place, text.problems.columns(format.count(columns)));
      if (cells.length !== columns) throw reader.problem(place, text.problems.otherColumns(format.count(cells.length), format.count(columns)));
      const [content = "", title = "", id = ""] = cells.reverse();
      reader.take({ id, title, text: content }, place);
    });
  },

  async json(source, reader) {
    const content = await joined(source, reader, JSON_MOST);
    if (content.trim() === "") return;
    let value: unknown;
    try {
      value = JSON.parse(content);
    } catch (error) {
      // Many objects, one on each line.
      if (/^\s*\{.*\}\s*\r?\n/.test(content)) return READERS.jsonl({ ...source, texts: [content] }, reader);
      throw reader.problem(undefined, text.problems.notJson((error as Error).message));
    }
    for (const [at, item] of (Array.isArray(value) ? value : [value]).entries()) {
      takeObject(item, text.places.item(format.count(at + 1)), reader);
    }
  },

  async jsonl(source, reader) {
    await eachLine(source, reader, (line, place) => {
      let value: unknown;
      try {
        value = JSON.parse(line);
      } catch (error) {
        throw reader.problem(place, text.problems.notJson((error as Error).message));
      }
      takeObject(value, place, reader);
    });
  },
};

function takeObject(value: unknown, place: string, reader: Reader): void {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw reader.problem(place, text.problems.noObject(kindOfValue(value)));
  }
  const field = (name: string): string | undefined => {
    const found = (value as Record<string, unknown>)[name];
    if (found === undefined || found === null || typeof found === "string") return found ?? undefined;
    if (name === "id" && typeof found === "number") return String(found);
    throw reader.problem(place, text.problems.noString(name, kindOfValue(found)));
  };
  const content = field("text");
  if (content === undefined) {
    const keys = Object.keys(value).map((key) => format.short(key));
    throw reader.problem(place, text.problems.noTextKey(strings.words(keys.slice(0, 5))));
  }
  reader.take({ id: field("id") ?? "", title: field("title") ?? "", text: content }, place);
}

const kindOfValue = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

/** Calls `take` with each line that is not empty. */
async function eachLine({ texts, signal }: Source, reader: Reader, take: (line: string, place: string) => void): Promise<void> {
  let rest = "";
  let number = 0;
  const next = (line: string) => {
    const place = text.places.line(format.count(++number));
    reader.check(line, place);
    if (line.trim() !== "") take(line, place);
  };
  for await (const piece of inTurns(texts, signal)) {
    const lines = (rest + piece).split(/\r?\n/);
    rest = lines.pop()!;
    lines.forEach(next);
    // A line without an end is not waited for.
    if (rest.length > TEXT_MOST) next(rest);
  }
  next(rest);
}

async function joined({ texts, signal }: Source, reader: Reader, most: number): Promise<string> {
  let content = "";
  for await (const piece of inTurns(texts, signal)) {
    if (piece.includes("\0")) throw reader.problem(undefined, text.problems.notText);
    content += piece;
    if (content.length > most) throw reader.problem(undefined, text.problems.tooLong(format.count(most)));
  }
  const broken = content.indexOf("\ufffd");
  if (broken >= 0) {
    const line = content.slice(0, broken).split("\n").length;
    throw reader.problem(text.places.line(format.count(line)), text.problems.notUtf8);
  }
  return content;
}

/** The first words of a text, for want of a title. */
function beginning(content: string): string {
  const line = content.trimStart().slice(0, TITLE_MOST + 1).split("\n")[0]!;
  if (line.length <= TITLE_MOST) return line;
  return `${line.slice(0, TITLE_MOST).replace(/\s+\S*$/, "")}…`;
}
