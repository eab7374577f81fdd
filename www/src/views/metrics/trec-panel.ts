import type { Lab } from "smooth-clir/lab";
import { Figure } from "../../ui/charts/figure";
import { LineChart } from "../../ui/charts/line-chart";
import { make } from "../../ui/dom";
import * as format from "../../ui/format";
import { labelOf, METRICS, type MetricName } from "../../state/metrics";
import { text } from "./strings";
import { tableBox } from "../../ui/charts/table";
import { evaluate, kindOf, MOST_BYTES, readQrels, readRun, TrecError, type Outcome, type Qrels, type Run } from "./trec";

const MOST_RUNS = 2;
/** With more the differences are a line alone. */
const MOST_DOTS = 100;

interface Named<T> {
  name: string;
  content: T;
}

/** Reads judgements and runs that a person chooses or drops, and shows what the runs are worth. */
export class TrecPanel {
  readonly element = make("section", "trec");
  readonly #lab: Lab;
  readonly #qrelsInput = make("input");
  readonly #runsInput = make("input");
  readonly #clear = make("button", "", text.trec.clear);
  readonly #status = make("p", "trec-status");
  readonly #problem = make("p", "notice");
  readonly #means = make("div");
  readonly #notes = make("ul", "trec-notes");
  readonly #figure = new Figure("", "differences-of-two-runs");
  readonly #chart = new LineChart();
  #qrels: Named<Qrels> | undefined;
  #runs: Named<Run>[] = [];
  #outcomes: Named<Outcome>[] = [];
  #metric: MetricName = METRICS[0];

  constructor(lab: Lab) {
    this.#lab = lab;
    const heading = make("h2", "", text.trec.heading);
    heading.id = "trec-heading";
    this.element.setAttribute("aria-labelledby", heading.id);
    this.#status.role = "status";
    this.#problem.role = "alert";
    this.#problem.hidden = true;
    this.#figure.plot.append(this.#chart.element);
    const fields = make("div", "controls");
    for (const [input, name] of [[this.#qrelsInput, text.trec.qrels], [this.#runsInput, text.trec.runs]] as const) {
      input.type = "file";
      const label = make("label", "control", name);
      label.append(input);
      fields.append(label);
    }
    this.#runsInput.multiple = true;
    this.#qrelsInput.addEventListener("change", () => void this.#take({ qrels: filesOf(this.#qrelsInput) }));
    this.#runsInput.addEventListener("change", () => void this.#take({ runs: filesOf(this.#runsInput) }));
    this.#clear.type = "button";
    this.#clear.addEventListener("click", () => this.#forget());
    fields.append(this.#clear);
    this.element.addEventListener("dragover", (event) => {
      event.preventDefault();
      this.element.classList.add("dropping");
    });
    this.element.addEventListener("dragleave", () => this.element.classList.remove("dropping"));
    this.element.addEventListener("drop", (event) => {
      event.preventDefault();
      this.element.classList.remove("dropping");
      void this.#take({ any: [...(event.dataTransfer?.files ?? [])] });
    });
    this.element.append(
      heading,
      make("p", "", text.trec.intro),
      fields,
      this.#status,
      this.#problem,
      this.#means,
      this.#notes,
      this.#figure.element,
    );
    this.#show();
  }

  /** Shows the differences of this metric. */
  draw(metric: MetricName): void {
    if (metric === this.#metric) return;
    this.#metric = metric;
    this.#compare();
  }

  /** Takes files over, all of them or none. `any` are told apart by what is in them. */
  async #take({ qrels = [], runs = [], any = [] }: { qrels?: File[]; runs?: File[]; any?: File[] }): Promise<void> {
    try {
      const newQrels: Named<Qrels>[] = [];
      const newRuns: Named<Run>[] = [];
      const kinds = [[qrels, () => "qrels"], [runs, () => "run"], [any, kindOf]] as const;
      for (const [files, kind] of kinds) {
        for (const file of files) {
          await read(file, (bytes) => {
            const { name } = file;
            if (kind(bytes) === "qrels") newQrels.push({ name, content: readQrels(bytes) });
            else newRuns.push({ name, content: readRun(bytes) });
          });
        }
      }
      if (newQrels.length > 1) throw new TrecError(text.trec.tooManyQrels(newQrels.length));
      // One more run goes beside the one there is, where it was dropped.
      const together = any.length > 0 && this.#runs.length + newRuns.length <= MOST_RUNS ? [...this.#runs, ...newRuns] : newRuns;
      if (together.length > MOST_RUNS) throw new TrecError(text.trec.tooManyRuns(together.length));
      const wantedQrels = newQrels[0] ?? this.#qrels;
      const wantedRuns = together.length > 0 ? together : this.#runs;
      const outcomes = wantedQrels ? wantedRuns.map(({ name, content }) => this.#evaluate(name, wantedQrels, content)) : [];
      [this.#qrels, this.#runs, this.#outcomes] = [wantedQrels, wantedRuns, outcomes];
      this.#problem.hidden = true;
    } catch (error) {
      if (!(error instanceof TrecError)) throw error;
      this.#problem.textContent = error.message;
      this.#problem.hidden = false;
    }
    this.#show();
  }

  #evaluate(name: string, qrels: Named<Qrels>, run: Run): Named<Outcome> {
    return { name, content: naming(qrels.name, () => evaluate(this.#lab, qrels.content, run)) };
  }

  #forget(): void {
    [this.#qrels, this.#runs, this.#outcomes] = [undefined, [], []];
    this.#qrelsInput.value = this.#runsInput.value = "";
    this.#problem.hidden = true;
    this.#show();
    this.#qrelsInput.focus();
  }

  #show(): void {
    const { trec } = text;
    const files = [
      ...(this.#qrels ? [trec.hasQrels(this.#qrels.name, this.#qrels.content.size)] : []),
      ...this.#runs.map(({ name, content }) => trec.hasRun(name, content.size)),
    ];
    const wanted = [...(this.#qrels ? [] : [trec.wanted.qrels]), ...(this.#runs.length > 0 ? [] : [trec.wanted.run])];
    this.#status.textContent = files.length === 0 ? trec.nothing : [...files, ...wanted].join(" ");
    this.#clear.hidden = files.length === 0;
    this.#notes.replaceChildren(...this.#told().map((note) => make("li", "", note)));
    this.#notes.hidden = this.#notes.childElementCount === 0;
    this.#showMeans();
    this.#compare();
  }

  /** Lists the queries that were left out or counted as having found nothing. */
  #told(): string[] {
    const { missing, unjudged, without, binary, partly } = text.trec;
    const of = this.#outcomes.flatMap(({ name, content }) => [
      ...(content.missing > 0 ? [missing(name, content.missing)] : []),
      ...(content.unjudged > 0 ? [unjudged(name, content.unjudged)] : []),
    ]);
    const [first] = this.#outcomes;
    if (!first) return of;
    const { binary: isBinary, graded, queries, without: left } = first.content;
    const some = !isBinary && graded < queries.size;
    return [
      ...(isBinary ? [binary] : []),
      ...of,
      ...(some ? [partly(queries.size - graded)] : []),
      ...(left > 0 ? [without(left)] : []),
    ];
  }

  #showMeans(): void {
    const [first, second] = this.#outcomes;
    this.#means.hidden = !first;
    if (!first) return;
    const columns = [text.tableMetric, ...this.#outcomes.map(({ name }) => name), ...(second ? [text.trec.difference] : [])];
    const rows = METRICS.map((metric) => {
      const means = this.#outcomes.map(({ content }) => content.means[metric]!);
      const difference = second ? [Number.isNaN(means[0]!) ? text.trec.none : format.signedMetric(means[1]! - means[0]!)] : [];
      return [labelOf(metric), ...means.map(shown), ...difference];
    });
    this.#means.replaceChildren(tableBox(text.trec.meansCaption(first.content.queries.size), columns, rows));
  }

  /** The differences of two runs, query by query. */
  #compare(): void {
    const [first, second] = this.#outcomes;
    this.#figure.element.hidden = !first || !second;
    if (!first || !second) return;
    const metric = this.#metric;
    // Queries without a document of grade 2 lack some metrics.
    const compared = [...first.content.queries].filter(([, metrics]) => metric in metrics);
    this.#figure.element.hidden = compared.length === 0;
    if (compared.length === 0) return;
    const differences = compared.map(([query, before]) => {
      const [one, other] = [before[metric]!, second.content.queries.get(query)![metric]!];
      return { query, one, other, by: other - one };
    });
    const { trec } = text;
    const rising = [...differences].sort((a, b) => a.by - b.by);
    const points = rising.map(({ by }, at) => [at + 1, by] as const);
    const most = Math.max(...differences.map(({ by }) => Math.abs(by)), 0.1);
    this.#figure.title = trec.differencesTitle(labelOf(metric));
    this.#chart.draw({
      x: { label: trec.differencesAxis, domain: [0, points.length + 1] },
      y: { label: trec.differencesUp, domain: [-most, most] },
      lines: [
        { name: "", series: 6, points: [[0, 0], [points.length + 1, 0]] },
        { name: labelOf(metric), series: 1, points },
      ],
      dots: points.length > MOST_DOTS ? [] : points.map((at, place) => ({ at, series: 1, name: rising[place]!.query })),
    });
    const bySize = [...rising].sort((a, b) => Math.abs(b.by) - Math.abs(a.by));
    const [largest] = bySize;
    const [up, down] = [rising.filter(({ by }) => by > 0).length, rising.filter(({ by }) => by < 0).length];
    this.#figure.summary =
      up + down === 0
        ? trec.differencesSame(rising.length)
        : trec.differencesSummary(up, down, rising.length - up - down, largest!.query, format.signedMetric(largest!.by));
    this.#figure.table = {
      caption: trec.differencesCaption(labelOf(metric)),
      columns: [trec.query, first.name, second.name, trec.difference],
      rows: bySize.map(({ query, one, other, by }) => [query, one, other, by]),
      format: format.metric,
    };
  }
}

const shown = (value: number): string => (Number.isNaN(value) ? text.trec.none : format.metric(value));

const filesOf = (input: HTMLInputElement): File[] => [...(input.files ?? [])];

/** Reads a file; what is wrong with it is told with its name. */
async function read(file: File, take: (bytes: Uint8Array) => void): Promise<void> {
  const { name, size } = file;
  if (size > MOST_BYTES) throw new TrecError(text.trec.problem(name, text.trec.tooLarge(MOST_BYTES / 2 ** 20)));
  const bytes = await file.arrayBuffer().catch(() => {
    throw new TrecError(text.trec.problem(name, text.trec.unreadable));
  });
  naming(name, () => take(new Uint8Array(bytes)));
}

function naming<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof TrecError ? new TrecError(text.trec.problem(name, error.message)) : error;
  }
}
