// The documentation as a site for any static host, at any sub-path, by mdBook:
//   node pkg-scripts/docs.mjs OUT [--program SMOOTH-CLIR] [--api FOLDER] [--rust] [--search] [--mdbook MDBOOK]
// --program: the command whose help makes the page of commands; --api: the JavaScript reference as Markdown, by typedoc;
// --rust: a link to Rust's reference, which is put into OUT/rust afterwards; --search: the pages have the search box, whose index
// is made of them afterwards. pkg-scripts/docs gives all of them. Without one, its page says how to get what is missing.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { commandsOf } from "../docs/site/commands.mjs";
import { linksOf } from "../docs/site/links.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const read = (path) => readFileSync(join(root, path), "utf8");

/** Files outside `docs/` that are pages too, by their path in the English book. */
export const PAGES = new Map([
  ["npm/README.md", "package.md"],
  ["ARCHITECTURE.md", "architecture.md"],
  ["CHANGELOG.md", "changelog.md"],
  ["CONTRIBUTING.md", "contributing.md"],
  ["SECURITY.md", "security.md"],
]);

/** What the frame of a page says in each language. */
const WORDS = {
  en: {
    title: "smooth-clir",
    skip: "Skip to the text",
    menu: "Contents",
    theme: "Theme",
    auto: "as the system",
    light: "light",
    dark: "dark",
    turn: "Neighbouring pages",
    table: "Table",
    other: "Français",
  },
  fr: {
    title: "smooth-clir",
    skip: "Aller au texte",
    menu: "Sommaire",
    theme: "Thème",
    auto: "comme le système",
    light: "clair",
    dark: "sombre",
    turn: "Pages voisines",
    table: "Tableau",
    other: "English",
  },
};

/** The Markdown files below a folder, with `/` in their paths. */
function markdownIn(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files.map((file) => file.replaceAll("\\", "/")).filter((file) => file.endsWith(".md")).sort();
}

/**
 * A file's text with links as the site has them. `place` is the file's path in the repository, `page` its path on the site.
 * A link to a file that is no page of the site keeps its text only.
 */
function relinked(text, place, page) {
  return linksOf(text).reduceRight((whole, { target, start, end, label, image, from }) => {
    if (/^[a-z]+:/.test(target) || target.startsWith("#")) return whole;
    const [path, hash] = target.split("#");
    const to = posix.normalize(posix.join(posix.dirname(place), path));
    const site = PAGES.get(to) ?? (to.startsWith("docs/") ? to.slice("docs/".length) : undefined);
    if (site === undefined) return image ? whole : whole.slice(0, from) + label + whole.slice(end + 1);
    // mdBook knows the pages of one language: of another language, the address is that of its page.
    const other = site.startsWith("fr/") !== page.startsWith("fr/");
    let address = posix.relative(posix.dirname(page), site);
    if (!page.endsWith("SUMMARY.md")) address = address.replace(/(^|\/)README\.md$/, "$1index.html");
    if (other) address = address.replace(/\.md$/, ".html");
    return whole.slice(0, start) + address + (hash ? `#${hash}` : "") + whole.slice(end);
  }, text);
}

/** Writes the sources of both books below `folder`. */
function stage(folder, { program, api, rust }) {
  rmSync(folder, { recursive: true, force: true });
  for (const file of readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })) {
    const place = `docs/${file.replaceAll("\\", "/")}`;
    if (place.startsWith("docs/site") || !/\.(md|png|svg)$/.test(place)) continue;
    const french = place.startsWith("docs/fr/");
    const page = place.slice("docs/".length);
    const out = join(folder, french ? page : `en/${page}`);
    mkdirSync(dirname(out), { recursive: true });
    if (place.endsWith(".md")) writeFileSync(out, relinked(read(place), place, page));
    else cpSync(join(root, place), out);
  }
  for (const [place, page] of PAGES) writeFileSync(join(folder, "en", page), relinked(read(place), place, page));
  const summary = join(folder, "en/SUMMARY.md");
  if (program) {
    const page = join(folder, "en/commands.md");
    writeFileSync(page, `${before(readFileSync(page, "utf8"))}\n${commandsOf(program)}`);
  }
  if (api) {
    const chapters = [];
    mkdirSync(join(folder, "en/api"), { recursive: true });
    // The engine first.
    const files = markdownIn(api).filter((file) => file !== "README.md" && file !== "index.md");
    for (const file of ["index.md", ...files]) {
      const name = file === "index.md" ? "smooth-clir" : `smooth-clir/${file.replace(/\.md$/, "")}`;
      const page = file === "index.md" ? "engine.md" : file;
      // Typedoc's links name its own files, and its first heading is the name of the file.
      const text = readFileSync(join(api, file), "utf8").replaceAll("](index.md", "](engine.md");
      writeFileSync(join(folder, "en/api", page), `# \`${name}\`\n\n${text.replace(/^# .*\n+/, "")}`);
      chapters.push(`  - [\`${name}\`](api/${page})`);
    }
    writeFileSync(summary, readFileSync(summary, "utf8").replace(/^(.*\(javascript\.md\))$/m, `$1\n${chapters.join("\n")}`));
    const page = join(folder, "en/javascript.md");
    const links = chapters.map((line) => line.trim()).join("\n");
    writeFileSync(page, `${before(readFileSync(page, "utf8"))}\n${links}\n`);
  }
  if (rust) {
    const page = join(folder, "en/rust.md");
    writeFileSync(page, `${before(readFileSync(page, "utf8"))}\n[The reference of the crate](rust/smooth_clir/index.html).\n`);
  }
}

/** The part of a page before the place where the generated part begins, in place of what follows it. */
const before = (text) => text.split("<!-- generated -->")[0];

/** Makes one book; `out` is emptied first. */
function book(language, source, out, mdbook) {
  const words = WORDS[language];
  const folder = dirname(source);
  const theme = join(folder, `theme-${language}`);
  mkdirSync(theme, { recursive: true });
  const frame = read("docs/site/index.hbs").replace(/@(\w+)@/g, (_, name) => words[name]);
  writeFileSync(join(theme, "index.hbs"), frame);
  const settings = { title: words.title, language, src: relative(folder, source) };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${JSON.stringify(value)}`);
  writeFileSync(
    join(folder, "book.toml"),
    `[book]\n${lines.join("\n")}\n[build]\nbuild-dir = ${JSON.stringify(out)}\ncreate-missing = false\n` +
      `[output.html]\ntheme = "theme-${language}"\nhash-files = false\nno-section-label = true\ninput-404 = ""\n` +
      "[output.html.print]\nenable = false\n[output.html.playground]\nrunnable = false\ncopyable = false\n",
  );
  execFileSync(mdbook, ["build", folder], { stdio: ["ignore", "ignore", "inherit"], env: { ...process.env, MDBOOK_LOG: "warn" } });
  // Of mdBook's own frame, the site has its colours of code alone.
  for (const name of readdirSync(out)) {
    if (/^(css|fonts|book|clipboard|toc|ayu-|tomorrow-|highlight\.css|favicon|print)/.test(name)) {
      rmSync(join(out, name), { recursive: true });
    }
  }
  for (const name of ["docs.css", "theme.js", "docs.js"]) cpSync(join(root, "docs/site", name), join(out, name));
}

/** What mdBook leaves out: what the keyboard needs to scroll, the language's other page, the search box. */
function finish(out, search) {
  const pages = readdirSync(out, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".html"));
  for (const page of pages) {
    const language = page.startsWith("fr/") ? "fr" : "en";
    const words = WORDS[language];
    const other = language === "fr" ? page.slice("fr/".length) : `fr/${page}`;
    const to = pages.includes(other) ? other : language === "fr" ? "index.html" : "fr/index.html";
    const from = (target) => posix.relative(posix.dirname(page), target);
    const here = page.split("/").slice(language === "fr" ? 1 : 0).join("/");
    const opposite = language === "fr" ? "en" : "fr";
    let tables = 0;
    const html = readFileSync(join(out, page), "utf8")
      .replaceAll('<div class="table-wrapper">', () => {
        tables += 1;
        return `<div class="wide" tabindex="0" role="region" aria-label="${words.table} ${tables}">`;
      })
      // mdBook's frame would enlarge a picture by a hidden box.
      .replaceAll(/<label class="checkbox-label"><input[^>]*>(<img[^>]*>)[\s\S]*?<\/label>/g, "$1")
      .replaceAll("<pre>", '<pre tabindex="0">')
      .replaceAll(/<th([^>]*)><\/th>/g, "<td$1></td>")
      .replaceAll(/ style="text-align: (\w+)"/g, ' class="$1"')
      // A heading of the menu is within an item of its own, and no item says that it is the present page.
      .replaceAll(/<li class="chapter-item expanded "><li class="part-title">(.*?)<\/li><\/li>/g, '<li class="part-title">$1</li>')
      .replace(/<nav id="menu"[\s\S]*/, (menu) =>
        menu
          .replace(`<a href="${here}">`, `<a href="${here}" aria-current="page">`)
          // mdBook means the menu for a page in the book's own folder.
          .replaceAll('<a href="', `<a href="${"../".repeat(here.split("/").length - 1)}`),
      )
      .replace("<!-- language -->", () =>
        pages.includes("fr/index.html")
          ? `<a class="language" lang="${opposite}" hreflang="${opposite}" href="${from(to)}">${words.other}</a>`
          : "",
      )
      .replace("<!-- search box -->", () => (search ? `<search><smooth-clir-search></smooth-clir-search></search>` : ""))
      .replace("<!-- search script -->", () =>
        search ? `<script type="module" src="${from("search/box.js")}"></script>` : "",
      );
    writeFileSync(join(out, page), html);
  }
}

/** Makes the site. */
export function makeSite(out, { mdbook = "mdbook", search = false, ...given } = {}) {
  const folder = join(root, "target/docs-source");
  stage(folder, given);
  book("en", join(folder, "en"), out, mdbook);
  if (existsSync(join(folder, "fr"))) book("fr", join(folder, "fr"), join(out, "fr"), mdbook);
  finish(out, search);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const text = { type: "string" };
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { program: text, api: text, mdbook: text, rust: { type: "boolean" }, search: { type: "boolean" } },
  });
  if (positionals.length !== 1) throw new Error("usage: node docs.mjs OUT [--program FILE] [--api FOLDER] [--rust] [--search]");
  makeSite(resolve(positionals[0]), values);
}
