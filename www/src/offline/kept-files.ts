/** Whether this device keeps all of these files for visits without a network. */
export async function areKept(files: readonly URL[]): Promise<boolean> {
  // A first visit has no service worker that kept them, and does not wait for the answer. Pages that came by http have none at all.
  if (!navigator.serviceWorker?.controller) return false;
  try {
    const kept = await Promise.all(files.map((file) => caches.match(file, { ignoreSearch: true, ignoreVary: true })));
    return kept.every((answer) => answer !== undefined);
  } catch {
    return false;
  }
}
