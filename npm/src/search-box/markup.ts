/** Creates an element with a `part` to style it by. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  part: string,
  attributes: Record<string, string> = {},
  text = "",
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.setAttribute("part", part);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(text);
  return made;
}

/** The direction of texts in a language. Not `dir="auto"`: a title in other letters would part from its text. */
export const directionOf = (language: string): string =>
  /^(ar|arc|ckb|dv|fa|he|ks|ku-arab|pa-arab|ps|sd|ug|ur|yi)(-|$)/i.test(language) ? "rtl" : "ltr";

/** A text in a direction of its own. */
export function isolated(text: string): HTMLElement {
  const made = document.createElement("bdi");
  made.append(text);
  return made;
}

/** A magnifying glass. Not an image of a style sheet: a Content Security Policy may forbid these. */
export function glass(): SVGElement {
  const make = (name: string, attributes: Record<string, string>) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
    return made;
  };
  const icon = make("svg", { viewBox: "0 0 20 20", "aria-hidden": "true", part: "icon" });
  icon.append(make("circle", { cx: "8.5", cy: "8.5", r: "5.5" }), make("path", { d: "m13 13 4.5 4.5" }));
  return icon as SVGElement;
}

/** An id without the number that distinguishes passages with one address: `page.html#part (2)` is at `page.html#part`. */
export const addressOf = (id: string): string => id.replace(/ \(\d+\)$/, "");

/** The id of a passage's page. */
export const pageOf = (id: string): string => addressOf(id).replace(/#.*$/, "");

/**
 * The URL of a document, with a text fragment that highlights texts: see {@link fragments}. An id that leaves the folder of
 * `base` has the base itself: whoever wrote the documents must not send a reader to `/logout`, to another host, or anywhere
 * with a password.
 */
export function linkOf(id: string, base: string, texts: readonly string[]): string {
  if (!URL.canParse(base, document.baseURI)) return document.baseURI;
  const folder = new URL(base, document.baseURI);
  const address = addressOf(id);
  if (!URL.canParse(address, folder.href)) return folder.href;
  const page = new URL(address, folder);
  // All URLs of files have one origin, also of another host.
  const isThere = /^https?:|^file:/.test(page.protocol) && page.origin === folder.origin && page.host === folder.host;
  const inside = folder.pathname.slice(0, folder.pathname.lastIndexOf("/") + 1);
  if (!isThere || page.username !== "" || page.password !== "" || !page.pathname.startsWith(inside)) return folder.href;
  if (texts.length > 0) page.hash = `${page.hash}:~:${texts.map((text) => `text=${text}`).join("&")}`;
  return page.href;
}

/** Text fragments of a link, at most. */
const FRAGMENTS = 4;
const encoded = (text: string) => encodeURIComponent(text).replaceAll("-", "%2D");
/** Browsers look for whole words, and to them `l'eau` is one. */
const [BEFORE, AFTER] = [/[\p{L}\p{M}\p{N}'’]*$/u, /^[\p{L}\p{M}\p{N}'’]*/u];

/**
 * Text fragments for ranges of a snippet, encoded. A browser scrolls to the first that it finds: each has the two words before
 * and after it, which say where in the page it is. Without an anchor the words alone follow, for a page that writes the
 * neighbours otherwise; with one, the anchor is better than the same word in another section.
 */
export function fragments(text: string, ranges: readonly (readonly [from: number, to: number])[], hasAnchor: boolean): string[] {
  const words = ranges.map(([from, to]) => {
    const [start, end] = [from - BEFORE.exec(text.slice(0, from))![0].length, to + AFTER.exec(text.slice(to))![0].length];
    const word = encoded(text.slice(start, end));
    const before = /(?:[^\s…]+\s+)?[^\s…]+\s*$/.exec(text.slice(0, start))?.[0].trim();
    const after = /^\s*[^\s…]+(?:\s+[^\s…]+)?/.exec(text.slice(end))?.[0].trim();
    return { word, place: `${before ? `${encoded(before)}-,` : ""}${word}${after ? `,-${encoded(after)}` : ""}` };
  });
  const places = words.slice(0, hasAnchor ? FRAGMENTS : 1).map(({ place }) => place);
  return [...new Set([...places, ...(hasAnchor ? [] : words.map(({ word }) => word))])].slice(0, FRAGMENTS);
}
