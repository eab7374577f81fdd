// A thread that reads documents with a teacher.
import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "../errors.js";
import type { FromWorker, ToWorker, WorkerData } from "./deep-messages.js";
import { DeepReader, indexerModule } from "./indexer.js";

const port = parentPort!;
const tell = (message: FromWorker, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);

try {
  const { model, teacher, precision } = workerData as WorkerData;
  await indexerModule.start();
  const reader = new DeepReader([...model], teacher, precision);
  port.on("message", ({ chunk, languages, texts }: ToWorker) => {
    try {
      const vectors = reader.encode(languages, texts) as Float32Array<ArrayBuffer>;
      tell({ chunk, vectors }, [vectors.buffer]);
    } catch (error) {
      tell({ error: messageOf(error) });
    }
  });
  tell({ digest: reader.digest, dimension: reader.dimension });
} catch (error) {
  tell({ error: messageOf(error) });
}
