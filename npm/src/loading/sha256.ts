/** The SHA-256 of bytes; undefined where the browser has no digests, on a page that came by http. @internal */
export async function sha256(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  const digest = await globalThis.crypto?.subtle?.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return digest && new Uint8Array(digest);
}
