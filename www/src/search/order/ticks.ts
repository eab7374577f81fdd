import type { Hit } from "smooth-clir";
import { byId, make } from "../../ui/dom";
import * as format from "../../ui/format";
import { keyOf } from "../../model/document-key";
import { languageName, strings } from "../../i18n/strings";

/** Two documents that change rank: below the swap point, `epsilon`, the first is ahead. `share` is its place on the slider. */
export interface Pair {
  epsilon: number;
  share: number;
  first: Hit;
  second: Hit;
}

type Keys = readonly [string, string];

/** Swap points that are fewer pixels apart share a tick. */
const LEAST_GAP = 12;
const text = strings.rankChanges;

/** A tick below the slider at every swap point: one tab stop, arrow keys between them. */
export class Ticks {
  readonly #root = byId("ticks", HTMLDivElement);
  readonly #reading = byId("tick-reading", HTMLParagraphElement);
  readonly #onChoose: (keys: Keys | undefined) => void;
  #buttons = new Map<string, HTMLButtonElement>();
  #clusters = new Map<HTMLButtonElement, Pair[]>();
  #chosen: string | undefined;
  #summary = "";

  constructor(onChoose: (keys: Keys | undefined) => void) {
    this.#onChoose = onChoose;
    this.#root.role = "toolbar";
    this.#root.ariaLabel = text.toolbar;
    this.#root.addEventListener("keydown", (event) => this.#step(event));
    for (const type of ["pointerover", "focusin"] as const) {
      this.#root.addEventListener(type, ({ target }) => {
        const pairs = this.#clusters.get(target as HTMLButtonElement);
        if (pairs) this.#reading.textContent = nameOf(pairs);
      });
    }
    for (const type of ["pointerleave", "focusout"] as const) {
      this.#root.addEventListener(type, () => (this.#reading.textContent = this.#summary));
    }
  }

  /** Shows swap points, by rising epsilon. */
  show(pairs: readonly Pair[], chosen: Keys | undefined): void {
    const focused = [...this.#buttons.values()].indexOf(document.activeElement as HTMLButtonElement);
    const before = this.#buttons;
    this.#buttons = new Map();
    this.#clusters = new Map();
    // The row itself may be hidden.
    const width = this.#root.parentElement!.clientWidth;
    for (const cluster of clustersOf(pairs, LEAST_GAP / Math.max(width, 1))) {
      const key = keysOf(cluster[0]!).join();
      const button = before.get(key) ?? this.#makeButton();
      const { share } = cluster[Math.floor(cluster.length / 2)]!;
      button.style.setProperty("--at", share.toFixed(4));
      button.style.setProperty("--count", String(Math.min(cluster.length, 4)));
      button.ariaLabel = nameOf(cluster);
      this.#buttons.set(key, button);
      this.#clusters.set(button, cluster);
    }
    const buttons = [...this.#buttons.values()];
    if (!sameOrder(buttons, this.#root.children)) {
      this.#root.replaceChildren(...buttons);
      // Focus stays where it was, or close to it.
      if (focused >= 0) buttons[Math.min(focused, buttons.length - 1)]?.focus({ preventScroll: true });
    }
    this.#root.hidden = this.#reading.hidden = pairs.length === 0;
    this.#summary = text.summary(pairs.length);
    if (!buttons.includes(document.activeElement as HTMLButtonElement)) this.#reading.textContent = this.#summary;
    this.choose(chosen);
  }

  /** Shows which rank change is chosen. */
  choose(chosen: Keys | undefined): void {
    this.#chosen = chosen?.join();
    let stop: HTMLButtonElement | undefined;
    for (const [button, cluster] of this.#clusters) {
      const open = cluster.some((pair) => keysOf(pair).join() === this.#chosen);
      button.ariaExpanded = String(open);
      button.tabIndex = -1;
      if (open || button === document.activeElement) stop = button;
    }
    stop ??= this.#buttons.values().next().value;
    if (stop) stop.tabIndex = 0;
  }

  #makeButton(): HTMLButtonElement {
    const button = make("button", "swap-point");
    button.type = "button";
    button.setAttribute("aria-controls", "rank-change");
    // A further press goes to the next swap point of a tick that has several, and after the last one closes.
    button.addEventListener("click", () => {
      const all = (this.#clusters.get(button) ?? []).map(keysOf);
      const next = all.findIndex((keys) => keys.join() === this.#chosen) + 1;
      this.#onChoose(all[next]);
    });
    return button;
  }

  #step(event: KeyboardEvent): void {
    const buttons = [...this.#buttons.values()];
    const at = buttons.indexOf(event.target as HTMLButtonElement);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: buttons.length - 1 }[event.key];
    const button = to === undefined ? undefined : buttons[to];
    if (!button) return;
    event.preventDefault();
    for (const other of buttons) other.tabIndex = other === button ? 0 : -1;
    button.focus();
  }
}

const keysOf = ({ first, second }: Pair): Keys => [keyOf(first), keyOf(second)];

function nameOf(pairs: readonly Pair[]): string {
  const { epsilon, first, second } = pairs[0]!;
  const passes = text.passes(format.plain(epsilon), nameWithLanguage(second), nameWithLanguage(first));
  return pairs.length === 1 ? passes : text.several(pairs.length, format.plain(pairs.at(-1)!.epsilon), passes);
}

/** Two documents may have the same title in two languages. */
export const nameWithLanguage = ({ title, language }: Hit): string => text.named(title, languageName(language));

function clustersOf(pairs: readonly Pair[], leastGap: number): Pair[][] {
  const clusters: Pair[][] = [];
  for (const pair of pairs) {
    const last = clusters.at(-1);
    if (last && pair.share - last[0]!.share < leastGap) last.push(pair);
    else clusters.push([pair]);
  }
  return clusters;
}

const sameOrder = (buttons: readonly Element[], children: HTMLCollection): boolean =>
  buttons.length === children.length && buttons.every((button, place) => button === children[place]);
