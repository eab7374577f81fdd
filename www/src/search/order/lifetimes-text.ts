import { pick } from "../../i18n/locale";
import { en } from "./lifetimes.en";
import { fr } from "./lifetimes.fr";

/** The texts of the lifetimes, in the language in use. */
export const text = pick({ en, fr });
