import { Figure } from "../../ui/charts/figure";
import { LineChart } from "../../ui/charts/line-chart";
import { make } from "../../ui/dom";
import { toFailure } from "../../ui/failure";
import * as format from "../../ui/format";
import { languageName, strings } from "../../i18n/strings";
import { saidOf, whereSelect, wishOf } from "../../model/device-choice";
import { Run, type Progress } from "../../model/training-run";
import type { Mount } from "../view";
import { LANGUAGES, SPEEDS, type TrainingState } from "../../state/training";
import { text } from "./strings";

const SMOOTH_OVER = 20;
const BANDWIDTH = 0.03;
/** The lines of not relevant, partly relevant and relevant documents. */
const GRADE_SERIES = [6, 2, 1];
const SHOWN_METRICS = ["MRR_mr", "MAP", "P_r@5"];
const SCORES = Array.from({ length: 201 }, (_, at) => (at - 60) / 140);

/** Training from scratch, in this tab, as it goes. */
export const mount: Mount = (root, { store, lab, engine, epsilon }) => {
  const select = <T extends string>(label: string, values: readonly T[], name: (value: T) => string) => {
    const element = make("select");
    for (const value of values) element.append(new Option(name(value), value));
    return { element, label: labelled(label, element) };
  };
  const language = select(text.language, LANGUAGES, languageName);
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
  const labels = [language.label, labelled(text.seed, seed), speed.label, labelled(strings.where.label, where)];
  controls.append(play, one, restart, ...labels);
  const status = make("p", "training-status");
  status.role = "status";
  const note = make("p", "training-note");
  const device = make("p", "training-device");

  const lossFigure = new Figure(text.lossTitle, "training-loss");
  const metricsFigure = new Figure(text.metricsTitle, "training-metrics");
  const densities = [
    { of: "train", title: text.trainTitle, figure: new Figure(text.trainTitle, "training-scores-train"), chart: new LineChart() },
    { of: "validation", title: text.validationTitle, figure: new Figure(text.validationTitle, "training-scores-validation"), chart: new LineChart() },
  ] as const;
  const [lossChart, metricsChart] = [new LineChart(), new LineChart()];
  lossFigure.plot.append(lossChart.element);
  metricsFigure.plot.append(metricsChart.element);
  for (const { figure, chart } of densities) figure.plot.append(chart.element);
  const figures = make("div", "figures");
  figures.append(...densities.map(({ figure }) => figure.element), lossFigure.element, metricsFigure.element);
  root.append(
    make("h2", "", text.heading),
    make("p", "", text.introduction),
    controls,
    status,
    device,
    note,
    figures,
    make("p", "", text.reproducible),
  );

  let run: Run | undefined;
  /** The settings that the run was begun with. */
  let begun = "";
  let playing = false;
  /** Settles once all requested steps are done. */
  let last = Promise.resolve();

  const state = () => store.state.training;
  const key = ({ language, seed }: TrainingState) => `${language} ${seed} ${wishOf(where)}`;
  const set = (patch: Partial<TrainingState>) => store.set({ training: { ...state(), ...patch } });
  language.element.addEventListener("change", () => set({ language: language.element.value as TrainingState["language"] }));
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
    last = last.then(() => {
      run = undefined;
    });
    void work(async () => {});
  });

  /** Another language, seed or device is another training. */
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
      if (!run || run.replaced || begun !== wanted) {
        status.textContent = text.fetching;
        begun = wanted;
        const { language, seed } = state();
        run = await Run.begin(current, { language, seed, epsilon: epsilon(), device: wishOf(where) });
      }
      await thing();
      show();
    } catch (error) {
      playing = false;
      run = undefined;
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
    const { losses, epoch } = progress;
    const shown = format.plain(progress.epsilon);
    const last = losses.at(-1);
    status.textContent =
      last === undefined
        ? text.ready(shown)
        : text.at(format.count(losses.length), format.count(epoch), format.loss(last));
    device.textContent = losses.length === 0 ? "" : saidOf(run.device);
    note.textContent = progress.epsilon === epsilon() ? "" : text.epsilonFixed(shown);
    drawLoss(progress);
    drawMetrics(progress);
    drawScores(progress);
  }

  function drawLoss({ losses }: Progress): void {
    const means = losses.map((_, at) => mean(losses.slice(Math.max(at + 1 - SMOOTH_OVER, 0), at + 1)));
    const points = (values: readonly number[]) => values.map((value, at) => [at + 1, value] as const);
    lossChart.draw({
      x: { label: text.step1, domain: [1, Math.max(losses.length, 20)] },
      y: { label: text.loss, domain: [0, Math.max(...losses, 0.01) * 1.05] },
      lines: [
        { name: text.loss, series: 6, points: points(losses) },
        { name: text.smooth, series: 1, points: points(means) },
      ],
    });
    const [first, last] = [losses[0], means.at(-1)];
    lossFigure.summary =
      first === undefined || last === undefined
        ? text.noSteps
        : text.lossSummary(format.loss(first), format.loss(last), format.count(losses.length));
    lossFigure.table = {
      caption: text.lossTitle,
      columns: [text.step1, text.loss, text.smooth],
      rows: losses.map((loss, at) => [at + 1, loss, means[at] ?? Number.NaN]),
      format: (value) => (Number.isInteger(value) ? format.count(value) : format.measured(value)),
    };
  }

  function drawMetrics({ evaluations, validation }: Progress): void {
    metricsChart.draw({
      x: { label: text.step1, domain: [0, Math.max(evaluations.at(-1)?.steps ?? 0, 20)] },
      y: { label: text.metric, domain: [0, 1] },
      lines: SHOWN_METRICS.map((name, at) => ({
        name,
        series: at + 1,
        points: evaluations.map(({ steps, metrics }) => [steps, metrics[name] ?? Number.NaN] as const),
      })),
    });
    const now = (name: string) => format.measured(validation.metrics[name] ?? Number.NaN);
    metricsFigure.summary = text.metricsSummary(format.count(validation.grades.length), now("MRR_mr"), now("MAP"));
    metricsFigure.table = {
      caption: text.metricsTitle,
      columns: [text.step1, ...Object.keys(validation.metrics)],
      rows: evaluations.map(({ steps, metrics }) => [steps, ...Object.values(metrics)]),
      format: (value) => (Number.isInteger(value) ? format.count(value) : format.metric(value)),
    };
  }

  function drawScores(progress: Progress): void {
    for (const { of, title, figure, chart } of densities) {
      const { scores, grades } = progress[of];
      const byGrade = text.grades.map((_, grade) => scores.filter((_, at) => grades[at] === grade));
      const curves = byGrade.map((own) => lab.density(own, BANDWIDTH, SCORES));
      const most = Math.max(...curves.map((curve) => Math.max(...curve)));
      chart.draw({
        x: { label: text.score, domain: [SCORES[0]!, 1] },
        y: { label: text.density, domain: [0, Math.max(most, 1)] },
        lines: text.grades.map((name, grade) => ({
          name,
          series: GRADE_SERIES[grade]!,
          points: SCORES.map((score, at) => [score, curves[grade]![at]!] as const),
        })),
        rules: progress.thresholds.map((at) => ({ at, name: text.threshold(format.plain(at)) })),
      });
      figure.summary = text.densitySummary(byGrade.map((own) => format.measured(mean([...own]))));
      figure.table = {
        caption: title,
        columns: [text.score, ...text.grades],
        rows: SCORES.map((score, at) => [score, ...curves.map((curve) => curve[at]!)]),
        format: format.measured,
      };
    }
  }

  return {
    update() {
      language.element.value = state().language;
      speed.element.value = state().speed;
      if (document.activeElement !== seed) seed.value = String(state().seed);
      show();
      beginOther();
    },
    leave() {
      playing = false;
    },
  };
};

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);

function labelled(name: string, control: HTMLElement): HTMLLabelElement {
  const label = make("label", "labelled");
  label.append(make("span", "", name), control);
  return label;
}
