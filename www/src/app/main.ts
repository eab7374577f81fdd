import { hasModule } from "../model/first-engine";
import { type Progress, SmoothClir } from "smooth-clir";
import { byId } from "../ui/dom";
import type { CompareView } from "../search/compare-view";
import { EpsilonView } from "../search/epsilon-view";
import { FailedNotice } from "../ui/failed-notice";
import { isBroken } from "../ui/failure";
import * as format from "../ui/format";
import { HeatMapView } from "../ui/heat-map";
import { Hood } from "../search/hood";
import type { LanguagesView } from "../search/languages/languages-view";
import { Offer } from "../search/offer";
import { bindLink } from "../state/link";
import { LoadingView } from "../model/loading-view";
import { Order } from "../search/order/order";
import type { Found } from "../search/found";
import { ResultsView } from "../search/results";
import { SearchView } from "../search/search-view";
import { MineOnly } from "../search/mine-only";
import { Searcher } from "../search/searcher";
import { SpeedView } from "../search/speed-view";
import { areKept } from "../model/kept-files";
import { keepOffline } from "../offline/register";
import { rest } from "../ui/rest";
import { savesData } from "../offline/save-data";
import { corpusLanguages, isHybrid, hasFullModel, keepChoice, keptChoice, type ModelName } from "../model/models";
import { ModelView } from "../search/model-view";
import { DemoModel, filesToBeginWith } from "../model/demo-model";
import { FullModel } from "../model/full-model";
import { QUERY_LANGUAGE } from "../state/documents";
import { fromHash, Store, type State } from "../state/state";
import { StatusView } from "../search/status";
import { languageName, strings } from "../i18n/strings";
import { whatIsMissing } from "./support";
import { translatePage } from "../i18n/translate";
import { ViewSwitch } from "./view-switch";
import { FineTune } from "../finetune/fine-tune";

/** Shown until the model says what its own is. */
const USUAL_EPSILON = 0.5;
/** How long the page waits for a model whose files this device keeps: they may have changed on the server since. */
const PATIENCE_MS = 2000;

translatePage(byId("locale", HTMLSelectElement));
const store = new Store(fromHash(location.hash) ?? (fromHash("") as State));
const demoModel = new DemoModel();
const fineTune = new FineTune({
  store,
  searchAgain: () => searcher.update(),
  showFeedback: () => results.showFeedback(),
  loadOriginal: async () => {
    const { model, documents } = fullModel && engine === fullModel.engine ? fullModel.files : demoModel.files;
    const original = await SmoothClir.load({ model, documents });
    try {
      const own = await engine?.exportUserDocuments();
      if (own) await original.addDocuments(own);
      return original;
    } catch (error) {
      original.close();
      throw error;
    }
  },
  onBroken: broken,
});
const hood = new Hood(store, () => void searcher.update());
const results = new ResultsView(store, hood, fineTune, () => engine);
const order = new Order({ store, epsilon: () => epsilonView.value, engine: () => engine });
/** What was found last. */
let lastFound: Found | undefined;
const shown = {
  show(found: Found, move: boolean) {
    results.show(found, move);
    if (hood.open) order.show(found);
    lastFound = found;
    // The demo model knows none of the words: they may be in another language.
    if (engine && found.tokens.length > 0 && found.hits.length === 0) bringLanguages();
    withLanguages((view) => view.show(found));
  },
  canShowMore: (more: boolean) => results.canShowMore(more),
  get pinnedInWords() {
    return results.pinnedInWords;
  },
};
const touch = (timeStamp: number) => {
  searcher.since = timeStamp;
};
const status = new StatusView((asTyped) => store.set({ asTyped }));
const mineOnly = new MineOnly(store, touch);
byId("languages", HTMLFieldSetElement).after(mineOnly.element);
const searcher = new Searcher(() => store.state, () => !hood.open, shown, status, broken, mineOnly);
results.onMore = () => searcher.showMore();
const searchView = new SearchView(store, touch, () => results.bringIntoView());
const epsilonView = new EpsilonView(store, USUAL_EPSILON, touch);
const heatMap = new HeatMapView(() => epsilonView.value);
const views = new ViewSwitch(store, epsilonView, () => engine && demoModel.engine, () => {
  if (!engine) return;
  showDocuments(engine);
  void mineOnly.update(engine).then(() => searcher.update());
  fineTune.documentsChanged();
});
const loadingView = new LoadingView(() => loading?.abort(), () => void start());

const modelView = hasFullModel ? new ModelView(store, touch, () => void goOver()) : undefined;
const fullModel = modelView && new FullModel(modelView);
const offer = new Offer(() => {
  keepChoice("full");
  void accept();
});
/** The languages of queries; fetched once the first model is here, for who has more use for it than the demo model. */
let languages: Promise<LanguagesView> | undefined;
const modelAtWork = byId("model-at-work", HTMLParagraphElement);

/** The engine at work: the demo model's, or the full model's. */
let engine: SmoothClir | undefined;
let loading: AbortController | undefined;
/** Whether the first search is answered and the model that is wanted is here, or failed. */
let hasStarted = false;
new SpeedView(() => engine);

store.subscribe((_, changed) => {
  // A new search is the better model's from the start: nothing of it stands there yet.
  if ((changed.has("query") || changed.has("view")) && offer.isOpen) return void accept();
  if (["query", "epsilon", "language", "asked", "mine", "pin", "by", "asTyped"].some((key) => changed.has(key as keyof State)) && !isMissing(store.state.language)) void searcher.update();
  if (isMissing(store.state.language) || ["view", "language", "compare", "lessons"].some((key) => changed.has(key as keyof State))) void completeDemo();
  if (changed.has("epsilon")) heatMap.update();
  if (["model", "language", "asked", "compare", "lessons"].some((key) => changed.has(key as keyof State))) void goOver();
});
bindLink(store);
/** Does something with the choice of languages, if it is here; the next engine tries again what failed. */
function withLanguages(work: (view: LanguagesView) => void): void {
  languages?.then(work, () => (languages = undefined));
}
let panel: Promise<unknown> | undefined;
const showLesson = () => {
  if (store.state.lessons.lesson === "") return;
  // It shows itself from then on.
  panel ??= import("../views/lessons/panel-view").then(({ LessonPanel }) => LessonPanel.open(store));
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
  ["finetune-link", "finetune"],
] as const) {
  byId(link, HTMLAnchorElement).addEventListener("click", (event) => {
    // The hash holds the state, so the link must not change it.
    event.preventDefault();
    byId(target, HTMLElement).focus();
  });
}
let comparing: Promise<CompareView> | undefined;
/** Shows both models' results where that is wanted; what shows them is fetched the first time. */
const compare = () => {
  if (!store.state.compare && !comparing) return;
  comparing ??= import("../search/compare-view").then(
    ({ CompareView }) => new CompareView(store, () => ({ demo: demoModel.engine, full: fullModel?.engine })),
  );
  comparing.then(
    (view) => {
      compareFailed.hide();
      void view.update();
    },
    (error: unknown) => {
      comparing = undefined;
      compareFailed.show(error);
    },
  );
};
const compareFailed = new FailedNotice(strings.compare.failed, () => compare());
byId("comparison", HTMLElement).before(compareFailed.element);
if (fullModel) {
  store.subscribe((_, changed) => {
    if (["compare", "left", "right", "query", "epsilon", "language", "asked", "by"].some((key) => changed.has(key as keyof State))) compare();
  });
  const card = byId("model-card", HTMLDetailsElement);
  card.hidden = false;
  const cardFailed = new FailedNotice(strings.card.failed, () => showCard());
  card.append(cardFailed.element);
  const showCard = () => {
    if (!card.open) return;
    void import("../model/model-card")
      .then(({ showModelCard }) => showModelCard(byId("model-card-body", HTMLDivElement)))
      .then(() => cardFailed.hide(), (error: unknown) => cardFailed.show(error));
  };
  card.addEventListener("toggle", showCard);
}
/** The model that a person chose, now or before. */
const chosen = (): ModelName | undefined => store.state.model ?? keptChoice() ?? (accepted ? "full" : undefined);
/** Whether the full model was accepted when it was offered. */
let accepted = false;
/** Nobody chose, and the work done with the demo model is not to be left. */
let keepsDemo = false;
/** The model to go over to: lessons use the demo model. */
const wanted = (): ModelName =>
  store.state.lessons.lesson !== "" ? "demo" : (chosen() ?? (keepsDemo || savesData() ? "demo" : "full"));

void start();

/** Starts what does not run yet: the full model where that is the one to begin with, and the demo model. */
async function start(): Promise<void> {
  const missing = whatIsMissing();
  if (missing !== undefined) {
    loadingView.impossible(missing);
    searcher.detach(strings.notLoaded);
    return;
  }
  const { signal } = (loading = new AbortController());
  hasStarted = false;
  loadingView.starting();
  if (!engine) searcher.detach(strings.stillLoading);
  try {
    await startWithFull(signal);
    if (engine) {
      const started = await demoModel.start(undefined, { signal });
      ready();
      // The full model may have broken down meanwhile.
      if (engine) views.attach(engine);
      else await use(started);
    } else await startWithDemo(signal);
    void goOver().then(() => {
      hasStarted = true;
      void completeDemo();
      const { model, documents } = fullModel?.engine ? fullModel.files : demoModel.files;
      keepOffline([...model, ...documents]);
      if (engine) bringTexts(engine);
    });
  } catch (error) {
    // The full model may answer meanwhile.
    if (!engine) {
      fullModel?.stop();
      searcher.detach(strings.notLoaded);
    }
    if (signal.aborted) loadingView.cancelled();
    else if (isBroken(error) && !engine) broken(error);
    else loadingView.failed(error);
  }
}

/** Whether the full model was chosen, and nothing needs the demo model first. */
function isFullWanted(): boolean {
  return chosen() === "full" && wanted() === "full";
}

/**
 * Where a person chose the full model and this device keeps its files, it answers as soon as the demo model would: it alone
 * is started first. If it is not here after a while, the demo model is started beside it.
 */
async function startWithFull(signal: AbortSignal): Promise<void> {
  if (engine || !fullModel || !isFullWanted()) return;
  const { language } = store.state;
  const { model, documents } = fullModel.filesFor(language);
  if (!(await areKept([...model, ...documents]))) return;
  signal.throwIfAborted();
  const late = new Promise<undefined>((resolve) => {
    signal.addEventListener("abort", () => resolve(undefined));
    setTimeout(resolve, PATIENCE_MS);
  });
  const came = await Promise.race([fullModel.load(language), late]);
  signal.throwIfAborted();
  if (!came || !isFullWanted()) return;
  ready();
  await use(came);
  bringLanguages();
}

/** Starts with the demo model, which answers until the one that is wanted is here. */
async function startWithDemo(signal: AbortSignal): Promise<void> {
  const takesFull = isFullWanted();
  const { model, documents } = filesToBeginWith(firstLanguage());
  const files = model.length + documents.length;
  const onProgress = (one: Progress) => {
    // The link has nothing else to do once the module is here too.
    if (loadingView.progress(one, files) && takesFull) void hasModule.then(() => fullModel?.load(store.state.language)).catch(() => {});
  };
  const started = await demoModel.start(firstLanguage(), { signal, onProgress });
  ready();
  // Where the host told no lengths.
  if (takesFull) void fullModel?.load(store.state.language);
  await use(started);
  // A model that was chosen comes at once, any other when the browser rests. All else comes after it: it would take of the link.
  if (chosen() !== "full") await rest();
}

/** The language whose documents the demo model begins with: the one that is searched, where nothing else needs the others. early.js asks for them before. */
function firstLanguage(): string | undefined {
  const { view, language, compare, lessons } = store.state;
  return view === "search" && !compare && lessons.lesson === "" ? language : undefined;
}

/** Brings the documents that the demo model did not begin with. */
async function completeDemo(): Promise<void> {
  const added = await demoModel.complete();
  if (!engine || engine !== demoModel.engine) return;
  if (added) {
    showDocuments(engine);
    views.attach(engine);
    compare();
  }
  // Where they could not be fetched, the search says that they are not there.
  if (added || isMissing(store.state.language)) await searcher.update();
}

/** What was waited for is here. */
function ready(): void {
  if (loadingView.ready()) searchView.focus();
}

/** Works with an engine that has its model; resolves once it has searched. */
async function use(next: SmoothClir): Promise<void> {
  if (engine && engine !== next) {
    fineTune.detach();
    fineTune.documentsChanged();
  }
  offer.withdraw();
  engine = next;
  // The view of one's own documents adds them to an engine, and says when they are there.
  mineOnly.clear();
  // The search runs while the page says what it searches with.
  const searched = searcher.attach(next);
  epsilonView.setOwn(next.epsilon);
  heatMap.update();
  showDocuments(next);
  withLanguages((view) => view.attach(next));
  if (next === fullModel?.engine && fullModel.missing.length > 0 && !savesData()) {
    await searched;
    await fullModel.complete();
    if (engine !== next) return;
    showDocuments(next);
  }
  fineTune.attach(next);
  views.attach(next);
  compare();
  await searched;
  if (hasStarted) bringTexts(next);
}

/** Brings the choice of languages, which the full model reads. */
function bringLanguages(): void {
  if (!fullModel || languages) return;
  const host = {
    store,
    modelBytes: () => (fullModel.engine ? 0 : fullModel.files.bytes),
    takeFull: () => {
      // Lessons use the demo model.
      if (store.state.lessons.lesson !== "") return;
      if (chosen() === "demo") {
        keepChoice("full");
        store.set({ model: "full" });
      }
      void accept().then(goOver);
    },
    searchAgain: () => void searcher.again(),
  };
  languages = import("../search/languages/languages-view").then(({ LanguagesView }) => new LanguagesView(host));
  withLanguages((view) => {
    if (engine) view.attach(engine);
    if (lastFound) view.show(lastFound);
  });
}

/** Fetches the texts that no result has shown yet, when the browser rests. What fails here is fetched when it is shown. */
function bringTexts(from: SmoothClir): void {
  if (!savesData()) void rest().then(() => from.fetchTexts().catch(() => {}));
}

/** Goes over to the model that is wanted, as soon as it is here. */
async function goOver(): Promise<void> {
  const demo = demoModel.engine;
  if (!modelView || !fullModel || !demo || !engine) return;
  const { compare: compares, language, asked } = store.state;
  if (wanted() === "full" || asked !== undefined) bringLanguages();
  modelView.show(wanted(), isHybrid(engine));
  if (wanted() === "demo") {
    offer.withdraw();
    if (engine !== demo) void use(demo);
    if (!compares) return fullModel.stop();
  }
  // The demo model soon has documents of every language, and answers until they are here.
  if (isMissing(language) && engine !== demo) {
    void demoModel.complete().then(() => {
      if (isMissing(store.state.language)) void use(demo);
    });
  }
  const came = await fullModel.load(language);
  if (!came || !demoModel.engine) return;
  compare();
  if (wanted() !== "full" || came === engine) return;
  keepsDemo = fineTune.engaged && engine === demoModel.engine && chosen() === undefined;
  if (!keepsDemo) {
    // Nobody asked for it, and a list is being read: it is not ranked anew under the reader's eyes. But the demo model's answers
    // to a query in another language are none.
    const isEnglish = (await came.languageOf(store.state.query).catch(() => QUERY_LANGUAGE)) === QUERY_LANGUAGE;
    if (wanted() !== "full" || came === engine || came !== fullModel.engine) return;
    if (isEnglish && chosen() === undefined && store.state.view === "search" && searcher.hasFound) {
      offer.make();
      modelView.show("demo", false);
    } else await use(came);
    return;
  }
  modelView.settled(strings.models.heldBack);
  modelView.show("demo", false);
}

/** Whether the engine at work has no documents in a language. */
function isMissing(language: string | undefined): boolean {
  return language !== undefined && engine !== undefined && !engine.languages.includes(language);
}

/** Searches with the model that was offered. */
async function accept(): Promise<void> {
  accepted = true;
  offer.withdraw();
  const better = fullModel?.engine;
  if (better && better !== engine) await use(better);
}

/** Shows what documents there are. */
function showDocuments(engine: SmoothClir): void {
  // Those of the full model's documents that are not here come when they are chosen.
  searchView.setLanguages([...new Set([...corpusLanguages(), ...engine.languages])]);
  const languages = format.list(engine.languages.map(languageName));
  byId("model-facts", HTMLParagraphElement).textContent = strings.model(
    format.count(engine.dimension),
    format.plain(engine.epsilon),
    format.count(engine.documentCount),
    languages,
  );
  if (!modelView || !fullModel) return;
  const name = engine === demoModel.engine ? "demo" : "full";
  modelView.show(offer.isOpen ? "demo" : wanted(), isHybrid(engine));
  const { bytes } = name === "demo" ? demoModel.files : fullModel.files;
  modelAtWork.textContent = strings.models.atWork[name](format.count(engine.dimension), format.megabytes(bytes));
}

/** The engine does not answer any more: Retry makes another. */
function broken(error: unknown): void {
  const demo = demoModel.engine;
  if (engine !== undefined && engine === fullModel?.engine && demo) {
    fullModel.forget();
    modelView?.failed(error);
    void use(demo);
    return;
  }
  if (engine === fullModel?.engine) fullModel?.forget();
  demoModel.forget();
  engine = undefined;
  views.attach(undefined);
  fineTune.detach();
  searcher.detach(strings.notLoaded);
  loadingView.failed(error);
}
