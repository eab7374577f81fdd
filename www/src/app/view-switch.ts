import type { SmoothClir } from "smooth-clir";
import { byId, make } from "../ui/dom";
import { FailedNotice } from "../ui/failed-notice";
import { MENU, VIEWS, type MenuEntry, type Store, type ViewName } from "../state/state";
import { hasKeptDocuments } from "../state/documents";
import { strings } from "../i18n/strings";
import type { Context, Mount, View } from "../views/view";

type LabView = Exclude<ViewName, "search">;

/** The views that there are, each fetched when it is first shown. */
const LOADERS: Partial<Record<LabView, () => Promise<{ mount: Mount }>>> = {
  training: () => import("../views/training/training-view"),
  learn: () => import("../views/learn/learn-view"),
  theory: () => import("../views/theory/theory-view"),
  lessons: () => import("../views/lessons/lessons-view"),
  maps: () => import("../views/maps/maps-view"),
  descent: () => import("../views/descent/descent-view"),
  losses: () => import("../views/losses/losses-view"),
  metrics: () => import("../views/metrics/metrics-view"),
  documents: () => import("../views/documents/documents-view"),
};

/** Shows the view of the state: the search, which is in the page from the start, or one of the laboratory. */
export class ViewSwitch {
  readonly #store: Store;
  readonly #context: Omit<Context, "lab">;
  readonly #main = byId("main", HTMLElement);
  readonly #submenu = byId("subviews", HTMLElement);
  /** The menu: a link for each entry, to one of its views. */
  readonly #entryLinks: ReadonlyMap<MenuEntry, HTMLAnchorElement>;
  /** The menu below it: a link for each view, of which those of the current entry are shown. */
  readonly #viewLinks: ReadonlyMap<ViewName, HTMLAnchorElement>;
  /** The views that the menu's entries lead to: each the last that was shown. */
  readonly #last = new Map<MenuEntry, ViewName>();
  readonly #lab = byId("lab", HTMLElement);
  readonly #roots = new Map<LabView, HTMLElement>();
  readonly #views = new Map<LabView, View>();
  #shown: ViewName = "search";
  #engine: SmoothClir | undefined;

  constructor(
    store: Store,
    epsilon: { value: number; own: number },
    demo: () => SmoothClir | undefined,
    documentsChanged: () => void,
  ) {
    this.#store = store;
    this.#context = {
      store,
      epsilon: () => epsilon.value,
      ownEpsilon: () => epsilon.own,
      engine: () => this.#engine,
      demo,
      documentsChanged,
    };
    this.#entryLinks = new Map(MENU_ENTRIES.map((entry) => [entry, this.#link(strings.menu[entry], MENU[entry][0])]));
    this.#viewLinks = new Map(available().map((view) => [view, this.#link(strings.views[view], view)]));
    byId("views", HTMLElement).append(...this.#entryLinks.values());
    this.#submenu.append(...this.#viewLinks.values());
    this.#lead(byId("brand", HTMLAnchorElement), "search");
    store.subscribe(() => this.#update());
    this.#update();
  }

  /** Takes an engine that has its model; undefined where there is none any more. */
  attach(engine: SmoothClir | undefined): void {
    this.#engine = engine;
    for (const view of this.#views.values()) view.engineChanged?.();
    // It adds what an earlier visit kept.
    if (engine && hasKeptDocuments()) void this.#load("documents");
    this.#current()?.update();
  }

  #current(): View | undefined {
    return this.#shown === "search" ? undefined : this.#views.get(this.#shown);
  }

  #update(): void {
    const { view: wanted, hide, embed } = this.#store.state;
    const view = available().includes(wanted) ? wanted : "search";
    const shown = available().filter((one) => one === view || !hide.includes(one));
    const current = entryOf(view);
    this.#last.set(current, view);
    for (const [entry, link] of this.#entryLinks) {
      const its = shown.filter((one) => entryOf(one) === entry);
      const last = this.#last.get(entry);
      const target = last !== undefined && its.includes(last) ? last : its[0];
      link.hidden = target === undefined;
      if (target !== undefined) pointTo(link, target);
      mark(link, entry === current ? (its.length > 1 ? "true" : "page") : undefined);
    }
    const its = shown.filter((one) => entryOf(one) === current);
    this.#submenu.hidden = its.length < 2;
    this.#submenu.ariaLabel = strings.menu[current];
    for (const [one, link] of this.#viewLinks) {
      link.hidden = !its.includes(one);
      mark(link, one === view && its.length > 1 ? "page" : undefined);
    }
    document.documentElement.classList.toggle("embedded", embed);
    if (view !== this.#shown) {
      const left = this.#current();
      // What leaving changes in the state finds the view that is shown next.
      this.#shown = view;
      left?.leave?.();
      this.#main.dataset["view"] = view === "search" ? "search" : "lab";
      this.#main.dataset["epsilon"] = String(entryOf(view) === "lab");
      for (const [name, root] of this.#roots) root.hidden = name !== view;
    }
    if (view === "search") return;
    const mounted = this.#views.get(view);
    if (mounted) mounted.update();
    else void this.#load(view);
  }

  #link(name: string, view: ViewName): HTMLAnchorElement {
    const link = make("a", "", name);
    this.#lead(link, view);
    return link;
  }

  /** Makes a link lead to a view and keep everything else. */
  #lead(link: HTMLAnchorElement, view: ViewName): void {
    pointTo(link, view);
    link.addEventListener("click", (event) => {
      // A link that is to open elsewhere is the browser's.
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
      event.preventDefault();
      this.#store.set({ view: link.dataset["view"] as ViewName });
    });
  }

  async #load(view: LabView): Promise<void> {
    if (this.#roots.has(view)) return;
    const root = make("div", `view view-${view}`);
    root.hidden = view !== this.#shown;
    const message = make("p", "view-loading", strings.viewLoading);
    root.append(message);
    this.#roots.set(view, root);
    this.#lab.append(root);
    try {
      const loadLab = async () => (await import("smooth-clir/lab")).Lab.load();
      const [{ mount }, lab] = await Promise.all([LOADERS[view]!(), loadLab()]);
      message.remove();
      const made = mount(root, { ...this.#context, lab });
      this.#views.set(view, made);
      if (this.#shown === view) made.update();
      else made.engineChanged?.();
    } catch (error) {
      const failed = new FailedNotice(strings.viewFailed, () => {
        root.remove();
        this.#roots.delete(view);
        void this.#load(view);
      });
      message.replaceWith(failed.element);
      failed.show(error);
    }
  }
}

/** The views that have something to show. */
function available(): ViewName[] {
  return VIEWS.filter((view) => view === "search" || LOADERS[view] !== undefined);
}

const MENU_ENTRIES = Object.keys(MENU) as MenuEntry[];

function entryOf(view: ViewName): MenuEntry {
  return MENU_ENTRIES.find((entry) => (MENU[entry] as readonly ViewName[]).includes(view)) ?? "search";
}

function pointTo(link: HTMLAnchorElement, view: ViewName): void {
  link.href = `#view=${view}`;
  link.dataset["view"] = view;
}

function mark(link: HTMLAnchorElement, current: "page" | "true" | undefined): void {
  if (current === undefined) link.removeAttribute("aria-current");
  else link.ariaCurrent = current;
}
