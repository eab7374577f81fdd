/** Reads and writes a part of the state in a link: every value is checked, and usual values are left out. */
export interface Codec<T> {
  readonly usual: T;
  read(fields: URLSearchParams): T;
  write(value: T, fields: URLSearchParams): void;
}

/** One value under one name. `parse` gives undefined for what is out of range or no value at all. */
export interface Field<T> {
  name: string;
  usual: T;
  parse(text: string): T | undefined;
  format?(value: T): string;
}

/** A record of fields. */
export function codec<T extends object>(fields: { readonly [K in keyof T]: Field<T[K]> }): Codec<T> {
  const entries = Object.entries(fields) as [keyof T, Field<T[keyof T]>][];
  const usual = Object.fromEntries(entries.map(([key, field]) => [key, field.usual])) as T;
  const format = (field: Field<T[keyof T]>, value: T[keyof T]) => field.format?.(value) ?? String(value);
  return {
    usual,
    read(values) {
      const read = ([key, { name, parse, usual }]: (typeof entries)[number]) => {
        const text = values.get(name);
        return [key, text === null ? usual : (parse(text) ?? usual)];
      };
      return Object.fromEntries(entries.map(read)) as T;
    },
    write(value, values) {
      for (const [key, field] of entries) {
        const text = format(field, value[key]);
        if (text !== format(field, field.usual)) values.set(field.name, text);
      }
    },
  };
}

/** A number that is brought into its range. */
export const number = (name: string, usual: number, least: number, most: number): Field<number> => ({
  name,
  usual,
  parse: (text) => {
    const value = text.trim() === "" ? Number.NaN : Number(text);
    return Number.isNaN(value) ? undefined : Math.min(Math.max(value, least), most);
  },
});

/** A whole number that is brought into its range. */
export const whole = (name: string, usual: number, least: number, most: number): Field<number> => {
  const field = number(name, usual, least, most);
  return {
    ...field,
    parse: (text) => {
      const value = field.parse(text);
      return value === undefined ? undefined : Math.round(value);
    },
  };
};

/** One of some words. */
export const choice = <T extends string>(name: string, usual: T, choices: readonly T[]): Field<T> => ({
  name,
  usual,
  parse: (text) => choices.find((one) => one === text),
});

/** Several of some words, in their order. */
export const choices = <T extends string>(name: string, usual: readonly T[], all: readonly T[]): Field<readonly T[]> => ({
  name,
  usual,
  parse: (text) => {
    const wanted = text.split(",");
    return all.filter((one) => wanted.includes(one));
  },
  format: (value) => value.join(","),
});

/** A fixed count of numbers, each brought into its range. */
export const numbers = (name: string, usual: readonly number[], least: number, most: number): Field<readonly number[]> => {
  const { parse } = number(name, 0, least, most);
  return {
    name,
    usual,
    parse: (text) => {
      const values = text.split(",").map(parse);
      return values.length === usual.length && values.every((value) => value !== undefined) ? (values as number[]) : undefined;
    },
    format: (value) => value.map((x) => Number(x.toPrecision(4))).join(","),
  };
};

/** Yes or no. */
export const flag = (name: string): Field<boolean> => ({
  name,
  usual: false,
  parse: (text) => text === "1",
  format: (value) => (value ? "1" : "0"),
});
