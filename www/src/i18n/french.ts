/** Before these French puts a space that does not break, and after the first of the quotes. */
const BEFORE = / (?=[:;?!»])/g;
const AFTER = /(?<=«) /g;

/** A table of French texts whose punctuation stays with its word. */
export function bound<T>(value: T): T {
  return bind(value) as T;
}

function bind(value: unknown): unknown {
  if (typeof value === "string") return value.replace(BEFORE, "\u00a0").replace(AFTER, "\u00a0");
  if (typeof value === "function") return (...given: unknown[]) => bind((value as (...given: unknown[]) => unknown)(...given));
  if (Array.isArray(value)) return value.map(bind);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, bind(one)]));
}
