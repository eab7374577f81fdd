// Files that are stored compressed, for hosts that compress nothing themselves.
import { SmoothClirError } from "../errors.js";
import type { LoadingOptions, Source } from "../types.js";
import { Arriving } from "./arriving.js";
import { checkBytes, mostBytes } from "./download.js";

/** The ending of a compressed file's name, before the query of a URL. */
const ENDING = /\.gz(?=[?#]|$)/i;

/** Whether a source is a compressed file by its name. @internal */
export const isGzip = (source: Source): boolean => !(source instanceof Uint8Array) && ENDING.test(String(source));

/** The name of a compressed file's content. @internal */
export const contentName = (file: string): string => file.replace(ENDING, "");

/**
 * The content of a compressed file. A host may have sent it decompressed, with the header `Content-Encoding`: bytes that do
 * not begin as gzip does are the content. @internal
 */
export async function unpack(bytes: Uint8Array, file: string, { maxBytes, signal }: LoadingOptions): Promise<Uint8Array> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  if (typeof DecompressionStream !== "function") {
    throw new SmoothClirError("gzip", `${file} cannot be decompressed: there is no DecompressionStream here`);
  }
  const most = mostBytes({ maxBytes });
  const content = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream("gzip"));
  const reader = content.getReader();
  const arriving = new Arriving();
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new SmoothClirError("gzip", `${file} is cut or damaged: its ${bytes.length} bytes are not a whole gzip file`, { cause });
      });
      if (done) return arriving.bytes();
      checkBytes(file, arriving.length + value.length, most);
      arriving.push(value);
    }
  } finally {
    void reader.cancel().catch(() => {});
  }
}
