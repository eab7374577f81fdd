const encoder = new TextEncoder();
const buffer = new Uint8Array(1 << 16);
/** Characters whose UTF-8 fits in the buffer. */
const PIECE = buffer.length / 3;

/** The bytes of a text in UTF-8. */
export function bytesOf(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; ) {
    const { read, written } = encoder.encodeInto(text.slice(at, at + PIECE), buffer);
    at += read;
    bytes += written;
  }
  return bytes;
}
