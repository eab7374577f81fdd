import { abortable, throwIfAborted } from "../abort.js";
import { SmoothClirError } from "../errors.js";
import { DirectLink } from "./direct-link.js";
import type { Link } from "./link.js";
import { WorkerLink } from "./worker-link.js";

/** Opens a link and loads its host's WebAssembly module; an abort leaves no worker behind. */
export async function open(worker: "auto" | boolean | URL, signal: AbortSignal | undefined): Promise<Link> {
  throwIfAborted(signal);
  const available = typeof Worker === "function";
  if (worker !== false && (available || worker !== "auto")) {
    try {
      if (!available) throw new SmoothClirError("worker-failed", "this environment has no workers");
      const address = worker instanceof URL ? worker : undefined;
      return await started(() => new WorkerLink(address), signal);
    } catch (error) {
      if (worker !== "auto" || signal?.aborted) throw error;
    }
  }
  const { Host } = await import("../worker/host.js");
  return started(() => new DirectLink(new Host()), signal);
}

async function started(make: () => Link, signal: AbortSignal | undefined): Promise<Link> {
  const link = make();
  try {
    await abortable(link.call("start"), signal);
    return link;
  } catch (error) {
    link.close();
    throw error;
  }
}
