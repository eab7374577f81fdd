import { buffersIn, type Request, type Response, type Task, toPlain } from "./protocol.js";
import { Host } from "./worker/host.js";

const host = new Host();
const cancelled = new Set<number>();

self.addEventListener("message", async ({ data }: MessageEvent<Request>) => {
  if ("abort" in data) return void cancelled.add(data.abort);
  const { id, method, args } = data;
  const task: Task<unknown> = {
    report: (progress) => self.postMessage({ id, progress } satisfies Response),
    isCancelled: () => cancelled.has(id),
  };
  try {
    const value = await host.answer(method, args, task);
    self.postMessage({ id, value } satisfies Response, { transfer: buffersIn(value) });
  } catch (error) {
    self.postMessage({ id, error: toPlain(error) } satisfies Response);
  } finally {
    cancelled.delete(id);
  }
});

self.postMessage({ here: true } satisfies Response);
