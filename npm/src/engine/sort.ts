import type { Hit } from "../types.js";

/** Sorts hits by the first value of a field, `-field` for descending; hits without it come last. */
export function sorted(hits: readonly Hit[], by: string): Hit[] {
  const [name, sign] = by.startsWith("-") ? [by.slice(1), -1] : [by, 1];
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  return [...hits].sort((one, other) => {
    const [a, b] = [one, other].map(({ fields }) => (Object.hasOwn(fields, name) ? fields[name]![0] : undefined));
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    const [x, y] = [Number(a), Number(b)];
    return sign * (Number.isNaN(x) || Number.isNaN(y) ? compare(a, b) : x - y);
  });
}
