import type { SmoothClir } from "smooth-clir";
import { byId, make } from "../ui/dom";
import { FailedNotice } from "../ui/failed-notice";
import { VIEWS, type Store, type ViewName } from "../state/state";
import { hasKeptDocuments } from "../state/documents";
import { strings } from "../i18n/strings";
import type { Context, Mount, View } from "../views/view";

type LabView = Exclude<ViewName, "search">;

/** The views that there are, each fetched when it is first shown. */
const LOADERS: Partial<Record<LabView, () => Promise<{ mount: Mount }>>> = {
  training: () => import("../views/training/training-view"),
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
  readonly #lab = byId("lab", HTMLElement);
  readonly #roots = new Map<LabView, HTMLElement>();
  readonly #views = new Map<LabView, View>();
  #shown: ViewName = "search";
  #engine: SmoothClir | undefined;

  constructor(store: Store, epsilon: { value: number; own: number }, documentsChanged: () => void) {
    this.#store = store;
    this.#context = {
      store,
      epsilon: () => epsilon.value,
      ownEpsilon: () => epsilon.own,
      engine: () => this.#engine,
      documentsChanged,
    };
    const links = available().map((view) => {
      const link = make("a", "", strings.views[view]);
      link.href = `#view=${view}`;
      link.dataset["view"] = view;
      link.addEventListener("click", (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        store.set({ view });
      });
      return link;
    });
    this.#menu.replaceChildren(...links);
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
    for (const link of this.#menu.querySelectorAll("a")) {
      link.hidden = hide.includes(link.dataset["view"] as ViewName);
      if (link.dataset["view"] === view) link.ariaCurrent = "page";
      else link.removeAttribute("aria-current");
    }
    document.documentElement.classList.toggle("embedded", embed);
    if (view !== this.#shown) {
      this.#current()?.leave?.();
      this.#shown = view;
      this.#main.dataset["view"] = view === "search" ? "search" : "lab";
      for (const [name, root] of this.#roots) root.hidden = name !== view;
    }
    if (view === "search") return;
    const current = this.#views.get(view);
    if (current) current.update();
    else void this.#load(view);
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
