import { pick } from "../../i18n/locale";
import { en } from "./strings.en";
import { fr } from "./strings.fr";

/** The texts of this view, in the language in use. */
export const text = pick({ en, fr });
