import { grouped } from "../i18n/grouped";
import { strings } from "../i18n/strings";

// Numbers as they are shown, in the page's language; what a link, a file or an input holds is JavaScript's own. Not by Intl:
// its first use takes 20 ms of a page's start.

/** A number that JavaScript wrote. */
function localized(text: string): string {
  const [before = "", ...after] = text.split(".");
  const { thousands, decimal } = strings.numbers;
  return [grouped(before, thousands), ...after].join(decimal).replaceAll("-", "−");
}

/** 1,024 */
export const count = (value: number): string => localized(String(value));

/** French, Italian and Swahili */
export const list = (items: readonly string[]): string =>
  items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} ${strings.and} ${items.at(-1)}`;

/** 0.5, 100, 0.00123: as short as it goes, and without the noise of a 32-bit float. */
export const plain = (value: number): string => localized(String(Number(value.toPrecision(3))));

/** A number as someone may have typed it. */
export const typed = (value: number): string => localized(String(Number(value.toPrecision(6))));

/** A share of 1: 12.5%, with so many decimals at most. */
export const percent = (share: number, decimals = 0): string =>
  strings.numbers.percent(localized(String(Number((100 * share).toFixed(decimals)))));

const RAISED: Record<string, string> = { "-": "⁻", ...Object.fromEntries([..."⁰¹²³⁴⁵⁶⁷⁸⁹"].map((digit, at) => [at, digit])) };

/** A power of ten as such: 10⁻⁴. */
export const power = (value: number): string =>
  `10${[...String(Math.round(Math.log10(value)))].map((digit) => RAISED[digit]).join("")}`;

/** Two decimals, or two digits where those would hide a small number. */
export function measured(value: number): string {
  if (value === 0 || Math.abs(value) >= 0.1) return localized(value.toFixed(2));
  return localized(Math.abs(value) >= 0.001 ? value.toPrecision(2) : value.toExponential(1));
}

/** Two decimals, whatever the size. */
export const hundredths = (value: number): string => localized((Math.round(value * 100) / 100 || 0).toFixed(2));

/** A loss: 0 only where nothing is left. */
export const loss = (value: number): string => (value === 0 ? "0" : measured(value));

/** A score: four decimals, or four digits where those would hide a small one. */
export const score = (value: number): string =>
  localized(value === 0 || Math.abs(value) >= 0.1 ? value.toFixed(4) : value.toPrecision(4));

/** A change of a score, with its sign. */
export const signed = (value: number): string => (value > 0 ? `+${score(value)}` : score(value));

/** A metric: four decimals, as the trainer prints it. */
export const metric = (value: number): string => localized(value.toFixed(4));

/** A difference of metrics, with its sign. */
export const signedMetric = (value: number): string => (value > 0 ? `+${metric(value)}` : metric(value));

/** A number in millions. */
export const millions = (value: number): string => localized((value / 1e6).toFixed(value < 1e6 ? 2 : 1));

/** Bytes as megabytes. */
export const megabytes = millions;

/** The beginning of a text that may be long. */
export const short = (text: string): string => (text.length > 80 ? `${text.slice(0, 80).trimEnd()}…` : text);

/** 3, or 0.4 below one. */
export const milliseconds = (ms: number): string => localized(ms.toFixed(ms < 1 ? 1 : 0));
