import { openDB, type DBSchema, type IDBPDatabase, type StoreNames } from "idb";

/**
 * Does something with a database of this browser that has one store, and closes it. Rejects where the browser stores
 * nothing.
 */
export async function withDatabase<Schema extends DBSchema, T>(
  name: string,
  store: StoreNames<Schema>,
  work: (database: IDBPDatabase<Schema>) => Promise<T>,
): Promise<T> {
  const database = await openDB<Schema>(name, 1, {
    upgrade: (database) => {
      database.createObjectStore(store);
    },
  });
  try {
    return await work(database);
  } finally {
    database.close();
  }
}
