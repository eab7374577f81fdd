import type { Device, DevicePreference } from "smooth-clir";
import { make } from "../ui/dom";
import { strings } from "../i18n/strings";

const WISHES: readonly DevicePreference[] = ["auto", "webgpu", "wasm"];

/** A select for the device that computes the steps. */
export function whereSelect(): HTMLSelectElement {
  const select = make("select");
  for (const wish of WISHES) select.append(new Option(strings.where.choices[wish], wish));
  return select;
}

export const wishOf = (select: HTMLSelectElement): DevicePreference => select.value as DevicePreference;

/** The device that computed the steps, in words. */
export const saidOf = ({ kind, name, reason }: Device): string => strings.where.ran[kind](name, reason);
