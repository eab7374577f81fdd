// The package's own worker. Its address is relative to this script, and bundlers put their output where the package's
// root is: this file stays in the root.

/** Starts the package's worker. @internal */
export function packageWorker(): Worker {
  try {
    // Bundlers look for exactly this form.
    return new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== "SecurityError") throw error;
  }
  // A worker's script must be of the page's origin, but what it imports need not be: the package may come from a CDN.
  // Written so that no bundler takes the script for a file of its own.
  const here = import.meta.url;
  const script = `import ${JSON.stringify(new URL("worker.js", here))};`;
  // The URL is not revoked: not all browsers have read it by now, and it holds one line.
  return new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })), { type: "module" });
}
