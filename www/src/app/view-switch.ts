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
  readonly #menu = byId("views", HTMLElement);
  readonly #submenu = byId("subviews", HTMLElement);
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
    byId("brand", HTMLAnchorElement).addEventListener("click", (event) => this.#follow(event, "search"));
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
    const entries = (Object.keys(MENU) as MenuEntry[]).flatMap((entry) => {
      const its = shown.filter((one) => entryOf(one) === entry);
      const last = this.#last.get(entry);
      const target = last !== undefined && its.includes(last) ? last : its[0];
      return target === undefined ? [] : [{ entry, target, count: its.length }];
    });
    const links = entries.map(({ entry, target, count }) => {
      const link = this.#link(strings.menu[entry], target);
      if (entry === current) link.ariaCurrent = count > 1 ? "true" : "page";
      return link;
    });
    setChildren(this.#menu, links);
    const its = shown.filter((one) => entryOf(one) === current);
    this.#submenu.hidden = its.length < 2;
    this.#submenu.ariaLabel = strings.menu[current];
    setChildren(this.#submenu, its.length < 2 ? [] : its.map((one) => {
      const link = this.#link(strings.views[one], one);
      if (one === view) link.ariaCurrent = "page";
      return link;
    }));
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
    link.href = `#view=${view}`;
    link.dataset["view"] = view;
    link.addEventListener("click", (event) => this.#follow(event, view));
    return link;
  }

  /** Shows a view and keeps everything else, unless the link is to open elsewhere. */
  #follow(event: MouseEvent, view: ViewName): void {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    this.#store.set({ view });
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

function entryOf(view: ViewName): MenuEntry {
  const entries = Object.entries(MENU) as [MenuEntry, readonly ViewName[]][];
  return entries.find(([, views]) => views.includes(view))?.[0] ?? "search";
}

/** Puts these links into a menu, unless the same are there: the focus stays where it is. */
function setChildren(menu: HTMLElement, links: readonly HTMLAnchorElement[]): void {
  const old = [...menu.querySelectorAll("a")];
  const same = old.length === links.length && old.every((link, place) => link.textContent === links[place]?.textContent);
  if (!same) {
    menu.replaceChildren(...links);
    return;
  }
  for (const [place, link] of old.entries()) {
    const { href, ariaCurrent, dataset } = links[place]!;
    if (link.dataset["view"] !== dataset["view"]) link.replaceWith(links[place]!);
    else if (ariaCurrent === null) link.removeAttribute("aria-current");
    else link.ariaCurrent = ariaCurrent;
    link.href = href;
  }
}
