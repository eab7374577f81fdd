import { savesData } from "./save-data";

/** The visit itself comes first. */
const AFTER_MS = 2000;

/** Has the page kept for visits without a network, once it has all that it needs for this one. */
export function keepOffline(): void {
  if (!("serviceWorker" in navigator) || location.protocol === "file:") return;
  // With data saving on, the browser's own cache is enough.
  if (savesData()) return;
  // If the browser refuses, the page needs a network, as other pages do.
  setTimeout(() => void navigator.serviceWorker.register("./service-worker.js").catch(() => {}), AFTER_MS);
}
