// The package has a type of the same name: here it gains what the page shows.
import type { Hit, Judgement as PackageJudgement } from "smooth-clir";

/** The grades that a person can give a result: relevant, partly, not relevant. */
export const GRADES = [2, 1, 0] as const;
export type Grade = (typeof GRADES)[number];

/** Takes and holds the feedback on results. */
export interface FeedbackHandler {
  /** A feedback button was pressed on a result of this query. */
  press(query: string, hit: Hit, grade: Grade): void;
  gradeOf(query: string, hit: Hit): Grade | undefined;
}

/** A relevance judgement, with the title that is shown. */
export interface Judgement extends PackageJudgement {
  language: string;
  grade: Grade;
  title: string;
}

/** The relevance judgements of this visit, in the order in which each document was first judged. */
export class Feedback {
  readonly #all = new Map<string, Judgement>();
  readonly #listeners: (() => void)[] = [];

  get list(): readonly Judgement[] {
    return [...this.#all.values()];
  }

  gradeOf(query: string, { language, id }: Hit): Grade | undefined {
    return this.#all.get(keyOf(query, language, id))?.grade;
  }

  /** Judges a result; the same grade again removes the judgement. */
  toggle(query: string, { id, language, title }: Hit, grade: Grade): void {
    const key = keyOf(query, language, id);
    if (this.#all.get(key)?.grade === grade) this.#all.delete(key);
    else this.#all.set(key, { query: query.trim(), document: id, language, grade, title });
    this.#tell();
  }

  remove({ query, language, document }: Judgement): void {
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
