import { HASHED_BYTES, HEADER_BYTES } from "../limits.js";
import { sha256 } from "./sha256.js";

/** A file states its own digest in its header; the core looks for the same. */
const STATED = /"digest":"[0-9a-f]{64}"/;
const DIGITS = 64;
/** A file begins with the length of its header. */
const LENGTH_BYTES = 8;

/**
 * The digest of the bytes of a model or an index with those 64 digits as zeros that state it: the core compares the two. The
 * browser computes it many times as fast as WebAssembly can, and on another thread. All zeros where the file states none, where
 * the browser has no digests, on a page that came by http, and for a file so large that its copy would be a burden: the core
 * computes it itself then. @internal
 */
export async function ownDigest(bytes: Uint8Array): Promise<Uint8Array> {
  const unknown = new Uint8Array(32);
  if (bytes.length < LENGTH_BYTES || bytes.length > HASHED_BYTES) return unknown;
  const length = Math.min(new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true), HEADER_BYTES);
  // Each byte is one character.
  const header = new TextDecoder("latin1").decode(bytes.subarray(LENGTH_BYTES, LENGTH_BYTES + length));
  const stated = STATED.exec(header);
  if (!stated) return unknown;
  const end = LENGTH_BYTES + stated.index + stated[0].length - 1;
  const blank = bytes.slice();
  blank.fill("0".charCodeAt(0), end - DIGITS, end);
  return (await sha256(blank)) ?? unknown;
}
