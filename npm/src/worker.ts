import { toPlain, type PlainError } from "./errors.js";
import { Host, type Context, type Method } from "./host.js";

/** Page to worker: a call, or the end of one. */
export type Request = { id: number; method: Method; args: unknown[] } | { abort: number };

/** Worker to page: first of all that its script runs. */
export type Response =
  | { here: true }
  | { id: number; value: unknown }
  | { id: number; progress: unknown }
  | { id: number; error: PlainError };

const host = new Host();
const aborted = new Set<number>();

self.addEventListener("message", async ({ data }: MessageEvent<Request>) => {
  if ("abort" in data) return void aborted.add(data.abort);
  const { id, method, args } = data;
  const context: Context = {
    report: (progress) => self.postMessage({ id, progress } satisfies Response),
    aborted: () => aborted.has(id),
  };
  try {
    const value = await (host[method] as (...args: unknown[]) => unknown).call(host, ...args, context);
    const transfer = value instanceof Float32Array || value instanceof Uint8Array ? [value.buffer as ArrayBuffer] : [];
    self.postMessage({ id, value } satisfies Response, { transfer });
  } catch (error) {
    self.postMessage({ id, error: toPlain(error) } satisfies Response);
  } finally {
    aborted.delete(id);
  }
});

self.postMessage({ here: true } satisfies Response);
