import type { DocumentFormat } from "smooth-clir/documents";

/** The kinds of files that are read; `saved` is an index file that this page saved. */
export type Kind = DocumentFormat | "paragraphs" | "pdf" | "docx" | "saved";

/** Why the first bytes of a file say that it is not read. */
export type WrongType = "wrong-type" | "binary" | "utf16" | "old-word";

const ENDINGS: Readonly<Record<string, Kind>> = {
  pdf: "pdf",
  docx: "docx",
  safetensors: "saved",
  md: "markdown",
  markdown: "markdown",
  html: "html",
  htm: "html",
  xhtml: "html",
  csv: "csv",
  tsv: "tsv",
  tab: "tsv",
  json: "json",
  jsonl: "json",
  ndjson: "json",
  ...Object.fromEntries(["txt", "text", "log", "rst", "adoc", "org", "tex", "srt", "vtt"].map((ending) => [ending, "text"] as const)),
};

/** The kinds that a choice of files offers. */
export const ACCEPTED: string = Object.keys(ENDINGS)
  .map((ending) => `.${ending}`)
  .join();

/** Bytes that tell the type of a file. */
export const HEAD_BYTES = 4096;

/** The kind of a file: by its name, unless its first bytes are those of a PDF. */
export function kindOf(path: string, head: Uint8Array): Kind | WrongType {
  const ending = /\.([^./]*)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  const named = Object.hasOwn(ENDINGS, ending) ? ENDINGS[ending] : undefined;
  if (named === "saved") return named;
  if (begins(head, "%PDF-")) return "pdf";
  if (begins(head, "\xd0\xcf\x11\xe0")) return "old-word";
  if (named === "pdf" || named === "docx") return named;
  if (named === undefined) return "wrong-type";
  if (begins(head, "\xff\xfe") || begins(head, "\xfe\xff")) return "utf16";
  return head.includes(0) ? "binary" : named;
}

const begins = (bytes: Uint8Array, start: string) => [...start].every((letter, at) => bytes[at] === letter.charCodeAt(0));
