// The vectors of documents that a teacher reads, on all cores.
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { Failure } from "./failure.js";
import type { FromWorker, ToWorker, WorkerData } from "./deep-messages.js";
import type { Documents } from "./indexer.js";
import type { Terminal } from "./terminal.js";

/** Documents that a thread reads at a time. */
const TOGETHER = 16;

/** Vectors in the order of the documents, one after another, and the digest of the teacher that made them. */
export interface DeepVectors {
  vectors: Float32Array;
  digest: string;
}

/** Reads all documents with a teacher. */
export async function deepVectors(documents: Documents, data: WorkerData, terminal: Terminal): Promise<DeepVectors> {
  const lengths = documents.lengths();
  // The longest first, so that no thread has a long one left at the end.
  const order = Uint32Array.from(lengths.keys()).sort((one, other) => lengths[other]! - lengths[one]! || one - other);
  const chunks = Math.ceil(order.length / TOGETHER);
  const placesOf = (chunk: number) => order.subarray(chunk * TOGETHER, (chunk + 1) * TOGETHER);
  const all = lengths.reduce((sum, length) => sum + length, 0);
  let [vectors, dimension] = [new Float32Array(0), 0];
  const progress = terminal.progress("reading passages with the teacher, bytes");
  let [next, left, read] = [0, chunks, 0];
  let digest = "";
  const workers = Array.from({ length: Math.min(availableParallelism(), chunks) }, () => new Worker(new URL("./deep-worker.js", import.meta.url), { workerData: data }));
  try {
    await new Promise<void>((resolve, reject) => {
      const give = (worker: Worker) => {
        if (next === chunks) return;
        const chunk = next++;
        const both = documents.texts(placesOf(chunk));
        const message: ToWorker = { chunk, languages: both.filter((_, at) => at % 2 === 0), texts: both.filter((_, at) => at % 2 === 1) };
        worker.postMessage(message);
      };
      const take = (worker: Worker, message: FromWorker) => {
        if ("error" in message) return reject(new Failure(message.error));
        if ("digest" in message) {
          ({ digest, dimension } = message);
          if (vectors.length === 0) vectors = new Float32Array(order.length * dimension);
        } else {
          placesOf(message.chunk).forEach((place, at) => {
            vectors.set(message.vectors.subarray(at * dimension, (at + 1) * dimension), place * dimension);
            read += lengths[place]!;
          });
          progress.tell(read, all);
          left -= 1;
          if (left === 0) return resolve();
        }
        give(worker);
      };
      for (const worker of workers) {
        worker.on("message", (message: FromWorker) => take(worker, message));
        worker.on("error", reject);
        worker.on("exit", (code) => reject(new Failure(`a thread of the teacher ended with status ${code}`)));
      }
    });
  } finally {
    progress.end();
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
  return { vectors, digest };
}
