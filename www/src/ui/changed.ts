/** Gives a function that tells whether its arguments differ from those of its last call. */
export function changed(): (...values: unknown[]) => boolean {
  let last: unknown[] | undefined;
  return (...values) => {
    const same = last?.length === values.length && last.every((value, at) => Object.is(value, values[at]));
    last = values;
    return !same;
  };
}
