/** Whether this device keeps all of these files for visits without a network. */
export async function areKept(files: readonly URL[]): Promise<boolean> {
  // Pages that came by http have no caches.
  if (!("caches" in globalThis)) return false;
  try {
    const kept = await Promise.all(files.map((file) => caches.match(file, { ignoreSearch: true, ignoreVary: true })));
    return kept.every((answer) => answer !== undefined);
  } catch {
    return false;
  }
}
