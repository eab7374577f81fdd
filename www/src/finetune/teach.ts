import type { Hit, SmoothClir } from "smooth-clir";
import { byId } from "../ui/dom";
import { toFailure } from "../ui/failure";
import { save } from "../ui/file";
import { latest } from "../ui/latest";
import type { Store } from "../state/state";
import { strings } from "../i18n/strings";
import { whereSelect, wishOf } from "../model/device-choice";
import { Effects } from "./effects";
import { Keeping, type Kept } from "./keeping";
import { LessonView } from "./lesson-view";
import { LossChart } from "./loss-chart";
import { FeedbackList } from "./feedback-list";
import { Feedback, type Grade, type FeedbackHandler } from "./feedback";
import { Notices } from "./notices";
import { Teacher } from "./teacher";
import { Untaught } from "./untaught";

/** The list comes first: what is compared follows once the typing rests. */
const COMPARE_AFTER_MS = 150;
const FILE_NAME = "smooth-clir-model.safetensors";

/** Of the pulls that were tried on the built-in model, the one that kept most other searches as they were. */
const PULL = 0.01;

/** What teaching needs of the page. */
interface Page {
  store: Store;
  /** Brings the list of results up to date. */
  searchAgain(): Promise<void>;
  /** The marks of the results that are shown changed. */
  showFeedback(): void;
  /** Loads the model that the page loaded once more. */
  loadUntaught(): Promise<SmoothClir>;
  onBroken(error: unknown): void;
}

/** The Teach section: marks, lessons, what they did, and what is kept of them. */
export class Teach implements FeedbackHandler {
  readonly #feedback = new Feedback();
  readonly #notices = new Notices();
  readonly #chart = new LossChart();
  readonly #keeping = new Keeping(() => this.#tellOfNewer());
  readonly #save = latest(() => this.#keep());
  readonly #teacher: Teacher;
  readonly #effects: Effects;
  readonly #untaught: Untaught;
  #engine: SmoothClir | undefined;
  #learned: Kept | undefined;

  constructor(page: Page) {
    const { store } = page;
    this.#untaught = new Untaught(() => page.loadUntaught());
    this.#effects = new Effects(
      () => store.state,
      () => this.#engine !== undefined && this.#teacher.lesson.taught,
      (query, options) => this.#untaught.search(query, options),
      async (query, options) => (await this.#engine?.search(query, options)) ?? [],
    );
    const hold = byId("teach-hold", HTMLInputElement);
    const where = whereSelect();
    byId("teach-where", HTMLLabelElement).append(strings.where.label, where);
    this.#teacher = new Teacher(this.#feedback, {
      pull: () => (hold.checked ? PULL : 0),
      where: () => wishOf(where),
      onChange: (lesson) => {
        view.show(lesson, this.#feedback);
        this.#chart.show(lesson.losses);
      },
      onMoved: async () => {
        this.#notices.hide("remembered");
        await page.searchAgain();
        await this.#effects.update();
      },
      onLearned: (kept) => {
        this.#learned = kept;
        void this.#save();
      },
      onBroken: (error) => page.onBroken(error),
    });
    const view = new LessonView(this.#teacher, () => this.#export());
    new FeedbackList(this.#feedback);
    this.#feedback.subscribe(() => {
      view.show(this.#teacher.lesson, this.#feedback);
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
    this.#keeping.open(engine.description);
    this.#teacher.attach(engine);
    void this.#effects.update();
    void this.#takeUpKept();
  }

  /** Whether a model that was taught, or is being taught, would be left by going over to another. */
  get engaged(): boolean {
    const { taught, work } = this.#teacher.lesson;
    return taught || work !== undefined;
  }

  /** Has nothing to teach, for want of an engine. */
  detach(): void {
    this.#engine = undefined;
    this.#teacher.detach();
    void this.#effects.update();
  }

  /** What is compared with is to have the same documents. */
  documentsChanged(): void {
    this.#untaught.forget();
    void this.#effects.update();
  }

  press(query: string, hit: Hit, grade: Grade): void {
    this.#feedback.toggle(query, hit, grade);
  }

  gradeOf(query: string, hit: Hit): Grade | undefined {
    return this.#feedback.gradeOf(query, hit);
  }

  /** Takes up what an earlier visit, or the engine before this one, learned. */
  async #takeUpKept(): Promise<void> {
    // Where nothing can be read nothing can be kept either; the first lesson will say so.
    const kept = await this.#keeping.load().catch(() => undefined);
    if (!kept) return;
    if (await this.#remember(kept, "")) {
      const onPress = () => void this.#teacher.reset();
      this.#notices.show("remembered", strings.teach.keptFromBefore, { name: strings.teach.startAfresh, onPress });
    } else if (this.#engine && this.#keeping.here === kept) {
      const onPress = () => void this.#takeUpKept();
      this.#notices.show("remembered", strings.teach.notTakenUp, { name: strings.teach.tryAgain, onPress });
    }
  }

  #tellOfNewer(): void {
    const onPress = () => void this.#takeOver();
    this.#notices.show("newer", strings.teach.newer, { name: strings.teach.takeOver, onPress });
  }

  /** Takes up what another tab learned. */
  async #takeOver(): Promise<void> {
    try {
      const kept = await this.#keeping.loadNewest();
      if (await this.#remember(kept, strings.teach.tookOver)) this.#notices.hide("newer");
    } catch (error) {
      this.#notices.show("storage", strings.teach.notKept(toFailure(error).message));
    }
  }

  /** Drops what the engine refuses, and says so. */
  #remember(kept: Kept | undefined, said: string): Promise<boolean> {
    return this.#teacher.remember(kept, said, (error) => {
      const { code, message } = toFailure(error);
      this.#notices.show("refused", strings.teach.refused(message, code));
      this.#learned = undefined;
      void this.#save();
    });
  }

  async #keep(): Promise<void> {
    try {
      await this.#keeping.save(this.#learned);
      this.#notices.hide("storage");
      this.#notices.hide("newer");
    } catch (error) {
      this.#notices.show("storage", strings.teach.notKept(toFailure(error).message));
    }
  }

  #export(): void {
    void this.#teacher.export(({ bytes }) => save(FILE_NAME, new Blob([bytes as BlobPart], { type: "application/octet-stream" })));
  }
}
