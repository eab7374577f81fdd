import { SmoothClir } from "smooth-clir";
import { byId } from "./dom";
import { EpsilonView } from "./epsilon";
import { FailedNotice } from "./failed-notice";
import { isBroken } from "./failure";
import * as format from "./format";
import { HeatMapView } from "./heat-map";
import { bindLink } from "./link";
import { LoadingView } from "./loading";
import { Order } from "./order/order";
import { ResultsView, type Found } from "./results";
import { SearchView } from "./search-view";
import { Searcher } from "./searcher";
import { keepOffline } from "./offline/register";
import { fromHash, Store, type State } from "./state";
import { StatusView } from "./status";
import { languageName, strings } from "./strings";
import { whatIsMissing } from "./support";
import { translatePage } from "./translate";
import { ViewSwitch } from "./views/switch";
import { Teach } from "./teach/teach";

const MODEL = new URL("./generated/query.safetensors", document.baseURI);
const DOCUMENTS = new URL("./generated/documents.safetensors", document.baseURI);
/** Shown until the model says what its own is. */
const USUAL_EPSILON = 0.5;

translatePage();
const store = new Store(fromHash(location.hash) ?? (fromHash("") as State));
const teach = new Teach({
  store,
  searchAgain: () => {
    order.changed();
    return searcher.update();
  },
  showMarks: () => results.showMarks(),
  loadUntaught: async () => {
    const untaught = await SmoothClir.load({ model: MODEL, documents: DOCUMENTS });
    const own = await engine?.texts();
    if (own) await untaught.addDocuments(own);
    return untaught;
  },
  onBroken: broken,
});
const results = new ResultsView(store, teach, () => engine);
const order = new Order({ store, epsilon: () => epsilonView.value, engine: () => engine });
const shown = {
  show(found: Found, move: boolean) {
    results.show(found, move);
    order.show(found);
  },
  get pinnedInWords() {
    return results.pinnedInWords;
  },
};
const searcher = new Searcher(() => store.state, shown, new StatusView(), broken);
const touch = (timeStamp: number) => {
  searcher.since = timeStamp;
};
const searchView = new SearchView(store, touch);
const epsilonView = new EpsilonView(store, USUAL_EPSILON, touch);
const heatMap = new HeatMapView(() => epsilonView.value);
const views = new ViewSwitch(store, epsilonView, () => {
  if (!engine) return;
  showDocuments(engine);
  order.changed();
  void searcher.update();
  teach.documentsChanged();
});
const loadingView = new LoadingView(() => loading?.abort(), () => void start());

let engine: SmoothClir | undefined;
let loading: AbortController | undefined;

store.subscribe((_, changed) => {
  if (["query", "epsilon", "language", "pin"].some((key) => changed.has(key as keyof State))) void searcher.update();
  if (changed.has("epsilon")) heatMap.update();
});
bindLink(store);
let panel: Promise<unknown> | undefined;
const showLesson = () => {
  if (store.state.lessons.lesson === "") return;
  // It shows itself from then on.
  panel ??= import("./views/lessons/panel-view").then(({ LessonPanel }) => new LessonPanel(store));
  panel.then(
    () => lessonFailed.hide(),
    (error: unknown) => {
      panel = undefined;
      lessonFailed.show(error);
    },
  );
};
const lessonFailed = new FailedNotice(strings.lessonFailed, () => showLesson());
lessonFailed.element.classList.add("lesson-failed");
byId("lesson", HTMLElement).before(lessonFailed.element);
store.subscribe(showLesson);
showLesson();
for (const [link, target] of [
  ["skip-link", "results"],
  ["teach-link", "teach"],
] as const) {
  byId(link, HTMLAnchorElement).addEventListener("click", (event) => {
    // The hash holds the state, so the link must not change it.
    event.preventDefault();
    byId(target, HTMLElement).focus();
  });
}
void start();

/** Starts what does not run yet: the engine, then its model. */
async function start(): Promise<void> {
  const missing = whatIsMissing();
  if (missing !== undefined) {
    loadingView.impossible(missing);
    searcher.detach(strings.notLoaded);
    return;
  }
  const { signal } = (loading = new AbortController());
  loadingView.starting();
  searcher.detach(strings.stillLoading);
  try {
    if (!engine) {
      engine = await SmoothClir.start({ signal });
    }
    await engine.loadModel(MODEL, DOCUMENTS, { signal, onProgress: (one) => loadingView.progress(one, 2) });
    ready(engine);
  } catch (error) {
    if (signal.aborted) {
      searcher.detach(strings.notLoaded);
      loadingView.cancelled();
    } else if (isBroken(error)) {
      broken(error);
    } else {
      searcher.detach(strings.notLoaded);
      loadingView.failed(error);
    }
  }
}

function ready(engine: SmoothClir): void {
  epsilonView.setOwn(engine.epsilon);
  heatMap.update();
  showDocuments(engine);
  if (loadingView.ready()) searchView.focus();
  searcher.attach(engine);
  keepOffline();
  teach.attach(engine);
  views.attach(engine);
}

/** Shows what documents there are. */
function showDocuments(engine: SmoothClir): void {
  searchView.setLanguages(engine.languages);
  const languages = new Intl.ListFormat(strings.locale).format(engine.languages.map(languageName));
  byId("model-facts", HTMLParagraphElement).textContent = strings.model(
    format.count(engine.dimension),
    format.plain(engine.epsilon),
    format.count(engine.documentCount),
    languages,
  );
}

/** The engine does not answer any more: Retry makes another. */
function broken(error: unknown): void {
  engine?.close();
  engine = undefined;
  views.attach(undefined);
  teach.detach();
  searcher.detach(strings.notLoaded);
  loadingView.failed(error);
}
