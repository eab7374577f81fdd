import { openDB, type DBSchema } from "idb";

/** What was learned, as it is kept for the next visit. */
export interface Kept {
  learned: Uint8Array;
  /** The languages whose document sides it changed, or may have. */
  languages: string[];
}

interface Schema extends DBSchema {
  learned: { key: string; value: Kept };
}

const NAME = "smooth-clir";

/** Keeps what one model learned in this browser, and hears of other tabs that keep something newer. */
export class Keeping {
  readonly #onNewer: () => void;
  readonly #channel = typeof BroadcastChannel === "function" ? new BroadcastChannel(NAME) : undefined;
  #model = "";
  /** It holds even where the browser keeps nothing. */
  #here: { kept: Kept | undefined } | undefined;
  #last: Promise<void> = Promise.resolve();

  /** `onNewer` is called when another tab has kept something for the same model. */
  constructor(onNewer: () => void) {
    this.#onNewer = onNewer;
    this.#channel?.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      if (data === this.#model) this.#onNewer();
    });
  }

  /** What this tab last kept or took. */
  get here(): Kept | undefined {
    return this.#here?.kept;
  }

  /** Names the model by all that its file says of itself. */
  open(description: object): void {
    const model = JSON.stringify(description);
    if (model !== this.#model) this.#here = undefined;
    this.#model = model;
  }

  /** What this tab has, or else the browser; undefined where there is nothing. */
  async load(): Promise<Kept | undefined> {
    return this.#here ? this.#here.kept : this.loadNewest();
  }

  /** What the browser keeps, be it from this tab or another. */
  async loadNewest(): Promise<Kept | undefined> {
    return this.#withStore(async (database) => {
      const kept = await database.get("learned", this.#model);
      this.#here = { kept };
      return kept;
    });
  }

  /** Keeps this in place of what was kept; undefined keeps nothing. Rejects where the browser refuses. */
  save(kept: Kept | undefined): Promise<void> {
    this.#here = { kept };
    const model = this.#model;
    const saved = this.#last.then(() =>
      this.#withStore(async (database) => {
        if (kept) await database.put("learned", kept, model);
        else await database.delete("learned", model);
        this.#channel?.postMessage(model);
      }),
    );
    this.#last = saved.catch(() => {});
    return saved;
  }

  async #withStore<T>(work: (database: Awaited<ReturnType<typeof openStore>>) => Promise<T>): Promise<T> {
    const database = await openStore();
    try {
      return await work(database);
    } finally {
      database.close();
    }
  }
}

const openStore = () =>
  openDB<Schema>(NAME, 1, {
    upgrade: (database) => {
      database.createObjectStore("learned");
    },
  });
