import { SmoothClirError } from "../errors.js";
import type { EncodedDocuments, Engine } from "../full-module.js";
import type { CheckedDocument, Task } from "../protocol.js";
import type { AddedDocuments, EncodingProgress } from "../types.js";
import { Turns } from "./turns.js";

/** Characters of texts that are encoded at once: some milliseconds' work. */
const BATCH_CHARACTERS = 50_000;

/** Encodes documents, which are then the caller's to add or to free. */
export async function encode(
  engine: Engine,
  documents: readonly CheckedDocument[],
  language: string,
  task: Task<EncodingProgress>,
): Promise<{ encoded: EncodedDocuments; added: AddedDocuments }> {
  const encoded = engine.startUserDocuments(language);
  try {
    const [knownWords, words] = [new Uint32Array(documents.length), new Uint32Array(documents.length)];
    const turns = new Turns();
    for (let done = 0; done < documents.length; ) {
      const end = endOfBatch(documents, done);
      encoded.push(documents.slice(done, end)).forEach(({ known, all }, at) => {
        knownWords[done + at] = known;
        words[done + at] = all;
      });
      done = end;
      if (!turns.isOver && done < documents.length) continue;
      task.report({ done, documents: documents.length });
      await turns.next();
      if (task.isCancelled()) throw new SmoothClirError("aborted", "encoding the documents was cancelled");
    }
    const unknown = knownWords.filter((known) => known === 0).length;
    return { encoded, added: { documents: documents.length, unknown, knownWords, words } };
  } catch (error) {
    encoded.free();
    throw error;
  }
}

/** The end of the batch that begins at `start`: one document, or as many as fit. */
function endOfBatch(documents: readonly CheckedDocument[], start: number): number {
  let [end, length] = [start, 0];
  while (end < documents.length && (end === start || length < BATCH_CHARACTERS)) length += documents[end++]!.text.length;
  return end;
}
