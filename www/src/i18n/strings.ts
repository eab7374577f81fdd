import { pick } from "./locale";
import { en } from "./strings.en";
import { fr } from "./strings.fr";

/** The texts of the running page, in the language in use; the fixed texts are in `index.html`. */
export const strings = pick({ en, fr });

/** A language's name in the page's language. */
export function languageName(tag: string): string {
  const known = strings.languageNames[tag];
  if (known !== undefined) return known;
  try {
    return new Intl.DisplayNames([strings.locale], { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}
