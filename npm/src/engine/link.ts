import { SmoothClirError } from "../errors.js";
import type { Answer, Method, ProgressOf, Sent } from "../protocol.js";

/** Sends calls to a host, in a worker or on the calling thread. */
export interface Link {
  call<M extends Method>(method: M, ...args: Sent<M>): Promise<Answer<M>>;
  /** A call that reports progress and can be cancelled: its promise rejects at once with the signal's reason. */
  longCall<M extends Method>(caller: Caller<M>, method: M, ...args: Sent<M>): Promise<Answer<M>>;
  /** Frees the host; pending calls reject with the code `closed`. */
  close(): void;
}

/** The caller's side of a long call. */
export interface Caller<M extends Method> {
  onProgress?: ((progress: ProgressOf<M>) => void) | undefined;
  signal?: AbortSignal | undefined;
}

export const closed = () => new SmoothClirError("closed", "the engine is closed");
