import type { Hit } from "smooth-clir";

/** The hits of one entry, best first: an encyclopaedia's article in several languages, say. */
export type Entry = readonly [Hit, ...Hit[]];

/**
 * The entry that a document belongs to: documents are of one where their ids are the same, but for the language at the end
 * (`lion.fr`, `lion.sw`).
 */
export function entryOf({ id, language }: Pick<Hit, "id" | "language">): string {
  const end = id.slice(-language.length - 1);
  return /^[.-]/.test(end) && end.slice(1) === language ? id.slice(0, -end.length) : id;
}

/** The entries of a ranking, in the order of their best documents; of each language an entry has the best one. */
export function toEntries(ranking: readonly Hit[]): Entry[] {
  const entries = new Map<string, [Hit, ...Hit[]]>();
  for (const hit of ranking) {
    const name = entryOf(hit);
    const entry = entries.get(name);
    if (!entry) entries.set(name, [hit]);
    else if (entry.every(({ language }) => language !== hit.language)) entry.push(hit);
  }
  return [...entries.values()];
}
