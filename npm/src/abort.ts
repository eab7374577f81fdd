// Work that a signal cancels.
import { checkSignal } from "./arguments.js";

/** Throws the reason of a signal that has aborted, and refuses what is no signal. @internal */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  checkSignal(signal);
  signal?.throwIfAborted();
}

/** Rejects as soon as the signal aborts; the work itself runs on. @internal */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Work in several parts under one signal: the caller's abort cancels all of them, and so does the first failure. @internal */
export async function together<T>(
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  checkSignal(signal);
  const group = new AbortController();
  const abort = () => group.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener("abort", abort);
  try {
    return await work(group.signal);
  } catch (error) {
    group.abort();
    throw error;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}
