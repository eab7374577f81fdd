import type { DBSchema, IDBPDatabase } from "idb";
import { withDatabase } from "../../ui/database";
import type { Source } from "./source";

interface Schema extends DBSchema {
  sources: { key: string; value: Source };
}

const NAME = "smooth-clir documents";

/** Keeps documents in this browser for the next visit. Every call rejects where the browser refuses. */
export const store = {
  all: (): Promise<Source[]> => withStore((database) => database.getAll("sources")),

  /** Keeps all of these, or none of them; a source of the same path is replaced. */
  put: (sources: readonly Source[]): Promise<void> =>
    withStore(async (database) => {
      const { store, done } = database.transaction("sources", "readwrite");
      await Promise.all([...sources.map((source) => store.put(source, source.path)), done]);
    }),

  remove: (path: string): Promise<void> => withStore((database) => database.delete("sources", path)),

  clear: (): Promise<void> => withStore((database) => database.clear("sources")),
};

const withStore = <T>(work: (database: IDBPDatabase<Schema>) => Promise<T>): Promise<T> => withDatabase(NAME, "sources", work);
