import { strings } from "./strings";

const whole = new Intl.NumberFormat(strings.locale);
const minus = (text: string) => text.replace("-", "−");

/** 1,024 */
export const count = (value: number): string => whole.format(value);

/** 0.5, 100, 0.00123: as short as it goes, and without the noise of a 32-bit float. */
export const plain = (value: number): string => minus(String(Number(value.toPrecision(3))));

/** Two decimals, or two digits where those would hide a small number. */
export function measured(value: number): string {
  if (value === 0 || Math.abs(value) >= 0.1) return minus(value.toFixed(2));
  return minus(Math.abs(value) >= 0.001 ? value.toPrecision(2) : value.toExponential(1));
}

/** A loss: 0 only where nothing is left. */
export const loss = (value: number): string => (value === 0 ? "0" : measured(value));

/** A score: four decimals, or four digits where those would hide a small one. */
export const score = (value: number): string =>
  minus(value === 0 || Math.abs(value) >= 0.1 ? value.toFixed(4) : value.toPrecision(4));

/** A metric: four decimals, as the trainer prints it. */
export const metric = (value: number): string => minus(value.toFixed(4));

/** A difference of metrics, with its sign. */
export const signed = (value: number): string => (value > 0 ? `+${metric(value)}` : metric(value));

/** Bytes as megabytes. */
export const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(bytes < 1e6 ? 2 : 1);

/** The beginning of a text that may be long. */
export const short = (text: string): string => (text.length > 80 ? `${text.slice(0, 80).trimEnd()}…` : text);

/** 3, or 0.4 below one. */
export const milliseconds = (ms: number): string => (ms < 1 ? ms.toFixed(1) : ms.toFixed(0));
