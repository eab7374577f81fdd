import { bound } from "./french";

/** The languages of the page itself. */
export const LOCALES = { en: "English", fr: "Français" } as const;
export type Locale = keyof typeof LOCALES;

const KEPT = "smooth-clir locale";

/** The one in use: chosen before, or the first of the browser's that there is. */
export const locale: Locale = chosen() ?? preferred();

/** The table of the language in use. */
export const pick = <T>(tables: Record<Locale, T>): T => (locale === "fr" ? bound(tables.fr) : tables[locale]);

/** Takes another language from now on: the page loads again, and its link keeps all that it shows. */
export function change(to: Locale): void {
  try {
    localStorage.setItem(KEPT, to);
  } catch {
    // A browser that stores nothing: the link holds the language.
  }
  const address = new URL(location.href);
  address.searchParams.set("ui", to);
  if (address.href === location.href) location.reload();
  else location.assign(address);
}

function chosen(): Locale | undefined {
  const requested = new URLSearchParams(location.search).get("ui");
  if (isLocale(requested)) return requested;
  try {
    const kept = localStorage.getItem(KEPT);
    return isLocale(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

function preferred(): Locale {
  return navigator.languages.map((tag) => tag.split("-")[0]!).find(isLocale) ?? "en";
}

function isLocale(tag: string | null | undefined): tag is Locale {
  return tag !== null && tag !== undefined && Object.hasOwn(LOCALES, tag);
}
