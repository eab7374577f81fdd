import { changed } from "../../ui/changed";
import { Figure } from "../../ui/charts/figure";
import { lineFigure } from "../../ui/charts/line-figure";
import { make } from "../../ui/dom";
import { toFailure } from "../../ui/failure";
import * as format from "../../ui/format";
import { strings } from "../../i18n/strings";
import { isOfAnother } from "../../model/evaluation";
import type { Context, Mount, View } from "../view";
import { ConfusionPicture } from "./confusion";
import { Controls } from "./controls";
import { TestPairs, type GradeScores } from "./densities";
import { LOSSES, moved, type LossesState, type Thresholds } from "../../state/losses";
import { text } from "./strings";
import { makeDraggable } from "./thresholds";

/** Paper 1's thresholds, where the model has none of three grades. */
const USUAL: Thresholds = [0.2, 0.7];
/** The scale of McCullagh's proportional odds. */
const SCALE = 10;
const POINTS = Array.from({ length: 201 }, (_, at) => (at - 100) / 100);
/** The number of points in one row of a table. */
const ROW_EVERY = 10;
const TICKS = [-1, -0.5, 0, 0.5, 1];
const HEIGHTS = { value: [0, 3], slope: [-4, 4] } as const;
const GRADES = text.grades;

/** The losses of scores, and the densities of a model's scores. */
class LossesView implements View {
  readonly #context: Context;
  readonly #controls: Controls;
  readonly #losses = GRADES.map(({ name, short }) => lineFigure(name, `losses-${short.toLowerCase()}`));
  readonly #density = lineFigure(text.density, "score-densities");
  readonly #confusion = { figure: new Figure(text.confusion, "confusion"), picture: new ConfusionPicture() };
  readonly #pairs: TestPairs;
  readonly #note = make("p");
  readonly #retry = make("button", "", text.retry);
  readonly #isOther = changed();

  constructor(root: HTMLElement, context: Context) {
    this.#context = context;
    this.#pairs = new TestPairs(context.lab, POINTS, () => this.update());
    this.#controls = new Controls(context.store, () => this.#own());
    for (const { chart } of this.#losses) {
      makeDraggable(chart, () => this.#thresholds(), (which, to) => this.#move(which, to));
    }
    makeDraggable(
      this.#density.chart,
      () => (this.#atOwn() ? this.#thresholds() : undefined),
      (which, to) => this.#move(which, to),
    );
    this.#retry.type = "button";
    this.#retry.addEventListener("click", () => {
      this.#pairs.retry();
      this.update();
    });
    this.#confusion.figure.plot.append(this.#confusion.picture.svg);
    const pictures = make("div", "figures");
    pictures.append(...[...this.#losses, this.#density].map(({ figure }) => figure.element));
    const scores = make("section", "loss-scores");
    scores.append(this.#controls.model, this.#note, this.#retry);
    const notes = make("section", "loss-notes");
    const list = make("ul");
    list.append(...text.noted.map((one) => make("li", "", one)));
    notes.append(make("h3", "", text.notes), list);
    root.append(
      make("h2", "", text.title),
      make("p", "", text.lead),
      this.#controls.element,
      pictures,
      scores,
      this.#confusion.figure.element,
      notes,
    );
  }

  update(): void {
    const state = this.#context.store.state.losses;
    const thresholds = this.#thresholds();
    this.#controls.show(state, thresholds);
    const { shown, curve, score } = state;
    // Epsilon, which moves the scores, is nothing to them.
    if (this.#isOther(shown, curve, score, ...thresholds)) {
      for (const grade of GRADES.keys()) this.#showLosses(grade, state, thresholds);
    }
    this.#showScores(state, thresholds);
  }

  leave(): void {
    this.#pairs.forget();
  }

  /** The thresholds of the model. */
  #own(): Thresholds {
    const found = this.#context.engine()?.description.config?.["thresholds"];
    if (!Array.isArray(found) || found.length !== 2) return USUAL;
    const [lower, upper] = found.map((one) => (typeof one === "number" ? Number(one.toFixed(2)) : Number.NaN));
    return lower! < upper! ? [lower!, upper!] : USUAL;
  }

  #thresholds(): Thresholds {
    return this.#context.store.state.losses.thresholds ?? this.#own();
  }

  #atOwn(): boolean {
    return this.#context.epsilon() === this.#context.ownEpsilon();
  }

  #move(which: 0 | 1, to: number): void {
    const { store } = this.#context;
    const thresholds = moved(this.#thresholds(), which, to);
    if (thresholds.join() === this.#thresholds().join()) return;
    store.set({ losses: { ...store.state.losses, thresholds } });
  }

  #showLosses(grade: number, { shown, curve, score }: LossesState, thresholds: Thresholds): void {
    const { figure, chart } = this.#losses[grade]!;
    const of = (name: (typeof LOSSES)[number], scores: readonly number[]) => {
      const { values, slopes } = this.#context.lab.loss(name, grade, scores, { thresholds, scale: SCALE });
      return curve === "value" ? values : slopes;
    };
    const lines = shown.map((name) => ({ name, series: LOSSES.indexOf(name) + 1, values: of(name, POINTS), here: of(name, [score])[0]! }));
    chart.draw({
      x: { label: text.scoreLabel, domain: [-1, 1], ticks: TICKS },
      y: { label: curve === "value" ? text.lossLabel : text.slopeLabel, domain: HEIGHTS[curve] },
      lines: lines.map(({ name, series, values }) => ({
        name: text.names[name],
        series,
        points: POINTS.map((point, at) => [point, values[at]!] as const),
      })),
      rules: rules(thresholds),
      dots: lines.map(({ name, series, here }) => ({ at: [score, here] as const, series, name: text.names[name] })),
    });
    const [lower, upper] = thresholds.map(format.plain) as [string, string];
    const parts = strings.parts(lines.map(({ name, here }) => text.ofLoss(text.names[name], format.loss(here))));
    const numbers = lines.length === 0 ? text.noLoss : text.atScore[curve](format.plain(score), parts);
    figure.summary = `${text.wanted[grade]!(lower, upper)} ${numbers}`;
    figure.table = {
      caption: text.lossCaption[curve](GRADES[grade]!.name),
      columns: [text.scoreLabel, ...lines.map(({ name }) => text.names[name])],
      rows: rowsOf(lines.map(({ values }) => values)),
      format: format.plain,
    };
  }

  #showScores({ model }: LossesState, thresholds: Thresholds): void {
    const epsilon = this.#context.epsilon();
    const engine = this.#context.engine();
    const pairs = this.#pairs.of(model, engine);
    const { failure, evaluation } = this.#pairs;
    this.#retry.hidden = pairs !== undefined || failure === undefined;
    this.#density.figure.element.hidden = pairs === undefined;
    this.#confusion.figure.element.hidden = pairs === undefined || !this.#atOwn();
    if (pairs === undefined) {
      const failed = () => {
        const { message, code } = toFailure(failure);
        return text.failed(message, code);
      };
      this.#note.textContent = failure !== undefined ? failed() : model === "loaded" && !engine ? text.noModel : text.fetching;
      return;
    }
    const notes = this.#atOwn() ? [] : [text.noThresholds(format.plain(epsilon), format.plain(this.#context.ownEpsilon()))];
    if (evaluation && isOfAnother(evaluation, engine)) notes.push(text.otherModel);
    else if (evaluation?.refit) notes.push(text.refit);
    this.#note.textContent = notes.join(" ");
    this.#showDensity(this.#pairs.grades(pairs, epsilon, GRADES.length), epsilon, thresholds);
    if (this.#atOwn()) this.#showConfusion(pairs.confusion(epsilon, thresholds));
  }

  #showDensity(grades: readonly GradeScores[], epsilon: number, thresholds: Thresholds): void {
    const { figure, chart } = this.#density;
    const most = Math.max(...grades.flatMap(({ density }) => [...density]));
    chart.draw({
      x: { label: text.scoreLabel, domain: [-1, 1], ticks: TICKS },
      y: { label: text.densityLabel, domain: [0, roundUp(most)] },
      lines: grades.map(({ density }, grade) => ({
        name: GRADES[grade]!.name,
        series: grade + 1,
        points: POINTS.map((point, at) => [point, density[at]!] as const),
      })),
      rules: this.#atOwn() ? rules(thresholds) : [],
    });
    const count = grades.reduce((sum, { count }) => sum + count, 0);
    const peaks = strings.parts(grades.map(({ peak }, grade) => text.ofGrade(GRADES[grade]!.short, format.plain(peak))));
    figure.summary = text.densitySummary(format.count(count), format.plain(epsilon), peaks);
    figure.table = {
      caption: text.densityCaption,
      columns: [text.scoreLabel, ...GRADES.map(({ short }) => short)],
      rows: rowsOf(grades.map(({ density }) => density)),
      format: format.plain,
    };
  }

  #showConfusion(counts: readonly (readonly number[])[]): void {
    const { figure, picture } = this.#confusion;
    const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);
    const percent = (share: number) => format.percent(share, 1);
    const rows = counts.map((row) =>
      row.map((count) => {
        const share = count / Math.max(sum(row), 1);
        return { count: format.count(count), percent: percent(share), share };
      }),
    );
    picture.draw(rows);
    const all = sum(counts.map(sum));
    const right = sum(counts.map((row, grade) => row[grade]!));
    figure.summary = `${text.confusionSummary(format.count(right), format.count(all), percent(right / Math.max(all, 1)))} ${text.mostly}`;
    figure.table = {
      caption: text.confusionCaption,
      columns: ["", ...GRADES.map(({ short }) => text.givenGrade(short))],
      rows: counts.map((row, grade) => [text.judgedGrade(GRADES[grade]!.short), ...row]),
      format: format.count,
    };
  }
}

export const mount: Mount = (root, context) => new LossesView(root, context);

const rules = (thresholds: Thresholds) =>
  thresholds.map((at, which) => ({ at, name: text.thresholds[which]!, label: text.thresholds[which]! }));

/** Some of the points, with what each curve is there. */
function rowsOf(curves: readonly Float32Array[]): number[][] {
  const rows = [...POINTS.keys()].filter((at) => at % ROW_EVERY === 0);
  return rows.map((at) => [POINTS[at]!, ...curves.map((values) => values[at]!)]);
}

/** The next of 1, 2, 5, 10, 20, 50...: an axis that does not change with every frame. */
function roundUp(value: number): number {
  const decade = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return [1, 2, 5, 10].map((factor) => factor * decade).find((end) => end >= value)!;
}
