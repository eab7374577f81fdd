import { example } from "./example";

const ADDRESS = new URL("./generated/english.json", document.baseURI);

let fetched: Promise<Record<string, string>> | undefined;

/** The English titles of the built-in corpus, by entry; empty where they cannot be fetched: titles are then glossed. */
export function englishTitles(): Promise<Record<string, string>> {
  fetched ??= fetch(ADDRESS)
    .then((response): Promise<Record<string, string>> => (response.ok ? response.json() : Promise.reject(response.status)))
    .catch(() => {
      // The next search tries again.
      fetched = undefined;
      return example.english;
    });
  return fetched;
}
