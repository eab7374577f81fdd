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

/**
 * The URL of a document's page, with a text fragment that highlights words. An id that leaves the folder of `base` has the base
 * itself: whoever wrote the documents must not send a reader to `/logout`, to another host, or anywhere with a password.
 */
export function pageOf(id: string, base: string, words: readonly string[]): string {
  if (!URL.canParse(base, document.baseURI)) return document.baseURI;
  const folder = new URL(base, document.baseURI);
  if (!URL.canParse(id, folder.href)) return folder.href;
  const page = new URL(id, folder);
  // All URLs of files have one origin, also of another host.
  const isThere = /^https?:|^file:/.test(page.protocol) && page.origin === folder.origin && page.host === folder.host;
  const inside = folder.pathname.slice(0, folder.pathname.lastIndexOf("/") + 1);
  if (!isThere || page.username !== "" || page.password !== "" || !page.pathname.startsWith(inside)) return folder.href;
  const fragments = [...new Set(words)].slice(0, 4).map((word) => `text=${encodeURIComponent(word).replaceAll("-", "%2D")}`);
  if (fragments.length > 0) page.hash = `${page.hash}:~:${fragments.join("&")}`;
  return page.href;
}
