import type { Hit, Mark } from "smooth-clir";

/** What a person can say of a result. */
export const GRADES = [2, 1, 0] as const;
export type Grade = (typeof GRADES)[number];

/** Where the marks on results are kept. */
export interface Marking {
  /** A mark's button was pressed on a result of this query. */
  press(query: string, hit: Hit, grade: Grade): void;
  gradeOf(query: string, hit: Hit): Grade | undefined;
}

/** A mark, with what is shown of it. */
export interface Marked extends Mark {
  language: string;
  grade: Grade;
  title: string;
}

/** All that was marked on this visit, in the order of the first mark on each. */
export class Marks {
  readonly #all = new Map<string, Marked>();
  readonly #listeners: (() => void)[] = [];

  get list(): readonly Marked[] {
    return [...this.#all.values()];
  }

  gradeOf(query: string, { language, id }: Hit): Grade | undefined {
    return this.#all.get(keyOf(query, language, id))?.grade;
  }

  /** Marks a result; the same grade again takes the mark back. */
  toggle(query: string, { id, language, title }: Hit, grade: Grade): void {
    const key = keyOf(query, language, id);
    if (this.#all.get(key)?.grade === grade) this.#all.delete(key);
    else this.#all.set(key, { query: query.trim(), document: id, language, grade, title });
    this.#tell();
  }

  remove({ query, language, document }: Marked): void {
    if (this.#all.delete(keyOf(query, language, document))) this.#tell();
  }

  clear(): void {
    this.#all.clear();
    this.#tell();
  }

  subscribe(listener: () => void): void {
    this.#listeners.push(listener);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

const keyOf = (query: string, language: string, id: string) => JSON.stringify([query.trim(), language, id]);
