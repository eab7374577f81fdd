// The documentation as a site, from the files that GitHub shows: node pkg-scripts/docs.mjs OUT
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { Marked } from "marked";

const out = process.argv[2];
if (!out) throw new Error("usage: node docs.mjs OUT");
const root = fileURLToPath(new URL("../", import.meta.url));

/** File -> page. What is linked and not here loses its link. */
const pages = new Map([
  ["README.md", "index.html"],
  ["npm/README.md", "npm.html"],
  ...["CHANGELOG", "CONTRIBUTING", "SECURITY"].map((name) => [`${name}.md`, `${name.toLowerCase()}.html`]),
]);
for (const file of readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" }).sort()) {
  if (file.endsWith(".md")) pages.set(`docs/${file}`, file.replace(/\.md$/, ".html"));
}

/** As GitHub makes a heading's id of its text. */
const slug = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}\- ]/gu, "").replaceAll(" ", "-");
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** The address of what `target` names in a file, seen from its page; undefined where it is not part of the site. */
function addressOf(target, file) {
  if (/^[a-z]+:/.test(target) || target.startsWith("#")) return target;
  const [path, hash] = target.split("#");
  const place = posix.join(dirname(file), path);
  const from = dirname(pages.get(file));
  const page = pages.get(place);
  if (page) return posix.relative(from, page) + (hash ? `#${hash}` : "");
  if (!/\.(svg|png)$/.test(place)) return undefined;
  const copy = place.replace(/^docs\//, "");
  mkdirSync(join(out, dirname(copy)), { recursive: true });
  cpSync(join(root, place), join(out, copy));
  return posix.relative(from, copy);
}

function rendered(file) {
  let title;
  let tables = 0;
  const renderer = {
    heading({ tokens, depth, text }) {
      title ??= text;
      return `<h${depth} id="${slug(text.replaceAll("`", ""))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const address = addressOf(href, file);
      const text = this.parser.parseInline(tokens);
      return address === undefined ? text : `<a href="${escaped(address)}">${text}</a>`;
    },
    image({ href, text }) {
      const address = addressOf(href, file);
      if (address === undefined) throw new Error(`${file}: ${href} is no picture`);
      return `<img src="${escaped(address)}" alt="${escaped(text)}" loading="lazy">`;
    },
    table(token) {
      // Scrolled by itself, by keyboard too, where it is wider than the page.
      tables += 1;
      const cells = table.call(this, token).replaceAll(/<th( align="\w+")?><\/th>/g, "<td></td>");
      return `<div class="wide" tabindex="0" role="region" aria-label="Table ${tables}">${cells}</div>`;
    },
    code(token) {
      return code.call(this, token).replace("<pre>", '<pre tabindex="0">');
    },
  };
  const marked = new Marked();
  const { code, table } = marked.Renderer.prototype;
  marked.use({ renderer });
  const body = marked.parse(readFileSync(join(root, file), "utf8"));
  return { title: title.replaceAll("`", ""), body };
}

const menu = [
  ["README.md", "Overview"],
  ["npm/README.md", "In JavaScript"],
  ["docs/training.md", "Training and indexing"],
  ["docs/models.md", "Models"],
  ["docs/paper.md", "The first paper"],
  ["docs/methods.md", "Methods side by side"],
  ["docs/performance.md", "Speed"],
  ["docs/import.md", "Importing"],
  ["docs/scale.md", "Scale"],
  ["docs/serve.md", "As a service"],
  ["docs/cluster.md", "More than one machine"],
  ["docs/robustness.md", "Robustness"],
  ["docs/limits.md", "Limits"],
  ["CHANGELOG.md", "Changes"],
];

for (const [file, page] of pages) {
  const { title, body } = rendered(file);
  const seen = (target) => posix.relative(dirname(page), target) || posix.basename(target);
  const links = menu.map(([of, name]) => {
    const here = of === file ? ' aria-current="page"' : "";
    return `<li><a href="${seen(pages.get(of))}"${here}>${name}</a></li>`;
  });
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; img-src 'self' data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}${title === "smooth-clir" ? "" : " · smooth-clir"}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${seen("docs.css")}">
</head>
<body>
<nav aria-label="Documentation"><ul>${links.join("")}</ul></nav>
<main>
${body}</main>
</body>
</html>
`;
  mkdirSync(join(out, dirname(page)), { recursive: true });
  writeFileSync(join(out, page), html);
}
cpSync(fileURLToPath(new URL("docs.css", import.meta.url)), join(out, "docs.css"));
