/** Gives a function that tells whether its arguments differ from those of its last call. */
export function changed(): (...values: unknown[]) => boolean {
  let last: unknown[] | undefined;
  return (...values) => {
    const same = last?.every((value, at) => Object.is(value, values[at])) ?? false;
    last = values;
    return !same;
  };
}
