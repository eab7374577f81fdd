/** The words of a search box. */
export interface SearchBoxStrings {
  /** The input's label. */
  label: string;
  loading: string;
  none: string;
  /** The number of results. */
  found: (count: number) => string;
  failed: (reason: string) => string;
  /** Above the fields to filter by. */
  filters: string;
}

export const ENGLISH: SearchBoxStrings = {
  label: "Search",
  loading: "Loading the search…",
  none: "Nothing found.",
  found: (count) => (count === 1 ? "1 result" : `${count} results`),
  failed: (reason) => `The search failed: ${reason}`,
  filters: "Only with",
};
