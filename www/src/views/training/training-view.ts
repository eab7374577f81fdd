import type { TrainingEvaluation } from "smooth-clir";
import { Figure } from "../../ui/charts/figure";
import { LineChart } from "../../ui/charts/line-chart";
import { make } from "../../ui/dom";
import { toFailure } from "../../ui/failure";
import * as format from "../../ui/format";
import { languageName, strings } from "../../i18n/strings";
import { saidOf, whereSelect, wishOf } from "../../model/device-choice";
import { Run, thresholdsOf, type Lane, type Progress } from "../../model/training-run";
import type { Mount } from "../view";
import { allows, GRADES, LANGUAGES, lossesOf, OTHERS, OWN_GRADES, SPEEDS, spread, type TrainingState } from "../../state/training";
import { text } from "./strings";

const SMOOTH_OVER = 20;
const BANDWIDTH = 0.03;
/** The lines of the grades, from the highest down; the lowest is always the last. */
const GRADE_SERIES = [1, 2, 3, 4, 5, 7];
const LOWEST_SERIES = 6;
/** The most trainings side by side. */
const LANES = 2;
const SHOWN_METRICS = ["MRR_mr", "MAP", "P_r@5"];
const SCORES = Array.from({ length: 239 }, (_, at) => (at - 98) / 140);

/** Training from scratch, in this tab, as it goes. */
export const mount: Mount = (root, { store, lab, engine, epsilon }) => {
  const select = <T extends string>(label: string, values: readonly T[], name: (value: T) => string) => {
    const element = make("select");
    for (const value of values) element.append(new Option(name(value), value));
    return { element, label: labelled(label, element) };
  };
  const language = select(text.language, LANGUAGES, languageName);
  const other = select(text.other, OTHERS, (loss) => text.losses[loss]);
  const grades = select(text.gradeCount, GRADES.map(String), String);
  const speed = select(text.speed, SPEEDS, String);
  const seed = make("input");
  seed.type = "number";
  seed.min = "0";
  seed.max = "999999";
  const button = (name: string, className = "") => {
    const element = make("button", className, name);
    element.type = "button";
    return element;
  };
  const [play, one, restart] = [button(text.play, "primary"), button(text.step), button(text.restart)];
  const where = whereSelect();
  const controls = make("div", "controls");
  const labels = [other.label, grades.label, language.label, labelled(text.seed, seed), speed.label, labelled(strings.where.label, where)];
  controls.append(play, one, restart, ...labels);
  const status = make("p", "training-status");
  status.role = "status";
  const note = make("p", "training-note");
  const device = make("p", "training-device");
  const compared = make("p", "training-compared");
  const made = make("p", "training-note");

  const lossFigure = new Figure(text.lossTitle, "training-loss");
  const metricsFigure = new Figure(text.metricsTitle, "training-metrics");
  const densities = (["train", "validation"] as const).flatMap((of) => {
    const title = of === "train" ? text.trainTitle : text.validationTitle;
    return Array.from({ length: LANES }, (_, lane) => {
      const name = `training-scores-${of}${lane === 0 ? "" : "-other"}`;
      const figure = new Figure(title(text.losses.sosl), name);
      return { of, lane, title, figure, chart: new LineChart() };
    });
  });
  const [lossChart, metricsChart] = [new LineChart(), new LineChart()];
  lossFigure.plot.append(lossChart.element);
  metricsFigure.plot.append(metricsChart.element);
  for (const { figure, chart } of densities) figure.plot.append(chart.element);
  const row = (...elements: HTMLElement[]) => {
    const figures = make("div", "figures");
    figures.append(...elements);
    return figures;
  };
  const densityRow = (wanted: "train" | "validation") => row(...densities.filter(({ of }) => of === wanted).map(({ figure }) => figure.element));
  const figures = [densityRow("train"), densityRow("validation"), row(lossFigure.element, metricsFigure.element)];
  root.append(
    make("h2", "", text.heading),
    make("p", "", text.introduction),
    controls,
    status,
    device,
    note,
    compared,
    ...figures,
    made,
    make("p", "", text.reproducible),
  );

  let run: Run | undefined;
  /** The settings that the run was begun with. */
  let begun = "";
  let playing = false;
  /** Settles once all requested steps are done. */
  let last = Promise.resolve();

  const state = () => store.state.training;
  const key = (state: TrainingState) => [state.language, state.seed, state.grades, ...lossesOf(state), wishOf(where)].join(" ");
  const set = (patch: Partial<TrainingState>) => store.set({ training: { ...state(), ...patch } });
  language.element.addEventListener("change", () => set({ language: language.element.value as TrainingState["language"] }));
  other.element.addEventListener("change", () => set({ other: other.element.value as TrainingState["other"] }));
  grades.element.addEventListener("change", () => set({ grades: Number(grades.element.value) }));
  speed.element.addEventListener("change", () => set({ speed: speed.element.value as TrainingState["speed"] }));
  seed.addEventListener("change", () => {
    const value = Math.round(seed.valueAsNumber);
    if (value >= 0 && value <= 999_999) set({ seed: value });
    else seed.value = String(state().seed);
  });
  where.addEventListener("change", beginOther);
  play.addEventListener("click", () => {
    playing = !playing;
    show();
    if (playing) void go();
  });
  one.addEventListener("click", () => {
    playing = false;
    void work(() => run!.step(1));
  });
  restart.addEventListener("click", () => {
    playing = false;
    last = last.then(forget);
    void work(async () => {});
  });

  function forget(): void {
    run?.end();
    run = undefined;
  }

  /** Another language, seed, loss, number of grades or device is another training. */
  function beginOther(): void {
    if (!engine() || begun === key(state())) return;
    playing = false;
    void work(async () => {});
  }

  /** Does one thing after the other, on a run that is begun where there is none. */
  function work(thing: () => Promise<void>): Promise<void> {
    last = last.then(() => doIt(thing));
    return last;
  }

  async function doIt(thing: () => Promise<void>): Promise<void> {
    const current = engine();
    if (!current) return;
    try {
      const wanted = key(state());
      if (!run || begun !== wanted) {
        status.textContent = text.fetching;
        forget();
        begun = wanted;
        const { language, seed, grades } = state();
        const losses = lossesOf(state());
        const thresholds = spread(thresholdsOf(current), grades);
        run = await Run.begin(current, { language, seed, losses, thresholds, epsilon: epsilon(), device: wishOf(where) });
      }
      await thing();
      show();
    } catch (error) {
      playing = false;
      forget();
      const { code, message } = toFailure(error);
      show();
      status.textContent = text.failed(message, code);
    }
  }

  async function go(): Promise<void> {
    while (playing) {
      await work(() => run!.step(Number(state().speed)));
      // The page draws before the next steps, or, hidden, goes on without.
      if (!document.hidden) await new Promise((resolve) => requestAnimationFrame(resolve));
      if (!engine()) playing = false;
    }
    show();
  }

  function show(): void {
    play.textContent = playing ? text.pause : text.play;
    for (const element of [play, one, restart]) element.disabled = !engine();
    if (!run) return;
    const { progress } = run;
    const { epoch, steps } = progress;
    const shown = format.plain(progress.epsilon);
    const last = progress.lanes[0]!.losses.at(-1);
    status.textContent =
      last === undefined
        ? text.ready(shown)
        : text.at(format.count(steps), format.count(epoch), format.loss(last));
    device.textContent = steps === 0 ? "" : saidOf(run.device);
    note.textContent = progress.epsilon === epsilon() ? "" : text.epsilonFixed(shown);
    compared.textContent = told(progress);
    made.textContent = madeOf(progress);
    drawLoss(progress);
    drawMetrics(progress);
    drawScores(progress);
  }

  /** The share of pairs that each loss has brought between the thresholds of their grades. */
  function told({ steps, thresholds, lanes }: Progress): string {
    const parts = lanes.map(({ loss, train, validation }) => {
      const [seen, unseen] = [train, validation].map((evaluation) => format.percent(shareRight(evaluation, thresholds), 1));
      return text.share(text.losses[loss], seen!, unseen!);
    });
    return text.compared(format.count(steps), strings.parts(parts));
  }

  /** How the grades are made. */
  function madeOf({ thresholds }: Progress): string {
    const { grades, other } = state();
    const { own, two, more } = text.gradesMade;
    const list = thresholds.map(format.plain);
    const how = grades === OWN_GRADES ? own : grades === 2 ? two : more(format.count(grades), format.count(grades - 1), format.list(list));
    return other === "none" || allows(other, grades) ? how : `${how} ${text.threePart}`;
  }

  function drawLoss({ steps, lanes }: Progress): void {
    const points = (values: readonly number[]) => values.map((value, at) => [at + 1, value] as const);
    const all = lanes.map(({ loss, losses }) => ({ name: text.losses[loss], losses, means: smoothed(losses) }));
    const most = Math.max(...all.flatMap(({ losses }) => losses), 0.01);
    lossChart.draw({
      x: { label: text.step1, domain: [1, Math.max(steps, 20)] },
      y: { label: text.loss, domain: [0, most * 1.05] },
      lines: all.flatMap(({ name, losses, means }, lane) => [
        // The single steps of two losses would hide the means.
        ...(all.length > 1 ? [] : [{ name: text.lossOf(name), series: 6, points: points(losses) }]),
        { name: text.smoothOf(name), series: lane + 1, points: points(means) },
      ]),
    });
    const [first, second] = all.map(({ name, losses, means }) => ({ name, from: losses[0], to: means.at(-1) }));
    const summary = (from: number, to: number) => text.lossSummary(format.loss(from), format.loss(to), format.count(steps));
    lossFigure.summary =
      first?.from === undefined || first.to === undefined
        ? text.noSteps
        : [
            summary(first.from, first.to),
            ...(second ? [text.lossOther(second.name, format.loss(second.from!), format.loss(second.to!))] : []),
          ].join(" ");
    lossFigure.table = {
      caption: text.lossTitle,
      columns: [text.step1, ...all.flatMap(({ name }) => [text.lossOf(name), text.smoothOf(name)])],
      rows: Array.from({ length: steps }, (_, at) => [at + 1, ...all.flatMap(({ losses, means }) => [losses[at]!, means[at]!])]),
      format: (value) => (Number.isInteger(value) ? format.count(value) : format.measured(value)),
    };
  }

  function drawMetrics({ steps, lanes }: Progress): void {
    const nameOf = (loss: Lane["loss"], metric: string) => (lanes.length > 1 ? text.metricOf(text.losses[loss], metric) : metric);
    metricsChart.draw({
      x: { label: text.step1, domain: [0, Math.max(steps, 20)] },
      y: { label: text.metric, domain: [0, 1] },
      lines: lanes.flatMap(({ loss, evaluations }, lane) =>
        SHOWN_METRICS.map((name, at) => ({
          name: nameOf(loss, name),
          series: lane * SHOWN_METRICS.length + at + 1,
          points: evaluations.map(({ steps, metrics }) => [steps, metrics[name] ?? Number.NaN] as const),
        })),
      ),
    });
    const now = (lane: Lane, name: string) => format.measured(lane.validation.metrics[name] ?? Number.NaN);
    const [first, second] = lanes as readonly [Lane, Lane | undefined];
    const queries = format.count(first.validation.grades.length);
    metricsFigure.summary = [
      text.metricsSummary(queries, now(first, "MRR_mr"), now(first, "MAP")),
      ...(second ? [text.metricsOther(text.losses[second.loss], now(second, "MRR_mr"), now(second, "MAP"))] : []),
    ].join(" ");
    const names = Object.keys(first.validation.metrics);
    metricsFigure.table = {
      caption: text.metricsTitle,
      columns: [text.step1, ...lanes.flatMap(({ loss }) => names.map((name) => nameOf(loss, name)))],
      rows: first.evaluations.map(({ steps }, at) => [steps, ...lanes.flatMap(({ evaluations }) => names.map((name) => evaluations[at]!.metrics[name]!))]),
      format: (value) => (Number.isInteger(value) ? format.count(value) : format.metric(value)),
    };
  }

  function drawScores({ thresholds, lanes }: Progress): void {
    const count = thresholds.length + 1;
    const grades = Array.from({ length: count }, (_, grade) => grade);
    const names = grades.map((grade) => gradeName(grade, count));
    const series = grades.map((grade) => (grade === 0 ? LOWEST_SERIES : GRADE_SERIES[count - 1 - grade]!));
    const drawn = densities.map(({ of, lane }) => {
      const evaluation = lanes[lane]?.[of];
      if (!evaluation) return undefined;
      const byGrade = grades.map((grade) => evaluation.scores.filter((_, at) => evaluation.grades[at] === grade));
      return { byGrade, curves: byGrade.map((own) => lab.density(own, BANDWIDTH, SCORES)) };
    });
    for (const [at, { of, lane, title, figure, chart }] of densities.entries()) {
      const own = drawn[at];
      figure.element.hidden = !own;
      if (!own) continue;
      const { byGrade, curves } = own;
      const named = title(text.losses[lanes[lane]!.loss]);
      // Figures side by side have one scale.
      const beside = drawn.filter((other, place) => other && densities[place]!.of === of);
      const most = Math.max(...beside.flatMap((one) => one!.curves.map((curve) => Math.max(...curve))), 1);
      figure.title = named;
      chart.draw({
        x: { label: text.score, domain: [SCORES[0]!, 1] },
        y: { label: text.density, domain: [0, most] },
        lines: grades.map((grade) => ({
          name: names[grade]!,
          series: series[grade]!,
          points: SCORES.map((score, place) => [score, curves[grade]![place]!] as const),
        })),
        rules: thresholds.map((at) => ({ at, name: text.threshold(format.plain(at)) })),
      });
      const means = byGrade.map((scores) => (scores.length > 0 ? format.measured(mean([...scores])) : "–"));
      figure.summary =
        count === OWN_GRADES
          ? text.densitySummary(means)
          : text.densityMeans(strings.parts(means.map((mean, grade) => text.densityMean(names[grade]!, mean))));
      figure.table = {
        caption: named,
        columns: [text.score, ...names],
        rows: SCORES.map((score, place) => [score, ...curves.map((curve) => curve[place]!)]),
        format: format.measured,
      };
    }
  }

  return {
    update() {
      language.element.value = state().language;
      speed.element.value = state().speed;
      other.element.value = state().other;
      grades.element.value = String(state().grades);
      for (const option of other.element.options) option.disabled = !allows(option.value as TrainingState["other"], state().grades);
      if (document.activeElement !== seed) seed.value = String(state().seed);
      show();
      beginOther();
    },
    leave() {
      playing = false;
    },
  };
};

/** The share of pairs whose score predicts their grade, averaged over the grades. */
function shareRight({ scores, grades }: TrainingEvaluation, thresholds: readonly number[]): number {
  const counts = Array.from({ length: thresholds.length + 1 }, () => ({ right: 0, all: 0 }));
  for (const [at, score] of scores.entries()) {
    const count = counts[grades[at]!]!;
    count.all += 1;
    // As in the core: the predicted grade is the number of thresholds strictly below the score.
    if (thresholds.filter((threshold) => threshold < score).length === grades[at]) count.right += 1;
  }
  return mean(counts.filter(({ all }) => all > 0).map(({ right, all }) => right / all));
}

/** Of each step, the mean of the last ones. */
const smoothed = (losses: readonly number[]) => losses.map((_, at) => mean(losses.slice(Math.max(at + 1 - SMOOTH_OVER, 0), at + 1)));

/** A grade from 0 in words; other grades than the corpus has are told by links. */
function gradeName(grade: number, grades: number): string {
  if (grades === OWN_GRADES) return text.grades[grade]!;
  const links = grades - 1 - grade;
  const { own, one, away, further, rest } = text.byLinks;
  if (links === 0) return own;
  if (grade === 0) return grades === 2 ? rest : further(format.count(links));
  return links === 1 ? one : away(format.count(links));
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);

function labelled(name: string, control: HTMLElement): HTMLLabelElement {
  const label = make("label", "labelled");
  label.append(make("span", "", name), control);
  return label;
}
