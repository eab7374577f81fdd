import type { ColourScale, Lab, Point } from "smooth-clir/lab";
import { Plane } from "../../ui/charts/plane";
import { LIMIT, palette } from "../../ui/colours";
import { make } from "../../ui/dom";
import * as format from "../../ui/format";
import { drawLegend } from "../../ui/legend";
import { Slider } from "../../ui/slider";
import { BOUND, learn } from "../../state/learn";
import { maps } from "../../state/maps";
import type { Context } from "../view";
import { compare, NumberPrediction } from "./prediction";
import type { Drawn, Subject } from "./section";
import { text } from "./strings";

const said = text.bound;
const DOCUMENT: Point = [0, 1];
const ORIGIN: Point = [0, 0];
/** The epsilon at which the figure begins. */
const START = 0.5;
const EXTENT = 1.25;
/** Points along a side of a map; odd, so that the origin is one. */
const SIZE = 101;
/** Shades of lengths above 0. */
const SHADES = 126;
const TICKS = [0, 0.1, 1, 10];
const EPSILONS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];

/** The length of the gradient over the plane, for cosine and for smooth cosine. */
export class Bound implements Subject {
  readonly name = "bound";
  readonly file = "learn-bound";
  readonly prose = said.prose;
  readonly prediction: NumberPrediction;
  readonly controls: readonly HTMLElement[];
  readonly plot: readonly Element[];
  readonly #lab: Lab;
  readonly #store: Context["store"];
  readonly #planes = { cosine: new Plane(), smooth: new Plane() };
  readonly #caption = make("p", "learn-caption");
  readonly #legend = { canvas: make("canvas"), ticks: make("div", "legend-ticks") };
  readonly #epsilon: Slider;

  constructor({ lab, store }: Context, redraw: () => void) {
    this.#lab = lab;
    this.#store = store;
    const course = { least: 1, most: 1000, perDecade: 20 };
    this.prediction = new NumberPrediction(said.label, { start: 10, course, format: format.plain }, redraw);
    this.#epsilon = new Slider(text.epsilon, { ...BOUND, perDecade: 20 }, (bound) => store.set({ learn: { ...store.state.learn, bound } }));
    this.controls = [this.#epsilon.element];
    const planes = make("div", "learn-planes");
    for (const [name, caption] of [["cosine", make("p", "learn-caption", said.cosine)], ["smooth", this.#caption]] as const) {
      const box = make("div");
      box.append(this.#planes[name].element, caption);
      planes.append(box);
    }
    const legend = make("div", "legend");
    legend.append(this.#legend.canvas, this.#legend.ticks);
    const key = make("div", "learn-key");
    key.append(make("span", "", said.scale), legend);
    this.plot = [planes, key];
  }

  inputs() {
    return [this.#store.state.learn.bound];
  }

  draw(told: boolean): Drawn {
    const asked = learn.usual.bound;
    const { bound } = this.#store.state.learn;
    const epsilon = told ? bound : START;
    this.#epsilon.show(bound, format.plain(bound));
    drawLegend(this.#legend, this.#lab, scale(), TICKS, "above-zero");
    for (const [name, at] of [["cosine", 0], ["smooth", epsilon]] as const) {
      const { image } = this.#lab.paintMap("length", DOCUMENT, { size: SIZE, extent: EXTENT, epsilon: at, scale: scale() });
      this.#planes[name].draw({ map: image, extent: EXTENT, document: DOCUMENT, path: [ORIGIN], outside: () => "", label: format.plain });
    }
    this.#caption.textContent = said.smooth(format.plain(epsilon));
    const { exact, tight } = this.#lab.bounds(DOCUMENT, epsilon);
    const sentence = told
      ? said.sentence(format.plain(epsilon), format.plain(exact), format.plain(tight))
      : said.before(format.plain(START), format.plain(exact));
    const start = this.#lab.bounds(DOCUMENT, START).exact;
    return {
      title: said.title,
      question: said.question(format.plain(START), format.plain(start), format.plain(START / asked), format.plain(asked)),
      sentence,
      table: {
        caption: said.caption,
        columns: said.columns,
        rows: (told ? EPSILONS : EPSILONS.filter((one) => one >= START)).map((one) => {
          const { exact, tight } = this.#lab.bounds(DOCUMENT, one);
          return [one, exact, tight];
        }),
        format: format.plain,
      },
    };
  }

  outcome(): string {
    return compare(this.prediction, this.#lab.bounds(DOCUMENT, learn.usual.bound).exact, "factor", format.plain);
  }

  lab() {
    const { bound } = this.#store.state.learn;
    return { view: "maps", settings: { epsilon: bound, maps: { ...maps.usual, quantity: "length", document: DOCUMENT } } } as const;
  }
}

const scale = (): ColourScale => ({ ...palette(), limit: LIMIT, steps: SHADES });
