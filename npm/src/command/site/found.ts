/** The file of a page. */
export interface PageFile {
  /** The page's address, seen from the site's folder: its document's id. */
  place: string;
  path: string;
  /** When the page changed, where a sitemap says. */
  changed: string | undefined;
  /** Whether the command line names it: it is asked for, and not only found. */
  isNamed: boolean;
}

/** What is no document of the index, and why. */
export interface LeftOut {
  place: string;
  reason: string;
  /** Whether it was looked for and something is wrong with it. */
  isWrong: boolean;
}
