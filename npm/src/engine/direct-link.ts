import { abortable } from "../abort.js";
import type { SmoothClirError } from "../errors.js";
import { type Answer, fromPlain, type Method, type ProgressOf, type Sent, type Task, toPlain } from "../protocol.js";
import type { Host } from "../worker/host.js";
import { type Caller, closed, type Link } from "./link.js";

/** A link to a host on the calling thread. */
export class DirectLink implements Link {
  #closed = false;
  readonly #host: Host;
  /** Rejects the calls that are pending. */
  readonly #pending = new Set<(error: SmoothClirError) => void>();

  constructor(host: Host) {
    this.#host = host;
  }

  call<M extends Method>(method: M, ...args: Sent<M>): Promise<Answer<M>> {
    return this.longCall({}, method, ...args);
  }

  longCall<M extends Method>(caller: Caller<M>, method: M, ...args: Sent<M>): Promise<Answer<M>> {
    const answer = abortable(this.#run(caller, method, args), caller.signal);
    return new Promise((resolve, reject) => {
      this.#pending.add(reject);
      answer.then(resolve, reject).finally(() => this.#pending.delete(reject));
    });
  }

  async #run<M extends Method>({ onProgress, signal }: Caller<M>, method: M, args: unknown[]): Promise<Answer<M>> {
    if (this.#closed) throw closed();
    let ofCaller: { error: unknown } | undefined;
    const task: Task<ProgressOf<M>> = {
      report: (progress) => {
        try {
          onProgress?.(progress);
        } catch (error) {
          ofCaller = { error };
          throw error;
        }
      },
      isCancelled: () => signal?.aborted === true || this.#closed,
    };
    let value: unknown;
    try {
      value = await this.#host.answer(method, args, task);
    } catch (error) {
      // An error of the caller's `onProgress` is passed on as it is.
      throw ofCaller && ofCaller.error === error ? error : fromPlain(toPlain(error), error);
    }
    return value as Answer<M>;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#host.close();
    for (const reject of this.#pending) reject(closed());
  }
}
