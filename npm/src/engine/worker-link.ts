import { abortable } from "../abort.js";
import { SmoothClirError } from "../errors.js";
import { START_MS } from "../limits.js";
import { packageWorker } from "../package-worker.js";
import { type Answer, buffersIn, fromPlain, type Method, type Request, type Response, type Sent } from "../protocol.js";
import { type Caller, closed, type Link } from "./link.js";


/** A call without its answer yet. */
interface Waiting {
  resolve(value: unknown): void;
  reject(error: unknown): void;
  onProgress: ((progress: never) => void) | undefined;
}

/** A link to a host in a worker. */
export class WorkerLink implements Link {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;
  #ended: SmoothClirError | undefined;
  readonly #starting: ReturnType<typeof setTimeout>;

  /** Starts a worker of the file at `address`, or the package's own. */
  constructor(address: URL | undefined) {
    try {
      this.#worker = address === undefined ? packageWorker() : new Worker(address, { type: "module" });
    } catch (cause) {
      throw new SmoothClirError("worker-failed", "the worker could not be created", { cause });
    }
    const late = new SmoothClirError("worker-failed", `the worker did not start within ${START_MS / 1000} s`);
    this.#starting = setTimeout(() => this.#end(late), START_MS);
    this.#worker.addEventListener("message", ({ data }: MessageEvent<Response>) => this.#receive(data));
    this.#worker.addEventListener("messageerror", () => this.#crash("an answer could not be read"));
    this.#worker.addEventListener("error", (event) => {
      event.preventDefault();
      this.#crash(event.message || "its script could not be loaded");
    });
  }

  call<M extends Method>(method: M, ...args: Sent<M>): Promise<Answer<M>> {
    return this.longCall({}, method, ...args);
  }

  longCall<M extends Method>({ onProgress, signal }: Caller<M>, method: M, ...args: Sent<M>): Promise<Answer<M>> {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = ++this.#last;
    const answer = new Promise<Answer<M>>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as Waiting["resolve"], reject, onProgress });
      this.#worker.postMessage({ id, method, args } satisfies Request, { transfer: buffersIn(args) });
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

  /** An error of the caller's `onProgress` ends the call. */
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
    // Only ending the worker is certain to free its memory.
    this.#worker.terminate();
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
