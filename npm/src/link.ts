import { SmoothClirError, fromPlain, toPlain } from "./errors.js";
import type { Answer, Args, Context, Host, Method } from "./host.js";
import type { Request, Response } from "./worker.js";

/** How long a worker's script may take to run before it counts as failed. What it fetches then may take longer. */
const START_LIMIT_MS = 10_000;

/** The way to a host, be it in a worker or not. */
export interface Link {
  call<M extends Method>(method: M, ...args: Args<M>): Promise<Answer<M>>;
  /** A call that tells how far it is and can be given up: its promise rejects at once with the signal's reason. */
  longCall<M extends Method>(talk: Talk, method: M, ...args: Args<M>): Promise<Answer<M>>;
  close(): void;
}

/** What the caller of long work hears and says. */
export interface Talk {
  onProgress?: ((progress: never) => void) | undefined;
  signal?: AbortSignal | undefined;
}

const closed = () => new SmoothClirError("closed", "the engine is closed");

/** Opens a link whose host has its WebAssembly module; an abort leaves no worker behind. */
export async function open(worker: "auto" | boolean | URL, signal: AbortSignal | undefined): Promise<Link> {
  signal?.throwIfAborted();
  const available = typeof Worker === "function";
  if (worker !== false && (available || worker !== "auto")) {
    try {
      if (!available) throw new SmoothClirError("worker-failed", "there are no workers here");
      const address = worker instanceof URL ? worker : undefined;
      return await started(() => new WorkerLink(address), signal);
    } catch (error) {
      if (worker !== "auto" || signal?.aborted) throw error;
    }
  }
  const { Host } = await import("./host.js");
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

/** Rejects as soon as the signal aborts; the work itself is left to end. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

class DirectLink implements Link {
  #closed = false;
  readonly #host: Host;
  /** Ends the calls that are pending. */
  readonly #pending = new Set<(error: SmoothClirError) => void>();

  constructor(host: Host) {
    this.#host = host;
  }

  call<M extends Method>(method: M, ...args: Args<M>): Promise<Answer<M>> {
    return this.longCall({}, method, ...args);
  }

  longCall<M extends Method>(talk: Talk, method: M, ...args: Args<M>): Promise<Answer<M>> {
    const answer = abortable(this.#run<M>(talk, method, args), talk.signal);
    return new Promise((resolve, reject) => {
      this.#pending.add(reject);
      answer.then(resolve, reject).finally(() => this.#pending.delete(reject));
    });
  }

  async #run<M extends Method>({ onProgress, signal }: Talk, method: M, args: unknown[]): Promise<Answer<M>> {
    if (this.#closed) throw closed();
    let own: { error: unknown } | undefined;
    const context: Context = {
      report: (progress) => {
        try {
          onProgress?.(progress as never);
        } catch (error) {
          own = { error };
          throw error;
        }
      },
      aborted: () => signal?.aborted === true || this.#closed,
    };
    let value: unknown;
    try {
      value = await (this.#host[method] as (...args: unknown[]) => unknown).call(this.#host, ...args, context);
    } catch (error) {
      // The caller's own error is the caller's.
      throw own && own.error === error ? error : fromPlain(toPlain(error), error);
    }
    return value as Answer<M>;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#host.free();
    for (const reject of this.#pending) reject(closed());
  }
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  onProgress: Talk["onProgress"];
}

class WorkerLink implements Link {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;
  #ended: SmoothClirError | undefined;
  readonly #starting: ReturnType<typeof setTimeout>;

  /** Of the file at `address`; of the package's own where there is none. */
  constructor(address: URL | undefined) {
    try {
      this.#worker = address === undefined ? ownWorker() : new Worker(address, { type: "module" });
    } catch (cause) {
      throw new SmoothClirError("worker-failed", "the worker could not be made", { cause });
    }
    const late = new SmoothClirError("worker-failed", `the worker did not start within ${START_LIMIT_MS / 1000} s`);
    this.#starting = setTimeout(() => this.#end(late), START_LIMIT_MS);
    this.#worker.addEventListener("message", ({ data }: MessageEvent<Response>) => this.#receive(data));
    this.#worker.addEventListener("messageerror", () => this.#crash("an answer could not be read"));
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#crash(event.message || "its script could not be loaded");
    });
  }

  call<M extends Method>(method: M, ...args: Args<M>): Promise<Answer<M>> {
    return this.longCall({}, method, ...args);
  }

  longCall<M extends Method>({ onProgress, signal }: Talk, method: M, ...args: Args<M>): Promise<Answer<M>> {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = ++this.#last;
    const answer = new Promise<Answer<M>>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as Waiting["resolve"], reject, onProgress });
      this.#worker.postMessage({ id, method, args } satisfies Request, { transfer: buffers(args) });
    });
    const abort = () => this.#worker.postMessage({ abort: id } satisfies Request);
    signal?.addEventListener("abort", abort);
    return abortable(answer, signal).finally(() => signal?.removeEventListener("abort", abort));
  }

  close(): void {
    this.#end(closed());
  }

  #receive(response: Response): void {
    if ("here" in response) return clearTimeout(this.#starting);
    const waiting = this.#waiting.get(response.id);
    if ("progress" in response) return this.#report(response);
    this.#waiting.delete(response.id);
    if ("error" in response) waiting?.reject(fromPlain(response.error));
    else waiting?.resolve(response.value);
  }

  /** An error of the caller's own ends the call. */
  #report({ id, progress }: { id: number; progress: unknown }): void {
    const waiting = this.#waiting.get(id);
    try {
      waiting?.onProgress?.(progress as never);
    } catch (error) {
      waiting?.reject(error);
      this.#waiting.delete(id);
      this.#worker.postMessage({ abort: id } satisfies Request);
    }
  }

  #crash(reason: string): void {
    this.#end(new SmoothClirError("worker-failed", `the worker stopped: ${reason}`));
  }

  #end(error: SmoothClirError): void {
    if (this.#ended) return;
    this.#ended = error;
    clearTimeout(this.#starting);
    // Ending the worker is the only sure way to give its memory back.
    this.#worker.terminate();
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

function ownWorker(): Worker {
  try {
    // Bundlers look for exactly this form.
    return new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== "SecurityError") throw error;
  }
  // A worker's file lies where its page does, but what it imports need not: the package may be another host's. Written
  // so that no bundler takes it for a file of its own.
  const here = import.meta.url;
  const script = `import ${JSON.stringify(new URL("worker.js", here))};`;
  // The address is not revoked: not all browsers have read it by now, and it holds a line.
  return new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })), { type: "module" });
}

/** The byte arrays among the arguments: they move, they are not copied. */
function buffers(args: unknown[]): ArrayBuffer[] {
  return args.flat().flatMap((arg) => (arg instanceof Uint8Array ? [arg.buffer as ArrayBuffer] : []));
}
