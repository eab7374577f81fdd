import { SmoothClirError } from "../errors.js";
import type { Engine, EncodedDocuments } from "../full-module.js";
import type { Task, TextGiven } from "../protocol.js";
import type { TextsAdded, TextsProgress } from "../types.js";
import { pairsOf } from "./pairs.js";
import { Turns } from "./turns.js";

/** Characters of texts that are encoded at once: some milliseconds' work. */
const BATCH_CHARACTERS = 50_000;

/** Encodes documents, which are then the caller's to add or to free. */
export async function encode(
  engine: Engine,
  texts: readonly TextGiven[],
  language: string,
  task: Task<TextsProgress>,
): Promise<{ own: EncodedDocuments; added: TextsAdded }> {
  const own = engine.beginOwn(language);
  try {
    const [knownWords, words] = [new Uint32Array(texts.length), new Uint32Array(texts.length)];
    const turns = new Turns();
    for (let done = 0; done < texts.length; ) {
      const end = endOfBatch(texts, done);
      const batch = texts.slice(done, end);
      const each = (name: "id" | "title" | "text") => batch.map((text) => text[name]);
      const fields = batch.map((text) => pairsOf(text.fields));
      const counts = Uint32Array.from(fields, ({ length }) => length / 2);
      const found = own.push(each("id"), each("title"), each("text"), counts, fields.flat());
      for (let at = done; at < end; at++) {
        knownWords[at] = found[2 * (at - done)]!;
        words[at] = found[2 * (at - done) + 1]!;
      }
      done = end;
      if (!turns.isOver && done < texts.length) continue;
      task.report({ done, documents: texts.length });
      await turns.next();
      if (task.isCancelled()) throw new SmoothClirError("aborted", "encoding the documents was cancelled");
    }
    const unknown = knownWords.filter((known) => known === 0).length;
    return { own, added: { documents: texts.length, unknown, knownWords, words } };
  } catch (error) {
    own.free();
    throw error;
  }
}

/** The end of the batch that begins at `start`: one document, or as many as fit. */
function endOfBatch(texts: readonly TextGiven[], start: number): number {
  let [end, length] = [start, 0];
  while (end < texts.length && (end === start || length < BATCH_CHARACTERS)) length += texts[end++]!.text.length;
  return end;
}
