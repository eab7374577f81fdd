/** Whether this device keeps all of these files for visits without a network. */
export async function areKept(files: readonly URL[]): Promise<boolean> {
  // A first visit has no service worker that kept them, and does not wait for the answer. Pages that came by http have none at all.
  if (!navigator.serviceWorker?.controller) return false;
  try {
    const kept = await Promise.all(files.map((file) => caches.match(file, { ignoreVary: true })));
    return kept.every((answer) => answer !== undefined);
  } catch {
    return false;
  }
}

/** Has the next load ask the server for these files: what this device kept of them is not what they should be. */
export async function forgetKept(files: readonly URL[]): Promise<void> {
  try {
    // Other pages of the same host have stores of their own.
    const own = (await caches.keys()).filter((name) => name.startsWith("smooth-clir "));
    const stores = await Promise.all(own.map((name) => caches.open(name)));
    await Promise.all(stores.flatMap((store) => files.map((file) => store.delete(file, { ignoreSearch: true, ignoreVary: true }))));
  } catch {
    // There are no stores on a page that came by http.
  }
}
