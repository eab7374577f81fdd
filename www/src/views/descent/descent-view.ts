import type { ColourScale, Point, Step } from "smooth-clir/lab";
import { Figure } from "../../ui/charts/figure";
import { lineFigure } from "../../ui/charts/line-figure";
import { type Line } from "../../ui/charts/line-chart";
import { Plane } from "../../ui/charts/plane";
import { LIMIT, onNewColours, palette } from "../../ui/colours";
import { make } from "../../ui/dom";
import * as format from "../../ui/format";
import { drawLegend } from "../../ui/legend";
import { strings } from "../../i18n/strings";
import type { Context, Mount, View } from "../view";
import { Controls } from "./controls";
import { DOCUMENT, runAll, RUNS, type Run, type RunName } from "./runs";
import { STEPS, type DescentState } from "../../state/descent";
import { RealTraining } from "./real-training";
import { text } from "./strings";
import { tell } from "./telling";

/** Points along a side of a map; odd, so that the origin is one. */
const SIZE = 101;
/** Shades of lengths above 0. */
const COLOUR_STEPS = 126;
/** The largest extent of a plane; a path that goes further leaves it. */
const EXTENTS = [1.25, 2.5, 5];
const LEGEND_TICKS = [0, 0.1, 1, 10];
/** The shortest step that has a place on the logarithmic axis. */
const SHORTEST = 1e-12;
const MOST_TICKS = 7;

interface Panel {
  figure: Figure;
  plane: Plane;
}

/** Gradient descent of one vector in four ways, side by side. */
class DescentView implements View {
  readonly #context: Context;
  readonly #controls: Controls;
  readonly #panels: Record<RunName, Panel>;
  readonly #legend = { canvas: make("canvas"), ticks: make("div", "legend-ticks") };
  readonly #real: RealTraining;
  readonly #lengths = lineFigure(text.lengths, "step-lengths");
  readonly #scores = lineFigure(text.scores, "step-similarities");
  readonly #maps = new Map<string, ImageData>();
  #greeted = false;
  /** The runs, and the settings that they were computed from. */
  #made: { from: string; runs: Run[] } | undefined;

  constructor(root: HTMLElement, context: Context) {
    this.#context = context;
    this.#controls = new Controls(context.store);
    this.#real = new RealTraining(context);
    this.#panels = Object.fromEntries(RUNS.map((name) => [name, panel(name)])) as Record<RunName, Panel>;
    const planes = make("div", "figures");
    planes.append(...RUNS.map((name) => this.#panels[name].figure.element));
    const key = make("div", "descent-key");
    const legend = make("div", "legend");
    legend.ariaHidden = "true";
    legend.append(this.#legend.canvas, this.#legend.ticks);
    key.append(make("p", "", text.scale), legend);
    const happens = make("section", "descent-happens");
    happens.append(make("h3", "", text.happens), ...text.explained.map((one) => make("p", "", one)));
    root.append(
      make("h2", "", text.title),
      make("p", "", text.lead),
      this.#controls.element,
      planes,
      key,
      this.#lengths.figure.element,
      this.#scores.figure.element,
      happens,
      this.#real.element,
    );
    this.#drawLegend();
    onNewColours(() => {
      this.#maps.clear();
      this.#drawLegend();
      this.update();
    });
  }

  update(): void {
    if (!this.#greeted) {
      this.#greeted = true;
      // A link that names a step shows that step; any other begins at the beginning, and moves.
      if (this.#context.store.state.descent.step === STEPS) this.#controls.play();
    }
    const state = this.#context.store.state.descent;
    const epsilon = this.#context.epsilon();
    this.#controls.show(state);
    const runs = this.#runs(state, epsilon);
    for (const run of runs) this.#showRun(run, state);
    this.#showLengths(runs, state.step);
    this.#showScores(runs, state.step);
    this.#real.update();
  }

  engineChanged(): void {
    this.#real.engineChanged();
  }

  leave(): void {
    this.#controls.pause();
    this.#real.leave();
  }

  #drawLegend(): void {
    drawLegend(this.#legend, this.#context.lab, scale(), LEGEND_TICKS, "above-zero");
  }

  #runs({ step: _, ...settings }: DescentState, epsilon: number): Run[] {
    const from = JSON.stringify([settings, epsilon]);
    if (this.#made?.from !== from) {
      this.#made = { from, runs: runAll(this.#context.lab, this.#context.store.state.descent, epsilon) };
    }
    return this.#made.runs;
  }

  #showRun(run: Run, state: DescentState): void {
    const { figure, plane } = this.#panels[run.name];
    const extent = extentOf(run.places.map(({ point }) => point));
    const places = run.places.slice(0, state.step + 1);
    plane.draw({
      map: this.#map(extent, run.epsilon),
      extent,
      document: DOCUMENT,
      path: places.map(({ point }) => point),
      outside: (norm) => text.outside(format.plain(norm)),
      label: format.plain,
    });
    const value = { cosine: "", adam: "", clipped: format.plain(state.clip), smooth: format.plain(run.epsilon) };
    const title = text.titles[run.name](value[run.name]);
    figure.title = title;
    figure.summary = tell(run, state, this.#context.lab, extent);
    const { step, x1, x2, norm, length, gradient, score, cosine } = text.columns;
    figure.table = {
      caption: text.caption(title),
      columns: [step, x1, x2, norm, length, gradient, score, cosine],
      rows: places.map(({ point, norm, gradient, score, cosine }, at) => {
        const length = run.steps[at - 1]?.length ?? text.none;
        return [at, ...point, norm, length, gradient, score, cosine];
      }),
      format: format.plain,
    };
  }

  /** The gradient's length over a plane; kept, because most changes leave it as it is. */
  #map(extent: number, epsilon: number): ImageData {
    const key = `${extent} ${epsilon}`;
    const known = this.#maps.get(key);
    if (known) return known;
    // Enough for a frame: the planes of cosine, and one of smooth cosine.
    if (this.#maps.size > 2 * EXTENTS.length) this.#maps.clear();
    const { image } = this.#context.lab.paintMap("length", DOCUMENT, { size: SIZE, extent, epsilon, scale: scale() });
    this.#maps.set(key, image);
    return image;
  }

  #showLengths(runs: readonly Run[], shown: number): void {
    const seen = runs.flatMap(({ steps }) => steps.map(({ length }) => length)).filter((length) => length >= SHORTEST);
    const { figure, chart } = this.#lengths;
    const powers = decades(seen);
    chart.draw({
      x: { label: text.stepLabel, domain: [1, STEPS] },
      y: {
        label: text.lengthsLabel,
        domain: [10 ** powers[0]!, 10 ** powers.at(-1)!],
        log: true,
        ticks: powers.filter((power) => power % Math.ceil(powers.length / MOST_TICKS) === 0).map((power) => 10 ** power),
        format: format.power,
      },
      lines: lines(runs, (run) => run.steps.slice(0, shown).map(({ length }, at) => [at + 1, length])),
      dots: dots(runs, (run) => [shown, run.steps[shown - 1]?.length]),
    });
    const longest = (steps: readonly Step[]) => Math.max(...steps.map(({ length }) => length));
    figure.summary = text.lengthsSummary(
      ofRuns(runs, ({ steps }) => (shown === 0 ? text.none : format.plain(longest(steps.slice(0, shown))))),
    );
    figure.table = {
      caption: text.allCaption.lengths,
      columns: [text.columns.step, ...RUNS.map((name) => text.names[name])],
      rows: count(1, shown).map((step) => [step, ...runs.map(({ steps }) => steps[step - 1]?.length ?? text.none)]),
      format: format.plain,
    };
  }

  #showScores(runs: readonly Run[], shown: number): void {
    const { figure, chart } = this.#scores;
    const least = Math.min(...runs.flatMap(({ places }) => places.map(({ score }) => score)));
    chart.draw({
      x: { label: text.stepLabel, domain: [0, STEPS] },
      y: { label: text.scoresLabel, domain: [least < 0 ? -1 : 0, 1] },
      lines: lines(runs, (run) => run.places.slice(0, shown + 1).map(({ score }, at) => [at, score])),
      dots: dots(runs, (run) => [shown, run.places[shown]?.score]),
    });
    const score = ({ places }: Run) => format.score(places[Math.min(shown, places.length - 1)]!.score);
    figure.summary = text.scoresSummary(shown, ofRuns(runs, score));
    figure.table = {
      caption: text.allCaption.scores,
      columns: [text.columns.step, ...RUNS.map((name) => text.names[name])],
      rows: count(0, shown).map((step) => [step, ...runs.map(({ places }) => places[step]?.score ?? text.none)]),
      format: format.plain,
    };
  }
}

export const mount: Mount = (root, context) => new DescentView(root, context);

const scale = (): ColourScale => ({ ...palette(), limit: LIMIT, steps: COLOUR_STEPS });

function panel(name: RunName): Panel {
  const figure = new Figure(text.names[name], `descent-${name}`);
  const plane = new Plane();
  figure.plot.append(plane.element);
  return { figure, plane };
}

type Coordinates = readonly [number, number | undefined];

function lines(runs: readonly Run[], points: (run: Run) => [number, number][]): Line[] {
  return runs.map((run, at) => ({ name: text.names[run.name], series: at + 1, points: points(run) }));
}

function dots(runs: readonly Run[], place: (run: Run) => Coordinates) {
  return runs.flatMap((run, at) => {
    const [x, y] = place(run);
    return y === undefined ? [] : [{ at: [x, y] as const, series: at + 1, name: text.names[run.name] }];
  });
}

const ofRuns = (runs: readonly Run[], value: (run: Run) => string) =>
  strings.parts(runs.map((run) => text.ofRun(text.names[run.name], value(run))));

const count = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

/** The smallest plane that holds a path, or the smallest of all where none does. */
function extentOf(path: readonly Point[]): number {
  const furthest = Math.max(...path.flat().map(Math.abs));
  return EXTENTS.find((extent) => furthest < extent) ?? EXTENTS[0]!;
}

/** The powers of ten from below some lengths to above them. */
function decades(lengths: readonly number[]): number[] {
  const least = Math.floor(Math.log10(Math.min(...lengths)));
  return count(least, Math.max(Math.ceil(Math.log10(Math.max(...lengths))), least + 1));
}
