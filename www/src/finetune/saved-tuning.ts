import type { DBSchema, IDBPDatabase } from "idb";
import { withDatabase } from "../ui/database";

/** A fine-tuning as the browser stores it for the next visit. */
export interface SavedTuning {
  learned: Uint8Array;
  /** The languages whose document encoders it may have changed. */
  languages: string[];
}

interface Schema extends DBSchema {
  learned: { key: string; value: SavedTuning };
}

const NAME = "smooth-clir";

/** Stores the fine-tuning of one model in this browser, and notices when another tab stores a newer one. */
export class TuningStore {
  readonly #onNewer: () => void;
  readonly #channel = typeof BroadcastChannel === "function" ? new BroadcastChannel(NAME) : undefined;
  #model = "";
  /** The latest of this tab: it holds even where the browser stores nothing. */
  #here: { kept: SavedTuning | undefined } | undefined;
  #last: Promise<void> = Promise.resolve();

  /** `onNewer` is called when another tab has kept something for the same model. */
  constructor(onNewer: () => void) {
    this.#onNewer = onNewer;
    this.#channel?.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      if (data === this.#model) this.#onNewer();
    });
  }

  /** The fine-tuning that this tab last stored or took over. */
  get here(): SavedTuning | undefined {
    return this.#here?.kept;
  }

  /** Names the model by all that its file says of itself. */
  open(description: object): void {
    const model = JSON.stringify(description);
    if (model !== this.#model) this.#here = undefined;
    this.#model = model;
  }

  /** The fine-tuning of this tab, or else the stored one; undefined where there is none. */
  async load(): Promise<SavedTuning | undefined> {
    return this.#here ? this.#here.kept : this.loadNewest();
  }

  /** The stored fine-tuning, from this tab or another. */
  async loadNewest(): Promise<SavedTuning | undefined> {
    return withStore(async (database) => {
      const kept = await database.get("learned", this.#model);
      this.#here = { kept };
      return kept;
    });
  }

  /** Keeps this in place of what was kept; undefined keeps nothing. Rejects where the browser refuses. */
  save(kept: SavedTuning | undefined): Promise<void> {
    this.#here = { kept };
    const model = this.#model;
    const saved = this.#last.then(() =>
      withStore(async (database) => {
        if (kept) await database.put("learned", kept, model);
        else await database.delete("learned", model);
        this.#channel?.postMessage(model);
      }),
    );
    this.#last = saved.catch(() => {});
    return saved;
  }
}

const withStore = <T>(work: (database: IDBPDatabase<Schema>) => Promise<T>): Promise<T> => withDatabase(NAME, "learned", work);
