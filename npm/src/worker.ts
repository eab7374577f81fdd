import { toPlain, type PlainError } from "./errors.js";
import { Host, type Method } from "./host.js";

/** Page to worker. */
export interface Request {
  id: number;
  method: Method;
  args: unknown[];
}

/** Worker to page. */
export type Response = { id: number; value: unknown } | { id: number; error: PlainError };

const host = new Host();

self.addEventListener("message", async ({ data }: MessageEvent<Request>) => {
  const { id, method, args } = data;
  try {
    const value = await (host[method] as (...args: unknown[]) => unknown).apply(host, args);
    const transfer = value instanceof Float32Array ? [value.buffer as ArrayBuffer] : [];
    self.postMessage({ id, value } satisfies Response, { transfer });
  } catch (error) {
    self.postMessage({ id, error: toPlain(error) } satisfies Response);
  }
});
