import { bound } from "./french";
import { change, locale, LOCALES, type Locale } from "./locale";

/** Puts the texts of `index.html` into the language in use; `choice` offers the others. */
export function translatePage(choice: HTMLSelectElement): void {
  document.documentElement.lang = locale;
  choice.parentElement!.dataset["locale"] = locale;
  choice.replaceChildren(...Object.entries(LOCALES).map(([tag, name]) => new Option(name, tag, tag === locale, tag === locale)));
  choice.addEventListener("change", () => change(choice.value as Locale));
  // In English they stand there already.
  if (locale === "fr") void import("./fixed.fr").then(({ fixed }) => replace(bound(fixed)));
}

function replace(table: Record<string, string>): void {
  const translated = (text: string) => table[text.trim().replace(/\s+/g, " ")];
  document.title = translated(document.title) ?? document.title;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = node.nodeValue ?? "";
    const found = translated(text);
    if (found === undefined) continue;
    // The spaces around it stay.
    node.nodeValue = `${/^\s*/.exec(text)![0]}${found}${/\s*$/.exec(text)![0]}`;
  }
  for (const name of ["aria-label", "title"]) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      const found = translated(element.getAttribute(name) ?? "");
      if (found !== undefined) element.setAttribute(name, found);
    }
  }
}
