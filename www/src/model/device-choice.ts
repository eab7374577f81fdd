import type { Device, DeviceWish } from "smooth-clir";
import { make } from "../ui/dom";
import { strings } from "../i18n/strings";

const WISHES: readonly DeviceWish[] = ["auto", "webgpu", "wasm"];

/** A select for the device that computes the steps. */
export function whereSelect(): HTMLSelectElement {
  const select = make("select");
  for (const wish of WISHES) select.append(new Option(strings.where.choices[wish], wish));
  return select;
}

export const wishOf = (select: HTMLSelectElement): DeviceWish => select.value as DeviceWish;

/** The device that computed the steps, in words. */
export const saidOf = ({ kind, name, reason }: Device): string => strings.where.ran[kind](name, reason);
