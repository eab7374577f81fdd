import type { Hit, SmoothClir } from "smooth-clir";
import type { Lab, SwapPoint } from "smooth-clir/lab";
import { LineChart } from "../../ui/charts/line-chart";
import { make } from "../../ui/dom";
import { isBroken, toFailure } from "../../ui/failure";
import * as format from "../../ui/format";
import { latest } from "../../ui/latest";
import { Slider } from "../../ui/slider";
import { languageName, strings } from "../../i18n/strings";
import { keyOf } from "../../model/document-key";
import { learn, ORDER } from "../../state/learn";
import type { Context } from "../view";
import { ChoicePrediction } from "./prediction";
import type { Drawn, Subject } from "./section";
import { text } from "./strings";

const said = text.order;
/** The first documents of cosine's order, and of the order at the epsilon that is asked about. */
const FROM_EACH = 3;
const LEAST_DOCUMENTS = 3;
/** Documents that each search looks at. */
const LIMIT = 10;
const PER_DECADE = 16;
const EPSILONS = Array.from({ length: PER_DECADE * Math.log10(ORDER.most / ORDER.least) + 1 }, (_, at) => ORDER.least * 10 ** (at / PER_DECADE));
const ROW_EVERY = 4;

interface Found {
  query: string;
  queryNorm: number;
  hits: readonly Hit[];
  swaps: readonly SwapPoint[];
}

/** Documents of a search: their scores against epsilon, each as a share of the first's. */
export class Order implements Subject {
  readonly name = "order";
  readonly file = "learn-order";
  readonly prose = said.prose;
  readonly prediction: ChoicePrediction;
  readonly controls: readonly HTMLElement[];
  readonly plot: readonly Element[];
  readonly #context: Context;
  readonly #lab: Lab;
  readonly #redraw: () => void;
  readonly #chart = new LineChart();
  readonly #epsilon: Slider;
  readonly #list = make("ol", "learn-order");
  readonly #listName = make("p", "learn-order-name");
  readonly #search = latest(() => this.#find());
  #wanted = "";
  #found: Found | undefined;
  #status = said.waiting;

  constructor(context: Context, redraw: () => void) {
    const { lab, store } = context;
    this.#context = context;
    this.#lab = lab;
    this.#redraw = redraw;
    this.plot = [this.#chart.element];
    this.prediction = new ChoicePrediction(this.name, redraw);
    this.#epsilon = new Slider(text.epsilon, { ...ORDER, perDecade: PER_DECADE }, (order) => store.set({ learn: { ...store.state.learn, order } }));
    const listed = make("div");
    listed.append(this.#listName, this.#list);
    this.controls = [this.#epsilon.element, listed];
  }

  get status(): string {
    return this.#found ? "" : this.#status;
  }

  engineChanged(): void {
    this.#wanted = "";
  }

  leave(): void {
    // The model may be fine-tuned meanwhile.
    this.#wanted = "";
  }

  inputs() {
    const { query, learn } = this.#context.store.state;
    // It looks for documents anew where the first is empty.
    return [this.#wanted === "", this.#context.demo(), query, learn.order];
  }

  draw(told: boolean): Drawn | undefined {
    const engine = this.#context.demo();
    const { query, learn: state } = this.#context.store.state;
    const wanted = engine ? JSON.stringify([query.trim(), engine.description.space, engine.documentCount]) : "";
    if (wanted !== this.#wanted) {
      this.#wanted = wanted;
      if (engine) void this.#search();
    }
    this.#epsilon.show(state.order, format.plain(state.order));
    const found = this.#found;
    if (!found) return undefined;

    const { hits, swaps } = found;
    const epsilon = state.order;
    const names = hits.map(nameOf);
    const shares = hits.map((hit) => this.#shares(found, hit, EPSILONS));
    const lines = hits.map((_, at) => ({
      name: names[at]!,
      series: at + 1,
      points: EPSILONS.map((one, place) => [one, shares[at]![place]!] as const).slice(0, told ? undefined : PER_DECADE / 2),
    }));
    const least = Math.min(...shares.flat());
    const dots = swaps.flatMap(({ epsilon, first, second }) => {
      if (epsilon < ORDER.least || epsilon > ORDER.most) return [];
      const name = said.swap(format.plain(epsilon), names[second]!, names[first]!);
      return [{ at: [epsilon, this.#shares(found, hits[first]!, [epsilon])[0]!] as const, series: second + 1, name }];
    });
    this.#chart.draw({
      x: { label: said.x, domain: [ORDER.least, ORDER.most], log: true, ticks: [0.001, 0.01, 0.1, 1, 10, 100] },
      y: { label: said.y, domain: [Math.floor(least * 10) / 10, 1.02], format: (value) => format.percent(value) },
      lines,
      rules: told ? [{ at: epsilon, name: `ε = ${format.plain(epsilon)}`, label: `ε = ${format.plain(epsilon)}` }] : [],
      dots: told ? dots : [],
    });
    const order = this.#orderAt(found, epsilon);
    this.#listName.textContent = said.list(format.plain(epsilon));
    const { queryNorm } = found;
    this.#list.replaceChildren(
      ...order.map((hit) => {
        const item = make("li");
        const title = make("span", "", hit.title);
        title.lang = hit.language;
        const [score = 0] = this.#lab.scores(hit.dot, queryNorm, hit.documentNorm, [epsilon]);
        item.append(title, ` (${languageName(hit.language)}) `, make("span", "learn-score", format.score(score)));
        return item;
      }),
    );
    const count = format.count(hits.length);
    return {
      title: said.title(found.query),
      question: said.question(found.query, nameOf(this.#orderAt(found, 0)[0]!), format.plain(learn.usual.order)),
      sentence: told ? said.sentence(format.plain(epsilon), nameOf(order[0]!), dots.length, count) : said.before(count),
      table: {
        caption: said.y,
        columns: [said.x, ...names],
        rows: lines[0]!.points.flatMap(([one], place) =>
          place % ROW_EVERY === 0 ? [[one, ...lines.map(({ points }) => points[place]![1])]] : [],
        ),
        format: (value, column) => (column === 0 ? format.plain(value) : format.percent(value, 1)),
      },
    };
  }

  outcome(): string {
    const found = this.#found!;
    const first = this.#orderAt(found, learn.usual.order)[0]!;
    const predicted = found.hits.find((hit) => keyOf(hit) === this.prediction.value);
    if (!predicted) return text.compared.only(nameOf(first));
    return predicted === first ? text.compared.right(nameOf(first)) : text.compared.wrong(nameOf(predicted), nameOf(first));
  }

  lab() {
    const { query, learn } = this.#context.store.state;
    const asked = this.#found?.query ?? query;
    return { view: "search", settings: { query: asked, epsilon: learn.order, model: "demo", hood: "open" } } as const;
  }

  async #find(): Promise<void> {
    const engine = this.#context.demo();
    if (!engine) return;
    try {
      const own = this.#context.store.state.query.trim();
      const found = await this.#findOne(engine, own === "" ? strings.examples : [own]);
      if (engine !== this.#context.demo()) return;
      this.#found = found;
      if (found) this.prediction.offer(found.hits.map((hit) => ({ key: keyOf(hit), label: nameOf(hit) })));
      else this.#status = said.nothing(own);
    } catch (error) {
      if (engine !== this.#context.demo() || isBroken(error)) return;
      const { code, message } = toFailure(error);
      this.#found = undefined;
      this.#status = said.failed(message, code);
    }
    this.#redraw();
  }

  /** The documents of the first query whose order has another first document at the end; else of the first query. */
  async #findOne(engine: SmoothClir, queries: readonly string[]): Promise<Found | undefined> {
    let fallback: Found | undefined;
    for (const query of queries) {
      const [small, large, { queryNorm }] = await Promise.all([
        engine.search(query, { epsilon: 0, dense: 1, limit: LIMIT }),
        engine.search(query, { epsilon: learn.usual.order, dense: 1, limit: LIMIT }),
        engine.dots(query),
      ]);
      const hits = [...new Map([...small.slice(0, FROM_EACH), ...large.slice(0, FROM_EACH)].map((hit) => [keyOf(hit), hit])).values()];
      if (hits.length < LEAST_DOCUMENTS) continue;
      const swaps = this.#lab.swapPoints(hits.map(({ dot }) => dot), hits.map(({ documentNorm }) => documentNorm));
      const found = { query, queryNorm, hits, swaps };
      if (keyOf(small[0]!) !== keyOf(large[0]!)) return found;
      fallback ??= found;
    }
    return fallback;
  }

  #orderAt({ hits, queryNorm }: Found, epsilon: number): Hit[] {
    const scored = hits.map((hit) => ({ hit, score: this.#lab.scores(hit.dot, queryNorm, hit.documentNorm, [epsilon])[0]! }));
    return scored.sort((a, b) => b.score - a.score).map(({ hit }) => hit);
  }

  /** A document's score as a share of the first's, at each epsilon. */
  #shares({ hits, queryNorm }: Found, hit: Hit, epsilons: readonly number[]): number[] {
    const all = hits.map(({ dot, documentNorm }) => this.#lab.scores(dot, queryNorm, documentNorm, epsilons));
    const own = this.#lab.scores(hit.dot, queryNorm, hit.documentNorm, epsilons);
    return epsilons.map((_, at) => own[at]! / Math.max(...all.map((scores) => scores[at]!)));
  }
}

/** Two documents may have the same title in two languages. */
const nameOf = ({ title, language }: Hit): string => said.named(title, languageName(language));
