import type { Hit } from "smooth-clir";
import type { Lab } from "smooth-clir/lab";
import { lineFigure } from "../../ui/charts/line-figure";
import { byId, make } from "../../ui/dom";
import * as format from "../../ui/format";
import { keyOf } from "../../model/document-key";
import { latest } from "../../ui/latest";
import { RANKED, type Found } from "../found";
import { EPSILON_MOST } from "../../state/state";
import { strings } from "../../i18n/strings";
import type { Page } from "./page";
import { nameWithLanguage } from "./ticks";

const LEAST = 0.001;
const PER_DECADE = 16;
const DECADES = Math.log10(EPSILON_MOST / LEAST);
const TICKS = [0.001, 0.01, 0.1, 1, 10, 100];
/** Scores closer than this are the same: they are 32-bit numbers. */
const SAME = 1e-6;
const text = strings.rankChanges;

/** Two documents and what their scores are made of. */
interface Two {
  query: string;
  queryNorm: number;
  first: Hit;
  second: Hit;
}

/** The curves of two documents' scores, and how far the first is ahead. */
export class CrossingView {
  readonly #page: Page;
  readonly #lab: Lab;
  readonly #root = byId("rank-change", HTMLElement);
  readonly #heading = make("h2", "", text.heading);
  readonly #sentence = make("p");
  readonly #goThere = make("button", "tool");
  readonly #scores = lineFigure(text.scores, "rank-change-scores");
  readonly #lead = lineFigure(text.lead, "rank-change-lead");
  readonly #find = latest(() => this.#findTwo());
  #found: Found | undefined;
  #two: Two | undefined;
  #pair: readonly [string, string] | undefined;
  #epsilon: number | undefined;

  constructor(page: Page, lab: Lab) {
    this.#page = page;
    this.#lab = lab;
    this.#heading.id = "rank-change-heading";
    const close = make("button", "tool", text.close);
    for (const button of [this.#goThere, close]) button.type = "button";
    close.addEventListener("click", () => {
      page.store.set({ pair: undefined });
      // The focused element is hidden now.
      (document.querySelector<HTMLElement>(".swap-point[tabindex='0']") ?? byId("epsilon-slider", HTMLElement)).focus();
    });
    this.#goThere.addEventListener("click", () => {
      if (this.#epsilon !== undefined) page.store.set({ epsilon: this.#epsilon });
    });
    const buttons = make("div", "rank-change-buttons");
    buttons.append(this.#goThere, close);
    this.#root.append(this.#heading, this.#sentence, buttons, this.#scores.figure.element, this.#lead.figure.element);
  }

  async show(found: Found): Promise<void> {
    this.#found = found;
    await this.#find();
  }

  /** The two documents are among those that are shown, or are looked for once. */
  async #findTwo(): Promise<void> {
    const { pair } = this.#page.store.state;
    const found = this.#found;
    const engine = this.#page.engine();
    if (!pair || !found || found.hits.length === 0 || found.hybrid || !engine) return this.#hide();
    const { query } = found;
    const pick = (hits: readonly Hit[]) => pair.map((key) => hits.find((hit) => keyOf(hit) === key));
    const shown = pick(found.ranking);
    const now = this.#two;
    const known = now?.query === query && keyOf(now.first) === pair[0] && keyOf(now.second) === pair[1];
    const tuned = known && [now.first, now.second].some((hit, at) => shown[at] && shown[at].dot !== hit.dot);
    if (!known || tuned) {
      const limit = Math.max(1, Math.min(engine.documentCount, RANKED));
      try {
        const [{ queryNorm }, [first, second]] = await Promise.all([
          engine.dots(query),
          shown[0] && shown[1] ? shown : engine.search(query, { limit }).then(pick),
        ]);
        this.#two = first && second && { query, queryNorm, first, second };
      } catch {
        this.#two = undefined;
      }
    }
    if (!this.#two) return this.#hide();
    const appears = this.#root.hidden;
    this.#root.hidden = false;
    this.#draw(this.#two);
    const changed = this.#pair?.join() !== pair.join();
    this.#pair = pair;
    if (appears || changed) this.#scores.figure.plot.scrollIntoView({ block: "nearest" });
  }

  #hide(): void {
    this.#root.hidden = true;
    this.#two = undefined;
    this.#pair = undefined;
  }

  #draw({ queryNorm, first, second }: Two): void {
    const lab = this.#lab;
    const now = this.#page.epsilon();
    const [change] = lab.swapPoints([first.dot, second.dot], [first.documentNorm, second.documentNorm]);
    this.#epsilon = change && Number(change.epsilon.toPrecision(6));
    const scores = ({ dot, documentNorm }: Hit, epsilons: readonly number[]) => [
      ...lab.scores(dot, queryNorm, documentNorm, epsilons),
    ];
    const names = [nameWithLanguage(first), nameWithLanguage(second)] as const;
    const at = this.#epsilon;
    this.#goThere.hidden = at === undefined;
    const [a, b] = [scores(first, [now])[0]!, scores(second, [now])[0]!];
    if (at === undefined) {
      this.#sentence.textContent = text.never(...(a < b ? ([names[1], names[0]] as const) : names));
    } else {
      this.#goThere.textContent = text.goThere(format.plain(at));
      this.#sentence.textContent = text.sentence(names[0], names[1], format.plain(at));
    }

    const inner = Array.from({ length: PER_DECADE * DECADES + 1 }, (_, step) => LEAST * 10 ** (step / PER_DECADE));
    const epsilons = [...inner, ...(at === undefined ? [] : [at])].sort((x, y) => x - y);
    const [one, other] = [scores(first, epsilons), scores(second, epsilons)];
    // In percent of the higher score: of small scores the bare difference would not be seen.
    const lead = one.map((score, step) => {
      const rival = other[step]!;
      return (100 * (score - rival)) / Math.max(Math.abs(score), Math.abs(rival));
    });
    const points = (values: readonly number[]) => epsilons.map((x, step) => [x, values[step]!] as const);
    const x = { label: text.epsilonAxis, domain: [LEAST, EPSILON_MOST] as const, log: true, ticks: TICKS };
    const rules = [{ at: Math.max(now, LEAST), name: text.slider(format.plain(now)) }];
    const cross = at === undefined ? undefined : scores(first, [at])[0]!;
    const dots = (y: number) => (at === undefined ? [] : [{ at: [at, y] as const, series: 1, name: text.swapPoint(format.plain(at)) }]);
    const [most, least] = [Math.max(...one, ...other), Math.min(0, ...one, ...other)];
    this.#scores.chart.draw({
      x,
      y: { label: text.scoreAxis, domain: [least, most * 1.05] },
      lines: [
        { name: names[0], series: 1, points: points(one) },
        { name: names[1], series: 2, points: points(other) },
      ],
      rules,
      dots: cross === undefined ? [] : dots(cross),
    });
    const bound = Math.max(...lead.filter(Number.isFinite).map(Math.abs), Number.MIN_VALUE) * 1.1;
    this.#lead.chart.draw({
      x,
      y: { label: text.leadAxis, domain: [-bound, bound] },
      lines: [
        { name: text.leadOf(names[0]), series: 1, points: points(lead) },
        { name: text.same, series: 6, points: [[LEAST, 0], [EPSILON_MOST, 0]] },
      ],
      rules,
      dots: dots(0),
    });
    const there = cross === undefined ? "" : text.bothScore(format.score(cross));
    this.#scores.figure.summary = `${text.scoresNow(format.plain(now), names[0], format.score(a), names[1], format.score(b))} ${there}`;
    this.#lead.figure.summary =
      Math.abs(a - b) < SAME
        ? text.even(format.plain(now))
        : text.leadNow(format.plain(now), names[a < b ? 1 : 0], format.score(Math.abs(a - b)));
    const table = (columns: readonly string[], values: readonly (readonly number[])[]) => ({
      caption: text.heading,
      columns: [text.epsilonAxis, ...columns],
      rows: epsilons.map((epsilon, step) => [epsilon, ...values.map((own) => own[step]!)]),
      format: (value: number) => format.score(value),
    });
    this.#scores.figure.table = table(names, [one, other]);
    this.#lead.figure.table = table([text.lead], [lead]);
  }
}
