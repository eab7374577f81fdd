import { DOCX_BYTES, DOCX_ENTRIES } from "./limits";
import { Refused } from "./messages";

/** An entry of a zip archive's directory. */
interface Entry {
  name: string;
  method: number;
  flags: number;
  checksum: number;
  /** Bytes in the archive. */
  stored: number;
  /** Bytes once decompressed, as the directory says. */
  size: number;
  /** The place of its local header. */
  place: number;
}

const [STORED, DEFLATED] = [0, 8];
const broken = () => new Refused({ code: "broken-docx" });

/**
 * The parts of a DOCX that have text, as an archive that is not compressed. The sizes in the directory are checked before
 * anything is decompressed, and hold while it is: no archive takes much more memory than the limit.
 */
export async function unpacked(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const entries = directory(bytes);
  const parts = entries.filter(({ name }) => /\.(xml|rels)$/.test(name));
  if (!parts.some(({ name }) => name === "word/document.xml")) throw new Refused({ code: "not-word" });
  if (parts.some(({ flags }) => flags & 1)) throw new Refused({ code: "encrypted" });
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  if (size > DOCX_BYTES) throw new Refused({ code: "zip-bomb", values: [String(size), String(DOCX_BYTES)] });
  const contents: Uint8Array[] = [];
  for (const part of parts) contents.push(await decompressed(bytes, part));
  return archive(parts.map((part, at) => ({ ...part, content: contents[at]! })));
}

function directory(bytes: Uint8Array): Entry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  // The end of the directory, before a comment of 65,535 bytes at most.
  let end = bytes.length - 22;
  while (end >= 0 && end > bytes.length - 65_558 && view.getUint32(end, true) !== 0x06054b50) end -= 1;
  if (end < 0 || view.getUint32(end, true) !== 0x06054b50) throw broken();
  const count = view.getUint16(end + 10, true);
  if (count > DOCX_ENTRIES) throw new Refused({ code: "zip-bomb", values: [String(count), String(DOCX_ENTRIES)] });
  let at = view.getUint32(end + 16, true);
  const entries: Entry[] = [];
  const decoder = new TextDecoder();
  try {
    for (let number = 0; number < count; number++) {
      if (view.getUint32(at, true) !== 0x02014b50) throw broken();
      const [name, extra, comment] = [view.getUint16(at + 28, true), view.getUint16(at + 30, true), view.getUint16(at + 32, true)];
      entries.push({
        flags: view.getUint16(at + 8, true),
        method: view.getUint16(at + 10, true),
        checksum: view.getUint32(at + 16, true),
        stored: view.getUint32(at + 20, true),
        size: view.getUint32(at + 24, true),
        place: view.getUint32(at + 42, true),
        name: decoder.decode(bytes.subarray(at + 46, at + 46 + name)),
      });
      at += 46 + name + extra + comment;
    }
  } catch {
    // A place behind the end.
    throw broken();
  }
  return entries;
}

/** The content of an entry; one that becomes longer than its directory says is refused. */
async function decompressed(bytes: Uint8Array, { method, stored, size, place }: Entry): Promise<Uint8Array> {
  if (place + 30 > bytes.length) throw broken();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = place + 30 + view.getUint16(place + 26, true) + view.getUint16(place + 28, true);
  const content = bytes.subarray(start, start + stored);
  if (method === STORED) return content;
  if (method !== DEFLATED) throw broken();
  const whole = new Uint8Array(size);
  let length = 0;
  const reader = new Blob([content as BlobPart]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (length + value.length > size) throw new Refused({ code: "zip-bomb", values: [String(length + value.length), String(size)] });
      whole.set(value, length);
      length += value.length;
    }
  } catch (error) {
    throw error instanceof Refused ? error : broken();
  } finally {
    await reader.cancel().catch(() => {});
  }
  if (length !== size) throw broken();
  return whole;
}

/** An archive of these contents, not compressed. */
function archive(parts: readonly (Entry & { content: Uint8Array })[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const names = parts.map(({ name }) => encoder.encode(name));
  const length = parts.reduce((sum, { content }, at) => sum + content.length + 76 + 2 * names[at]!.length, 22);
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  let at = 0;
  const put32 = (value: number) => {
    view.setUint32(at, value, true);
    at += 4;
  };
  const put16 = (...values: number[]) => {
    for (const value of values) {
      view.setUint16(at, value, true);
      at += 2;
    }
  };
  const putBytes = (value: Uint8Array) => {
    bytes.set(value, at);
    at += value.length;
  };
  /** The fields that a local header and the directory share: from the version to the length of the extra field. */
  const putCommon = ({ checksum, content }: (typeof parts)[number], name: Uint8Array) => {
    put16(20, 1 << 11, STORED, 0, 0);
    put32(checksum);
    put32(content.length);
    put32(content.length);
    put16(name.length, 0);
  };
  const places = parts.map((part, number) => {
    const place = at;
    put32(0x04034b50);
    putCommon(part, names[number]!);
    putBytes(names[number]!);
    putBytes(part.content);
    return place;
  });
  const start = at;
  for (const [number, part] of parts.entries()) {
    put32(0x02014b50);
    put16(20);
    putCommon(part, names[number]!);
    put16(0, 0, 0);
    put32(0);
    put32(places[number]!);
    putBytes(names[number]!);
  }
  const size = at - start;
  put32(0x06054b50);
  put16(0, 0, parts.length, parts.length);
  put32(size);
  put32(start);
  put16(0);
  return bytes;
}
