// The checks of arguments from JavaScript. Every refusal reads "`query` must be a string, got number" and has the code
// `invalid-argument`. Ranges that depend on the model are left to the core.
import { SmoothClirError } from "./errors.js";
import type { DevicePreference } from "./types.js";

/** The largest 32-bit number. @internal */
export const U32_MAX = 0xffff_ffff;

const DEVICES: readonly DevicePreference[] = ["auto", "webgpu", "wasm"];

/** A value of the wrong type by its type; of the right type, as it is. */
function shown(value: unknown, type: string): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value !== type) return typeof value;
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/** An argument is `right`, or it is refused: `name` as the caller wrote it, `type` of the values that may be right. */
function check(right: boolean, name: string, expected: string, value: unknown, type: string): asserts right {
  if (!right) {
    throw new SmoothClirError("invalid-argument", `\`${name}\` must be ${expected}, got ${shown(value, type)}`);
  }
}

/** @internal */
export function checkString(name: string, value: unknown): asserts value is string {
  check(typeof value === "string", name, "a string", value, "string");
}

/** Any number: its range is the core's to check. @internal */
export function checkNumber(name: string, value: unknown): asserts value is number {
  check(typeof value === "number", name, "a number", value, "number");
}

/** A finite number above 0. @internal */
export function checkPositive(name: string, value: unknown): asserts value is number {
  check(Number.isFinite(value) && (value as number) > 0, name, "a finite number above 0", value, "number");
}

/** An integer from `least`, 0 or 1, to `most`. @internal */
export function checkInteger(
  name: string,
  value: unknown,
  least: 0 | 1,
  most = Number.MAX_SAFE_INTEGER,
): asserts value is number {
  const kind = least === 0 ? "a non-negative integer" : "a positive integer";
  check(Number.isInteger(value) && (value as number) >= least, name, kind, value, "number");
  check((value as number) <= most, name, `at most ${most}`, value, "number");
}

/** @internal */
export function checkBoolean(name: string, value: unknown): asserts value is boolean {
  check(typeof value === "boolean", name, "a boolean", value, "boolean");
}

/** @internal */
export function checkFunction(name: string, value: unknown): void {
  check(typeof value === "function", name, "a function", value, "function");
}

/** @internal */
export function checkBytes(name: string, value: unknown): asserts value is Uint8Array {
  check(value instanceof Uint8Array, name, "a Uint8Array", value, "Uint8Array");
}

/** Bytes, or what reads them in pieces. @internal */
export function checkReadable(name: string, value: unknown): void {
  const { length, read } = Object(value) as { length?: unknown; read?: unknown };
  const right = value instanceof Uint8Array || (Number.isInteger(length) && typeof read === "function");
  check(right, name, "a Uint8Array, or an object with `length` and `read`", value, "Uint8Array");
}

/** A signal, of whichever realm. @internal */
export function checkSignal(value: unknown): asserts value is AbortSignal | undefined {
  const right = value == null || typeof (value as AbortSignal).throwIfAborted === "function";
  check(right, "signal", "an AbortSignal", value, "AbortSignal");
}

/** @internal */
export function checkArray(name: string, value: unknown): asserts value is readonly unknown[] {
  check(Array.isArray(value), name, "an array", value, "array");
}

/** @internal */
export function checkObject(name: string, value: unknown): asserts value is Record<string, unknown> {
  check(typeof value === "object" && value !== null && !Array.isArray(value), name, "an object", value, "object");
}

/** One of some words, or of `others`, as messages call them. @internal */
export function checkWord(name: string, value: unknown, words: readonly string[], ...others: string[]): void {
  const all = [...words.map((word) => JSON.stringify(word)), ...others];
  const expected = `${all.slice(0, -1).join(", ")} or ${all.at(-1)}`;
  check(words.includes(value as string), name, expected, value, "string");
}

/** @internal */
export const checkDevice = (value: unknown): void => checkWord("device", value, DEVICES);

/** Refuses options that a call does not have, most often misspelt names: what is left of an object without those that it has. @internal */
export function checkNoOthers(others: object): void {
  const [name] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
  if (name !== undefined) throw new SmoothClirError("invalid-argument", `unknown option \`${name}\``);
}

/** Checks the arguments that are given. @internal */
export function checkGiven<T>(check: (name: string, value: unknown) => T, given: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(given)) if (value !== undefined) check(name, value);
}

/** Where bytes can come from. @internal */
export function checkSource(name: string, value: unknown): void {
  const right = typeof value === "string" || value instanceof URL || value instanceof Uint8Array;
  check(right, name, "a URL, a Uint8Array or, in Node, a path", value, "string");
}

/** One source or several, as an array; `files` is what the message calls them. @internal */
export function checkSources<T>(name: string, value: T | readonly T[], files: string): T[] {
  if (!Array.isArray(value)) {
    checkSource(name, value);
    return [value as T];
  }
  if (value.length === 0) throw new SmoothClirError("invalid-argument", `no ${files} were given`);
  value.forEach((source, at) => checkSource(`${name}[${at}]`, source));
  return [...value];
}

/** Names of fields, each with a string or several: as arrays. @internal */
export function checkFields(name: string, value: unknown): Record<string, string[]> {
  checkObject(name, value);
  const fields = Object.entries(value).map(([field, given]): [string, string[]] => {
    const path = `${name}.${field}`;
    if (!Array.isArray(given)) {
      check(typeof given === "string", path, "a string or an array of strings", given, "string");
      return [field, [given]];
    }
    given.forEach((one, at) => checkString(`${path}[${at}]`, one));
    return [field, [...given]];
  });
  return Object.fromEntries(fields);
}
