import type { Hit, SmoothClir } from "smooth-clir";
import { byId } from "../ui/dom";
import { toFailure } from "../ui/failure";
import { save } from "../ui/file";
import { latest } from "../ui/latest";
import type { Store } from "../state/state";
import { strings } from "../i18n/strings";
import { whereSelect, wishOf } from "../model/device-choice";
import { Effects } from "./effects";
import { TuningStore, type SavedTuning } from "./saved-tuning";
import { TuningView } from "./tuning-view";
import { LossChart } from "./loss-chart";
import { FeedbackList } from "./feedback-list";
import { Feedback, type Grade, type FeedbackHandler } from "./feedback";
import { Notices } from "./notices";
import { Tuner } from "./tuner";
import { OriginalModel } from "./original-model";

/** The list comes first: what is compared follows once the typing rests. */
const COMPARE_AFTER_MS = 150;
const FILE_NAME = "smooth-clir-model.safetensors";

/** The pull, of those tried on the demo model, that changed other searches least. */
const PULL = 0.01;

/** The parts of the page that fine-tuning uses. */
interface Page {
  store: Store;
  /** Brings the list of results up to date. */
  searchAgain(): Promise<void>;
  /** The feedback on the results that are shown changed. */
  showFeedback(): void;
  /** Loads the model that the page loaded once more. */
  loadOriginal(): Promise<SmoothClir>;
  onBroken(error: unknown): void;
}

/** The fine-tune section: feedback, the steps, their effects, and what is stored of them. */
export class FineTune implements FeedbackHandler {
  readonly #feedback = new Feedback();
  readonly #notices = new Notices();
  readonly #chart = new LossChart();
  readonly #store = new TuningStore(() => this.#tellOfNewer());
  readonly #save = latest(() => this.#keep());
  readonly #tuner: Tuner;
  readonly #effects: Effects;
  readonly #original: OriginalModel;
  #engine: SmoothClir | undefined;
  #tuned: SavedTuning | undefined;

  constructor(page: Page) {
    const { store } = page;
    this.#original = new OriginalModel(() => page.loadOriginal());
    this.#effects = new Effects(
      () => store.state,
      () => this.#engine !== undefined && this.#tuner.tuning.tuned,
      (query, options) => this.#original.search(query, options),
      async (query, options) => (await this.#engine?.search(query, options)) ?? [],
    );
    const hold = byId("finetune-hold", HTMLInputElement);
    const where = whereSelect();
    byId("finetune-where", HTMLLabelElement).append(strings.where.label, where);
    this.#tuner = new Tuner(this.#feedback, {
      pull: () => (hold.checked ? PULL : 0),
      where: () => wishOf(where),
      onChange: (tuning) => {
        view.show(tuning, this.#feedback);
        this.#chart.show(tuning.losses);
      },
      onMoved: async () => {
        this.#notices.hide("remembered");
        await page.searchAgain();
        await this.#effects.update();
      },
      onTuned: (kept) => {
        this.#tuned = kept;
        void this.#save();
      },
      onBroken: (error) => page.onBroken(error),
    });
    const view = new TuningView(this.#tuner, () => this.#export());
    new FeedbackList(this.#feedback);
    this.#feedback.subscribe(() => {
      view.show(this.#tuner.tuning, this.#feedback);
      page.showFeedback();
    });
    let timer = 0;
    store.subscribe(() => {
      clearTimeout(timer);
      timer = setTimeout(() => void this.#effects.update(), COMPARE_AFTER_MS);
    });
  }

  /** Takes an engine that has its model, and what was kept for it. */
  attach(engine: SmoothClir): void {
    this.#engine = engine;
    this.#store.open(engine.description);
    this.#tuner.attach(engine);
    void this.#effects.update();
    void this.#takeUpKept();
  }

  /** Whether the page would leave a model that is fine-tuned, or being fine-tuned, by going over to another. */
  get engaged(): boolean {
    const { tuned, work } = this.#tuner.tuning;
    return tuned || work !== undefined;
  }

  /** Lets go of the engine. */
  detach(): void {
    this.#engine = undefined;
    this.#tuner.detach();
    void this.#effects.update();
  }

  /** Forgets the original model: the next comparison needs one with the same documents. */
  documentsChanged(): void {
    this.#original.forget();
    void this.#effects.update();
  }

  press(query: string, hit: Hit, grade: Grade): void {
    this.#feedback.toggle(query, hit, grade);
  }

  gradeOf(query: string, hit: Hit): Grade | undefined {
    return this.#feedback.gradeOf(query, hit);
  }

  /** Restores the fine-tuning of an earlier visit, or of the engine before this one. */
  async #takeUpKept(): Promise<void> {
    // A browser that reads nothing stores nothing either; the first fine-tuning says so.
    const kept = await this.#store.load().catch(() => undefined);
    if (!kept) return;
    if (await this.#remember(kept, "")) {
      const onPress = () => void this.#tuner.reset();
      this.#notices.show("remembered", strings.finetune.keptFromBefore, { name: strings.finetune.startAfresh, onPress });
    } else if (this.#engine && this.#store.here === kept) {
      const onPress = () => void this.#takeUpKept();
      this.#notices.show("remembered", strings.finetune.notTakenUp, { name: strings.finetune.tryAgain, onPress });
    }
  }

  #tellOfNewer(): void {
    const onPress = () => void this.#takeOver();
    this.#notices.show("newer", strings.finetune.newer, { name: strings.finetune.takeOver, onPress });
  }

  /** Takes over the fine-tuning of another tab. */
  async #takeOver(): Promise<void> {
    try {
      const kept = await this.#store.loadNewest();
      if (await this.#remember(kept, strings.finetune.tookOver)) this.#notices.hide("newer");
    } catch (error) {
      this.#notices.show("storage", strings.finetune.notKept(toFailure(error).message));
    }
  }

  /** Drops what the engine refuses, and says so. */
  #remember(kept: SavedTuning | undefined, said: string): Promise<boolean> {
    return this.#tuner.remember(kept, said, (error) => {
      const { code, message } = toFailure(error);
      this.#notices.show("refused", strings.finetune.refused(message, code));
      this.#tuned = undefined;
      void this.#save();
    });
  }

  async #keep(): Promise<void> {
    try {
      await this.#store.save(this.#tuned);
      this.#notices.hide("storage");
      this.#notices.hide("newer");
    } catch (error) {
      this.#notices.show("storage", strings.finetune.notKept(toFailure(error).message));
    }
  }

  #export(): void {
    void this.#tuner.export(({ bytes }) => save(FILE_NAME, new Blob([bytes as BlobPart], { type: "application/octet-stream" })));
  }
}
