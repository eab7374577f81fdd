import type { Hit } from "smooth-clir";
import type { Certified, Lab, Lifetime } from "smooth-clir/lab";
import { Figure } from "../../ui/charts/figure";
import { make } from "../../ui/dom";
import * as format from "../../ui/format";
import { latest } from "../../ui/latest";
import { EPSILON_MOST } from "../../state/state";
import { strings } from "../../i18n/strings";
import type { Found } from "../found";
import { LifeChart } from "./life-chart";
import { text } from "./lifetimes-text";
import type { Page } from "./page";
import { nameWithLanguage } from "./ticks";

/** The documents that a query ranks. */
interface Ranked {
  dots: number[];
  norms: number[];
  /** Where each document is among all. */
  places: number[];
}

/** The ranges of epsilon of all documents that a query ranks. */
interface Known {
  query: string;
  language: string | undefined;
  count: number;
  /** The number of documents in all languages. */
  documents: number;
  queryNorm: number;
  ranked: Ranked;
  ids: readonly string[];
  languages: readonly string[];
  lifetimes: readonly Lifetime[];
}

/** Bars of the ranges of epsilon, and a sentence for each result on how far the query may move. */
export class LifetimesView {
  readonly element = make("div", "lifetimes-body");
  readonly #page: Page;
  readonly #lab: Lab;
  readonly #lead = make("p");
  readonly #figure = new Figure("", "lifetimes");
  readonly #chart = new LifeChart();
  readonly #radiusLead = make("p");
  readonly #radii = make("ol", "certified");
  readonly #lipschitz = make("p");
  readonly #update = latest(() => this.#compute());
  #found: Found | undefined;
  #known: Known | undefined;

  constructor(page: Page, lab: Lab) {
    this.#page = page;
    this.#lab = lab;
    this.#figure.plot.append(this.#chart.element);
    this.element.append(
      this.#lead,
      this.#figure.element,
      make("h3", "", text.radiusHeading),
      this.#radiusLead,
      this.#radii,
      this.#lipschitz,
    );
  }

  /** Shows a ranking whose order depends on epsilon alone. */
  async show(found: Found): Promise<void> {
    this.#found = found;
    await this.#update();
  }

  async #compute(): Promise<void> {
    const found = this.#found;
    const engine = this.#page.engine();
    if (!found || !engine) return;
    const { query, hits } = found;
    const { language } = this.#page.store.state;
    const count = hits.length;
    const documents = engine.documentCount;
    let known = this.#known;
    const isSame = known?.query === query && known.language === language && known.count === count && known.documents === documents;
    if (!known || !isSame || !this.#isCurrent(known, hits)) {
      const [{ queryNorm, dots }, { ids, languages, norms }] = await Promise.all([engine.dots(query), engine.documents()]);
      const places = [...dots.keys()].filter((at) => language === undefined || languages[at] === language);
      const ranked = { dots: places.map((at) => dots[at]!), norms: places.map((at) => norms[at]!), places };
      const lifetimes = this.#lab.lifetimes(ranked.dots, ranked.norms, { count, most: EPSILON_MOST });
      known = { query, language, count, documents, queryNorm, ranked, ids, languages, lifetimes };
      this.#known = known;
    }
    this.#draw(known, hits, this.#page.epsilon());
  }

  /** Whether what is known still has the results' numbers: fine-tuning changes them. */
  #isCurrent(known: Known, hits: readonly Hit[]): boolean {
    return hits.every((hit) => this.#place(known, hit) !== undefined);
  }

  /** The place of a result among the ranked documents. */
  #place({ ranked, ids, languages }: Known, { id, language, dot, documentNorm }: Hit): number | undefined {
    const at = ranked.places.findIndex((place, at) => {
      // Ids come with the texts.
      const isSame = ids[place] === "" || ids[place] === id;
      return isSame && languages[place] === language && ranked.dots[at] === dot && ranked.norms[at] === documentNorm;
    });
    return at < 0 ? undefined : at;
  }

  #draw(known: Known, hits: readonly Hit[], epsilon: number): void {
    const { ranked, lifetimes, queryNorm } = known;
    const places = hits.map((hit) => this.#place(known, hit));
    const count = hits.length;
    const shown = format.count(count);
    const rows = hits.map((hit, at) => ({
      hit,
      name: nameWithLanguage(hit),
      lives: lifetimes.filter(({ document }) => document === places[at]),
    }));
    const range = ({ from, to }: Lifetime) => text.range(format.plain(from), format.plain(to));
    const ranges = (lives: readonly Lifetime[]) => lives.map(range).join(text.and);
    this.#lead.textContent = text.lead(shown);
    const title = text.title(shown);
    this.#figure.title = title;
    this.#chart.draw({
      rows: rows.map(({ name, lives }, at) => ({
        name: text.row(format.count(at + 1), name),
        ranges: lives.map((life) => ({ from: life.from, to: life.to, name: text.rangeOf(name, range(life)) })),
      })),
      axis: text.axis,
      most: EPSILON_MOST,
      now: { at: epsilon, name: text.now(format.plain(epsilon)) },
    });
    const isWhole = ({ lives: [life] }: (typeof rows)[number]) => life?.from === 0 && life.to === EPSILON_MOST;
    const passing = rows.filter((row) => row.lives.length > 0 && !isWhole(row)).sort((a, b) => span(a.lives) - span(b.lives));
    const [shortest] = passing;
    this.#figure.summary = [
      text.summary(rows.filter(isWhole).length, count, format.plain(EPSILON_MOST)),
      ...(shortest ? [text.shortest(shortest.name, ranges(shortest.lives))] : []),
      text.everyone(format.count(new Set(lifetimes.map(({ document }) => document)).size), shown),
    ].join(" ");
    const certified = this.#lab.certified(ranked.dots, ranked.norms, { queryNorm, epsilon, count });
    const byPlace = new Map(certified.map((one) => [one.document, one]));
    const of = (at: number) => byPlace.get(places[at] ?? -1);
    this.#figure.table = {
      caption: text.caption,
      columns: Object.values(text.columns),
      rows: rows.flatMap(({ name, lives }, at) =>
        lives.map(({ from, to }) => [at + 1, name, from, to, of(at)?.radius ?? Number.NaN, of(at)?.lipschitz ?? Number.NaN]),
      ),
      format: format.plain,
    };
    this.#radiusLead.textContent = text.radiusLead(format.plain(epsilon), format.measured(queryNorm));
    const names = new Map(rows.map(({ name }, at) => [places[at], name]));
    const sentences = rows.flatMap(({ name }, at) => {
      const one = of(at);
      return one ? [this.#tell(one, at, name, queryNorm, (place) => names.get(place) ?? this.#nameOf(known, place))] : [];
    });
    this.#radii.replaceChildren(...sentences.map((sentence) => make("li", "", sentence)));
    const most = Math.max(...certified.map(({ lipschitz }) => lipschitz));
    this.#lipschitz.textContent = Number.isFinite(most) ? text.lipschitz(format.measured(most)) : "";
  }

  #tell({ radius, rival }: Certified, at: number, name: string, queryNorm: number, nameOf: (place: number) => string): string {
    if (rival === undefined) return text.alone(name);
    if (radius === 0) return text.tied(name, nameOf(rival));
    const share = format.percent(radius / queryNorm, 2);
    return text.radius(format.count(at + 1), name, format.measured(radius), share, nameOf(rival));
  }

  /** A document that is not shown: by its id, or, where that has not come, by its number. */
  #nameOf({ ranked, ids, languages }: Known, at: number): string {
    const place = ranked.places[at]!;
    const id = ids[place] || text.document(format.count(place + 1));
    return strings.rankChanges.named(id, languages[place]!);
  }
}

/** How much of the logarithmic axis some ranges take, from 0.001. */
const span = (lives: readonly Lifetime[]): number =>
  lives.reduce((sum, { from, to }) => sum + Math.log(Math.max(to, 1e-3) / Math.max(from, 1e-3)), 0);
