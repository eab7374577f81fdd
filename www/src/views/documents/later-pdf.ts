// Reads the text of PDFs. In a worker of our own pdf.js needs no further one.
import { getDocument, VerbosityLevel } from "pdfjs-dist/build/pdf.mjs";
import type { TextContent, TextItem } from "pdfjs-dist/types/src/display/api";
import { Refused } from "./messages";

/** Loads the part of pdf.js that parses. Where there is no `window` it would answer this worker's own messages. */
async function loadParser(): Promise<void> {
  const scope = globalThis as { window?: unknown };
  scope.window = globalThis;
  try {
    await import("./later-pdf-worker");
  } finally {
    delete scope.window;
  }
}

/** A gap between lines, in heights of letters, that ends a paragraph. */
const PARAGRAPH_GAP = 1.6;

/** The dots of a table of contents. */
const LEADERS = /(?:\s*\.){5,}\s*/g;

export interface PdfText {
  /** As its metadata say; often empty. */
  title: string;
  /** The paragraphs of each page; none of one without text, such as a scanned one. */
  pages: string[][];
}

/** The text of a PDF. */
export async function readPdf(bytes: Uint8Array, onPage: (done: number, all: number) => void): Promise<PdfText> {
  await loadParser();
  const loading = getDocument({
    data: bytes,
    disableFontFace: true,
    isOffscreenCanvasSupported: false,
    useSystemFonts: false,
    useWasm: false,
    useWorkerFetch: false,
    verbosity: VerbosityLevel.ERRORS,
  });
  try {
    const pdf = await loading.promise;
    const pages: string[][] = [];
    for (let number = 1; number <= pdf.numPages; number++) {
      onPage(number, pdf.numPages);
      const page = await pdf.getPage(number);
      pages.push(paragraphsOf(await page.getTextContent()));
      page.cleanup();
    }
    if (pages.every((paragraphs) => paragraphs.length === 0)) throw new Refused({ code: "scanned", values: [String(pdf.numPages)] });
    const { info } = await pdf.getMetadata();
    const { Title: title } = info as { Title?: unknown };
    return { title: typeof title === "string" ? title.trim() : "", pages };
  } catch (error) {
    if (error instanceof Refused) throw error;
    const { name, message } = error as Error;
    if (name === "PasswordException") throw new Refused({ code: "encrypted" });
    throw new Refused({ code: "broken-pdf", values: [message] });
  } finally {
    await loading.destroy();
  }
}

/** The paragraphs of a page: lines with no large gap between them, of which hyphenated words are put together. */
function paragraphsOf({ items }: TextContent): string[] {
  const paragraphs: string[] = [];
  let [line, paragraph] = ["", ""];
  let below: number | undefined;
  const endLine = () => {
    const text = line.replace(LEADERS, " … ").replace(/\s+/g, " ").trim();
    line = "";
    if (text === "") return;
    if (/\p{L}[-\u00ad\u2010]$/u.test(paragraph) && /^\p{Ll}/u.test(text)) paragraph = paragraph.slice(0, -1) + text;
    else paragraph += paragraph === "" ? text : ` ${text}`;
  };
  const endParagraph = () => {
    endLine();
    if (paragraph !== "") paragraphs.push(paragraph);
    paragraph = "";
  };
  for (const item of items as TextItem[]) {
    if (typeof item.str !== "string") continue;
    const [height, y] = [item.height || Math.abs(item.transform[3] as number), item.transform[5] as number];
    if (item.str.trim() !== "") {
      if (below !== undefined && Math.abs(below - y) > height * PARAGRAPH_GAP) endParagraph();
      else if (below !== undefined && Math.abs(below - y) > height / 2) endLine();
      below = y;
    }
    line += item.str;
    if (item.hasEOL) endLine();
  }
  endParagraph();
  return paragraphs;
}
