import type { SmoothClir } from "smooth-clir";
import { make } from "../../ui/dom";
import { toFailure } from "../../ui/failure";
import * as format from "../../ui/format";
import { latest } from "../../ui/latest";
import { languageName } from "../../i18n/strings";
import type { Context, Mount, View } from "../view";
import { Rankings } from "./curves";
import { candidatesBy, candidatesHeldOut, isOfAnother, loadEvaluation, type Candidates, type Evaluation } from "../../model/evaluation";
import { labelOf, METRICS, type MetricName, type MetricsState } from "../../state/metrics";
import { text } from "./strings";
import { SWEEPS, SWEPT } from "./sweep";
import { SweepFigure } from "./sweep-figure";
import { tableBox } from "../../ui/charts/table";
import { EpsilonFigure, NegativesFigure, type Model } from "./test-figures";
import { TrecPanel } from "./trec-panel";

export const mount: Mount = (root, context) => new MetricsView(root, context);

/** Metrics against epsilon and against the number of sampled negatives, and the metrics of a person's own files. */
class MetricsView implements View {
  readonly #context: Context;
  readonly #intro = make("p");
  readonly #metric = make("select");
  readonly #language = make("select");
  readonly #meaning = make("p");
  readonly #status = make("p");
  readonly #retry = make("button", "", text.retry);
  readonly #otherModel = make("p", "metrics-note", text.otherModel);
  readonly #tests = make("div", "metric-tests");
  readonly #seven = make("div", "metric-seven");
  readonly #grades = make("div", "metric-grades");
  readonly #refit = make("p");
  readonly #epsilon = new EpsilonFigure();
  readonly #epsilonSweep = new SweepFigure(SWEEPS.epsilon, {
    name: "metric-trained-again-for-epsilon",
    title: text.sweepTitle,
    note: text.sweepEpsilonNote(format.count(SWEEPS.epsilon.seeds)),
    axis: text.epsilonAxis,
    at: text.atEpsilon,
    sampled: text.sweepSampled(format.count(SWEPT.negatives)),
    all: text.sweepAll(format.count(SWEPT.documents)),
  });
  readonly #negatives = new NegativesFigure();
  readonly #negativesSweep = new SweepFigure(SWEEPS.negatives, {
    name: "metric-trained-again-for-negatives",
    title: text.sweepNegativesTitle,
    note: text.sweepNegativesNote(format.count(SWEEPS.negatives.seeds)),
    axis: text.negativesAxis,
    at: text.atNegatives,
    sampled: text.sweepNegativesSampled,
    all: text.sweepAll(format.count(SWEPT.documents)),
  });
  readonly #trec: TrecPanel;
  readonly #load = latest(() => this.#loadAll());
  #evaluation: Evaluation | undefined;
  #heldOut: readonly Candidates[] = [];
  /** The loaded model's candidates; undefined until it has ranked, and again when it may have changed. */
  #loaded: readonly Candidates[] | undefined;
  #engine: SmoothClir | undefined;
  #failure: unknown;
  #models: Model[] = [];
  /** The inputs of the models' rankings. */
  #made: { language: string | undefined; loaded: readonly Candidates[] | undefined } | undefined;

  constructor(root: HTMLElement, context: Context) {
    this.#context = context;
    this.#trec = new TrecPanel(context.lab);
    this.#retry.type = "button";
    this.#retry.addEventListener("click", () => {
      this.#failure = undefined;
      this.update();
    });
    this.#status.role = "status";
    const figures = (...all: { element: HTMLElement }[]) => {
      const element = make("div", "figures");
      element.append(...all.map(({ element }) => element));
      return element;
    };
    this.#tests.append(
      this.#refit,
      figures(this.#epsilon, this.#epsilonSweep),
      make("p", "", text.sweepSource(format.count(SWEPT.queries), format.count(SWEEPS.epsilon.testQueries))),
      this.#seven,
      this.#grades,
      make("h2", "", text.negativesHeading),
      make("p", "", text.negativesIntro),
      figures(this.#negatives, this.#negativesSweep),
    );
    root.append(
      make("h2", "", text.heading),
      this.#intro,
      this.#controls(),
      this.#meaning,
      this.#status,
      this.#retry,
      this.#otherModel,
      this.#tests,
      this.#trec.element,
    );
  }

  update(): void {
    const engine = this.#context.engine();
    if (engine !== this.#engine) {
      this.#engine = engine;
      this.#loaded = undefined;
      this.#failure = undefined;
    }
    const waits = !this.#evaluation || (engine !== undefined && !this.#loaded);
    if (waits && this.#failure === undefined) void this.#load();
    this.#draw();
  }

  leave(): void {
    // Fine-tuning may change it meanwhile.
    this.#loaded = undefined;
  }

  async #loadAll(): Promise<void> {
    try {
      if (!this.#evaluation) {
        this.#evaluation = await loadEvaluation();
        this.#heldOut = candidatesHeldOut(this.#evaluation);
        this.#fillLanguages(this.#evaluation);
        this.#draw();
      }
      const engine = this.#engine;
      if (engine && !this.#loaded) {
        const candidates = await candidatesBy(engine, this.#evaluation);
        if (engine === this.#engine) this.#loaded = candidates;
      }
      this.#failure = undefined;
    } catch (error) {
      this.#failure = error;
    }
    this.#draw();
  }

  #draw(): void {
    const { metric } = this.#context.store.state.metrics;
    this.#metric.value = metric;
    this.#meaning.textContent = text.meaning(labelOf(metric), text.meanings[metric]);
    this.#trec.draw(metric);
    this.#tell();
    const evaluation = this.#evaluation;
    this.#tests.hidden = !evaluation;
    if (!evaluation) return;
    this.#rank(evaluation);
    const epsilon = this.#context.epsilon();
    const queries = this.#heldOut.filter(({ language }) => this.#isWanted(language)).length;
    this.#epsilon.draw(this.#models, metric, epsilon, queries);
    this.#epsilonSweep.draw(metric, { rule: epsilon, name: text.atSlider(format.plain(epsilon)) });
    this.#negatives.draw(this.#models, metric, epsilon);
    this.#negativesSweep.draw(metric);
    this.#drawSeven(epsilon, queries);
    this.#drawGrades(evaluation, epsilon);
  }

  /** Shows the progress or the failure. */
  #tell(): void {
    const failed = this.#failure !== undefined;
    const { code, message } = toFailure(this.#failure);
    const waiting = !this.#evaluation ? text.loading : !this.#engine ? text.noModel : text.ranking;
    const said = failed ? text.failed(message, code) : this.#loaded ? "" : waiting;
    if (this.#status.textContent !== said) this.#status.textContent = said;
    this.#status.hidden = said === "";
    this.#status.classList.toggle("notice", failed);
    this.#retry.hidden = !failed;
    const evaluation = this.#evaluation;
    this.#intro.hidden = !evaluation;
    const isOther = evaluation !== undefined && isOfAnother(evaluation, this.#engine);
    this.#otherModel.hidden = !isOther;
    this.#refit.hidden = isOther;
    if (!evaluation) return;
    const negatives = this.#heldOut.map(({ grades }) => grades.filter((grade) => grade === 0).length);
    this.#intro.textContent = text.intro(format.plain(evaluation.epsilon), Math.max(...negatives));
    this.#refit.textContent = evaluation.refit ? text.refit : text.notRefit;
  }

  /** The language of the state, where there are tests in it. */
  get #wanted(): string | undefined {
    const { language } = this.#context.store.state.metrics;
    return this.#evaluation?.collections.some((one) => one.language === language) ? language : undefined;
  }

  #isWanted(language: string): boolean {
    return this.#wanted === undefined || language === this.#wanted;
  }

  /** Makes the models' rankings where the language or the loaded model is another. */
  #rank(evaluation: Evaluation): void {
    const made = { language: this.#wanted, loaded: this.#loaded };
    this.#language.value = made.language ?? "";
    if (this.#made && this.#made.language === made.language && this.#made.loaded === made.loaded) return;
    this.#made = made;
    for (const { rankings } of this.#models) rankings.free();
    const model = ({ name, short, series }: Omit<Model, "rankings">, candidates: readonly Candidates[]): Model => {
      const wanted = candidates.filter(({ language }) => this.#isWanted(language));
      return { name, short, series, rankings: new Rankings(this.#context.lab, wanted) };
    };
    const isOther = isOfAnother(evaluation, this.#engine);
    const isRefit = evaluation.refit && !isOther;
    const { refit, other, same } = text.loadedShort;
    // What is no test is drawn thin and grey.
    const loaded = isRefit
      ? { name: text.loadedRefit, short: refit, series: 6 }
      : { name: text.loaded, short: isOther ? other : same, series: 2 };
    this.#models = [
      model({ name: text.heldOut, short: text.heldOutShort, series: 1 }, this.#heldOut),
      ...(this.#loaded ? [model(loaded, this.#loaded)] : []),
    ];
  }

  #drawSeven(epsilon: number, queries: number): void {
    const all = this.#models.map(({ rankings }) => rankings.at(epsilon));
    const name = (metric: MetricName) => {
      const cell = make("span", "", labelOf(metric));
      cell.append(make("span", "metric-means", text.meanings[metric]));
      return cell;
    };
    this.#seven.replaceChildren(
      make("h3", "", text.tableTitle(format.plain(epsilon))),
      tableBox(
        text.tableCaption(queries),
        [text.tableMetric, ...this.#models.map(({ short }) => short)],
        METRICS.map((metric) => [name(metric), ...all.map((metrics) => format.metric(metrics[metric]!))]),
      ),
    );
  }

  #drawGrades({ thresholds, epsilon: own }: Evaluation, epsilon: number): void {
    const title = make("h3", "", text.gradesTitle);
    if (epsilon !== own) {
      const why = text.gradesHidden(format.plain(own), format.plain(epsilon));
      this.#grades.replaceChildren(title, make("p", "", why));
      return;
    }
    const counts = this.#models[0]!.rankings.confusion(own, thresholds);
    const grades = counts.map((_, grade) => (counts.length === 3 ? text.grades[grade]! : text.grade(grade)));
    this.#grades.replaceChildren(
      title,
      make("p", "", text.gradesIntro(thresholds.map(format.plain), grades)),
      tableBox(
        text.gradesCaption,
        [text.gradesCorner, ...grades],
        counts.map((row, grade) => [grades[grade]!, ...row.map(format.count)]),
      ),
    );
  }

  #controls(): HTMLElement {
    const controls = make("div", "controls");
    const labelled = (name: string, select: HTMLSelectElement) => {
      const label = make("label", "control", name);
      label.append(select);
      return label;
    };
    this.#metric.append(...METRICS.map((metric) => new Option(labelOf(metric), metric)));
    this.#metric.addEventListener("change", () => this.#set({ metric: this.#metric.value as MetricName }));
    this.#language.append(new Option(text.allLanguages, ""));
    this.#language.addEventListener("change", () => this.#set({ language: this.#language.value || undefined }));
    controls.append(labelled(text.metric, this.#metric), labelled(text.language, this.#language));
    return controls;
  }

  #fillLanguages({ collections }: Evaluation): void {
    const languages = [...new Set(collections.map(({ language }) => language))];
    this.#language.append(...languages.map((language) => new Option(languageName(language), language)));
  }

  #set(patch: Partial<MetricsState>): void {
    const { store } = this.#context;
    store.set({ metrics: { ...store.state.metrics, ...patch } });
  }
}
