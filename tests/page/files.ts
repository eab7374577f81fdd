// Files of the kinds that people add, written by hand.
import { crc32, deflateRawSync } from "node:zlib";

/** A file as Playwright gives it to an input. */
export const file = (name: string, content: string | Buffer) => ({
  name,
  mimeType: "application/octet-stream",
  buffer: Buffer.from(content),
});

/** A PDF of pages, each of which has lines of text; an empty page has none. `encrypted` needs a password that nobody knows. */
export function pdf(pages: readonly (readonly string[])[], { title = "", encrypted = false } = {}): Buffer {
  const objects: string[] = [];
  const add = (body: string) => objects.push(body);
  const first = 4;
  const kids = pages.map((_, at) => `${first + 2 * at} 0 R`).join(" ");
  add("<< /Type /Catalog /Pages 2 0 R >>");
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>");
  for (const [at, lines] of pages.entries()) {
    const shown = lines.map((line) => `(${line.replace(/[()\\]/g, "\\$&")}) Tj 0 -14 Td`).join("\n");
    const content = lines.length === 0 ? "" : `BT /F1 12 Tf 72 720 Td\n${shown}\nET`;
    add(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${first + 2 * at + 1} 0 R >>`);
    add(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
  }
  add(`<< /Title (${title}) >>`);
  const info = objects.length;
  const bytes = "00".repeat(32);
  if (encrypted) add(`<< /Filter /Standard /V 1 /R 2 /P -4 /O <${bytes}> /U <${bytes}> >>`);
  let text = "%PDF-1.4\n";
  const places = objects.map((body, at) => {
    const place = text.length;
    text += `${at + 1} 0 obj\n${body}\nendobj\n`;
    return place;
  });
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("")}`;
  const encrypt = encrypted ? `/Encrypt ${objects.length} 0 R /ID [<${bytes}> <${bytes}>]` : "";
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info ${info} 0 R ${encrypt} >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, "latin1");
}

/** A zip archive. `says` is the size that the directory gives in place of the real one. */
export function zip(entries: readonly { name: string; content: Buffer; says?: number }[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let place = 0;
  for (const { name, content, says = content.length } of entries) {
    const packed = deflateRawSync(content);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(says, 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), common, Buffer.from(name), packed]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(place, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00", "latin1"), common, rest, Buffer.from(name)]));
    parts.push(local);
    place += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(place, 16);
  return Buffer.concat([...parts, listed, end]);
}

const xml = (text: string) => Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${text}`);

/** The parts of a DOCX: a heading, and paragraphs. */
export const docxParts = (heading: string, paragraphs: readonly string[]) => [
  {
    name: "[Content_Types].xml",
    content: xml(
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    ),
  },
  {
    name: "_rels/.rels",
    content: xml(
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    ),
  },
  {
    name: "word/document.xml",
    content: xml(
      `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>${heading}</w:t></w:r></w:p>${paragraphs
        .map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`)
        .join("")}</w:body></w:document>`,
    ),
  },
];

export const docx = (heading: string, paragraphs: readonly string[]): Buffer => zip(docxParts(heading, paragraphs));
