import { savesData } from "./save-data";

/** The visit itself comes first. */
const AFTER_MS = 2000;

/** Has the page kept for visits without a network, once it has all that it needs for this one, and the files of its model. */
export function keepOffline(model: readonly URL[]): void {
  if (!("serviceWorker" in navigator) || location.protocol === "file:") return;
  // With data saving on, the browser's own cache is enough.
  if (savesData()) return;
  // If the browser refuses, the page needs a network, as other pages do.
  setTimeout(() => void register(model).catch(() => {}), AFTER_MS);
}

async function register(model: readonly URL[]): Promise<void> {
  await navigator.serviceWorker.register("./service-worker.js");
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage({ keep: model.map(({ href }) => href) });
}
