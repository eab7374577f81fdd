// Reads the text of DOCX as HTML, which has its headings, lists and tables.
import mammoth from "mammoth/mammoth.browser.min.js";
import { Refused } from "./messages";
import { unpacked } from "./zip";

/** The text of a DOCX as HTML, without pictures. */
export async function docxToHtml(bytes: Uint8Array): Promise<string> {
  const { buffer: arrayBuffer } = await unpacked(bytes);
  try {
    const { value } = await mammoth.convertToHtml({ arrayBuffer });
    return value;
  } catch (error) {
    throw new Refused({ code: "broken-docx", values: [(error as Error).message] });
  }
}
