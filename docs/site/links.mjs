// The links of Markdown, and the ids of its headings.

/** The text with code as blanks, of the same length. */
function withoutCode(text) {
  const blank = (code) => code.replace(/[^\n]/g, " ");
  return text.replace(/^( *)(```+|~~~+)[^\n]*\n[\s\S]*?^ *\2[ ]*$/gm, blank).replace(/(`+)[^`][\s\S]*?\1/g, (code) => (code.includes("\n\n") ? code : blank(code)));
}

/**
 * The links and pictures of a text, in order: `target`, which is `text.slice(start, end)`; `label`, what is between the
 * brackets; `from`, where the brackets begin; whether it is an `image`.
 */
export function linksOf(text) {
  const shown = withoutCode(text);
  const links = [];
  for (const match of shown.matchAll(/(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]*(?:\([^()\s]*\))?[^()\s]*)\)/g)) {
    const start = match.index + match[0].length - 1 - match[3].length;
    const from = match.index;
    const label = text.slice(from + match[1].length + 1, start - 2);
    links.push({ target: match[3], start, end: start + match[3].length, label, image: match[1] === "!", from });
  }
  return links;
}

/** The ids of a text's headings, as GitHub and mdBook make them. */
export function idsOf(text) {
  const ids = new Set();
  for (const [, heading] of text.replace(/^( *)(```+)[^\n]*\n[\s\S]*?^ *\2[ ]*$/gm, "").matchAll(/^#{1,6} +(.*?)(?: +#+)?$/gm)) {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/<!--.*?-->/g, "");
    const id = words.trim().toLowerCase().replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, "").replaceAll(" ", "-");
    let unique = id;
    for (let n = 1; ids.has(unique); n++) unique = `${id}-${n}`;
    ids.add(unique);
  }
  for (const [, id] of text.matchAll(/<a id="([^"]+)"/g)) ids.add(id);
  return ids;
}
