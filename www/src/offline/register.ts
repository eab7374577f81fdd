import { savesData } from "./save-data";

/** The visit itself comes first. */
const AFTER_MS = 2000;

/** Has the page kept for visits without a network, once it has all that it needs for this one. */
export function keepOffline(): void {
  if (!("serviceWorker" in navigator) || location.protocol === "file:") return;
  // Who saves data keeps what the browser itself keeps.
  if (savesData()) return;
  // Where the browser refuses, the page needs a network, as pages do.
  setTimeout(() => void navigator.serviceWorker.register("./service-worker.js").catch(() => {}), AFTER_MS);
}
