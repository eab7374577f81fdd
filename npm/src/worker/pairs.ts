/** Names and values as the WebAssembly module takes them: a name and one of its values, one after the other. */
export const pairsOf = (fields: Readonly<Record<string, readonly string[]>>): string[] =>
  Object.entries(fields).flatMap(([name, values]) => values.flatMap((value) => [name, value]));
