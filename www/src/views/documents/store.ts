import { openDB, type DBSchema } from "idb";
import type { Source } from "./source";

interface Schema extends DBSchema {
  sources: { key: string; value: Source };
}

const NAME = "smooth-clir documents";

/** Keeps documents in this browser for the next visit. Every call rejects where the browser refuses. */
export const store = {
  all: (): Promise<Source[]> => withDatabase((database) => database.getAll("sources")),

  /** Keeps all of these, or none of them; a source of the same path is replaced. */
  put: (sources: readonly Source[]): Promise<void> =>
    withDatabase(async (database) => {
      const { store, done } = database.transaction("sources", "readwrite");
      await Promise.all([...sources.map((source) => store.put(source, source.path)), done]);
    }),

  remove: (path: string): Promise<void> => withDatabase((database) => database.delete("sources", path)),

  clear: (): Promise<void> => withDatabase((database) => database.clear("sources")),
};

async function withDatabase<T>(work: (database: Awaited<ReturnType<typeof open>>) => Promise<T>): Promise<T> {
  const database = await open();
  try {
    return await work(database);
  } finally {
    database.close();
  }
}

const open = () =>
  openDB<Schema>(NAME, 1, {
    upgrade: (database) => {
      database.createObjectStore("sources");
    },
  });
