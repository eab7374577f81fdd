// The documentation: what its pages promise, and the site that is made of them.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { commandsOf } from "../../docs/site/commands.mjs";
import { idsOf, linksOf } from "../../docs/site/links.mjs";
import { makeSite, PAGES } from "../../pkg-scripts/docs.mjs";
import { citations, pagesWithFigures } from "../../pkg-scripts/figures.mjs";
import { tracedPage } from "../../pkg-scripts/paper-reports.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (path) => readFileSync(join(root, path), "utf8");
const docs = pagesWithFigures().filter((page) => page.startsWith("docs/"));

describe("the pages of the documentation", () => {
  test("the README has 900 words at most", () => {
    const words = read("README.md").trim().split(/\s+/).length;
    assert.ok(words <= 900, `${words} words`);
  });

  test("no link within the repository leads nowhere", () => {
    const others = ["README.md", "npm/README.md", "trainer/corpus/README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"];
    const dead = [];
    let checked = 0;
    for (const page of [...docs, ...others]) {
      for (const { target } of linksOf(read(page))) {
        if (/^[a-z]+:/.test(target)) continue;
        const [path, hash] = target.split("#");
        const place = path === "" ? page : posix.normalize(posix.join(posix.dirname(page), path));
        // The book's table of contents names the pages that are made of files elsewhere.
        if (page === "docs/SUMMARY.md" && [...PAGES.values()].includes(path)) continue;
        checked += 1;
        if (!existsSync(join(root, place))) dead.push(`${page}: ${target}`);
        else if (hash && place.endsWith(".md") && !idsOf(read(place)).has(hash)) dead.push(`${page}: ${target}: no such heading`);
      }
    }
    assert.deepEqual(dead, []);
    assert.ok(checked > 150, `${checked} links`);
  });

  test("each page is in the table of contents, and a French page translates an English one", () => {
    for (const page of docs) {
      const summary = page.startsWith("docs/fr/") ? "docs/fr/SUMMARY.md" : "docs/SUMMARY.md";
      if (page === summary) continue;
      assert.ok(read(summary).includes(`(${posix.relative(dirname(summary), page)})`), page);
      if (page.startsWith("docs/fr/")) assert.ok(docs.includes(page.replace("/fr/", "/")), page);
    }
  });

  test("a French page has the commands and the code of the English one", () => {
    const code = (page) => [...read(page).matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].map(([, language, text]) => `${language}: ${text.replace(/ +#.*$/gm, "")}`);
    for (const page of docs.filter((page) => page.startsWith("docs/fr/"))) assert.deepEqual(code(page), code(page.replace("/fr/", "/")), page);
  });
});

describe("figures", () => {
  test("the README and the pages have those of docs/figures.json", async () => {
    const { differences } = await citations();
    assert.deepEqual(differences, [], "node pkg-scripts/figures.mjs --write makes them agree");
  });

  test("the sweeps' reports say how many test queries and seeds they have, which the page reads there", () => {
    for (const name of ["epsilon", "negatives"]) {
      assert.match(read(`docs/paper/${name}-verses-fr.md`), /^## sampled candidates\n\n\d+ test queries, .* over \d+ seeds;/m, name);
    }
    for (const language of ["en", "fr"]) {
      const strings = read(`www/src/views/metrics/strings.${language}.ts`).match(/^  sweep.*\n(?:    .*\n)?/gm).join("");
      assert.doesNotMatch(strings.replaceAll(/figure \d|0 to 1|95\u00a0%/gi, ""), /\d/, language);
    }
  });

  test("each mean that the pages of the papers state with an interval stands in a report that they link to", () => {
    for (const page of ["paper.md", "methods.md"]) {
      const { stated, unknown } = tracedPage(page);
      assert.ok(stated > 100, page);
      assert.deepEqual(unknown, [], page);
    }
  });

  test("each has a command, a date, a set that is known and a place where it is cited", async () => {
    const { cited, sources } = await citations();
    for (const [name, figure] of Object.entries(sources.figures)) {
      assert.ok(figure.value && figure.unit && figure.what && sources.commands[figure.command], name);
      assert.match(figure.date, /^\d{4}-\d\d-\d\d$/, name);
      if (figure.set !== undefined) assert.equal(typeof sources.sets[figure.set]?.tuning, "boolean", name);
      if (figure.machine !== undefined) assert.ok(sources.machines[figure.machine], name);
      assert.ok(cited.has(name), `${name} is cited nowhere`);
    }
  });

  test("the bytes of the general model are those of its files", async () => {
    const { sources } = await citations();
    const files = { query: "query", deep: "deep", fr: "document.fr", it: "document.it", sw: "document.sw", tl: "document.tl" };
    for (const [name, file] of Object.entries(files)) {
      const { size } = statSync(join(root, `npm/models/${file}.safetensors`));
      assert.equal(sources.figures[`bytes-${name}`].value, size.toLocaleString("en-GB"), file);
    }
  });

  test("a model's card calls its sets tuning sets, and says what the model was trained on", () => {
    for (const model of ["npm/models", "www/models"]) {
      const card = JSON.parse(read(`${model}/card.json`));
      assert.ok(card.training.length >= 3, model);
      assert.match(card.limits.join(" "), /tuning sets/, model);
      assert.doesNotMatch(JSON.stringify(card), /test sets?\b|development set/, model);
    }
  });
});

describe("error codes", () => {
  const source = read("npm/src/errors.ts");
  const unionOf = (name) => {
    const [, union] = new RegExp(`export type ${name} =([^;]*);`).exec(source);
    return [...union.matchAll(/"([\w-]+)"/g)].map(([, code]) => code);
  };
  const documents = [
    ...[...read("documents/src/refusal.rs").matchAll(/=> "([a-z\d-]+)",/g)].map(([, code]) => code),
    ...[...read("npm/src/documents.ts").matchAll(/new DocumentError\("([\w-]+)"/g)].map(([, code]) => code),
  ];
  const sections = read("docs/errors.md").split(/^## /m);

  for (const [section, codes] of [["Of the package", unionOf("HostErrorCode")], ["Of the core", unionOf("CoreErrorCode")], ["Of documents", documents]]) {
    test(`${section}: each code has a row with its cause and what to do, and no row is of another`, () => {
      const text = sections.find((text) => text.startsWith(section));
      const rows = [...text.matchAll(/^\| `([\w-]+)` \| (.+?) \| (.+?) \|$/gm)].map(([, code]) => code);
      assert.ok(codes.length > 10);
      assert.deepEqual([...new Set(rows)].sort(), [...new Set(codes)].sort());
    });
  }
});

/** A program that was built, the newest: its help is the page of commands. */
const program = [process.env.PROGRAM, ...["target/debug", "target/release"].map((folder) => join(root, folder, "smooth-clir"))]
  .filter((path) => path && existsSync(path))
  .sort((a, b) => Number(b === process.env.PROGRAM) - Number(a === process.env.PROGRAM) || statSync(b).mtimeMs - statSync(a).mtimeMs)[0];

test("the page of commands has every command of the program", { skip: !program && "no program is built" }, () => {
  const page = commandsOf(program);
  const [, list] = /pub enum Command \{([\s\S]*?)^\}/m.exec(read("trainer/src/cli.rs"));
  const commands = [...list.matchAll(/(#\[cfg\(feature = "\w+"\)\]\n)? +([A-Z]\w+)\(/g)];
  assert.ok(commands.length > 10);
  const stub = read("docs/commands.md");
  for (const [, feature, name] of commands) {
    const command = name.replace(/(?!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
    if (feature) assert.ok(stub.includes(`the command \`${command}\``), command);
    else assert.match(page, new RegExp(`^## ${command}$`, "m"));
  }
  assert.match(page, /--precision <PRECISION>/);
});

/** mdBook, where pkg-scripts/docs installs it. */
const cache = process.env.SMOOTH_CLIR_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "smooth-clir");
const mdbook = process.env.MDBOOK ?? join(cache, "bin/mdbook");

describe("the documentation's site", { skip: !existsSync(mdbook) && "mdBook is not installed: run pkg-scripts/docs" }, () => {
  let folder, pages;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "smooth-clir-docs-"));
    makeSite(folder, { mdbook, program });
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    pages = new Map(files.filter((file) => file.endsWith(".html")).map((file) => [file, readFileSync(join(folder, file), "utf8")]));
  });
  after(() => rmSync(folder, { recursive: true }));

  test("has a page for each file of the documentation", () => {
    for (const page of docs.filter((page) => !page.endsWith("SUMMARY.md"))) {
      const html = page.replace(/^docs\//, "").replace(/README\.md$/, "index.html").replace(/\.md$/, ".html");
      assert.ok(pages.has(html), html);
    }
    for (const page of PAGES.values()) assert.ok(pages.has(page.replace(/\.md$/, ".html")), page);
  });

  test("has no link or picture that leads nowhere", () => {
    let checked = 0;
    for (const [page, html] of pages) {
      for (const [, address] of html.matchAll(/<[a-z][^<>]* (?:href|src)="([^"]*)"/g)) {
        if (/^(https?|data):/.test(address)) continue;
        const [path, hash] = address.split("#");
        const target = path === "" ? page : posix.join(dirname(page), path);
        assert.ok(existsSync(join(folder, target)), `${page}: ${address}`);
        if (hash) assert.ok(pages.get(target).includes(`id="${hash}"`), `${page}: ${address}`);
        checked += 1;
      }
    }
    assert.ok(checked > 1000);
  });

  test("works at any path: no address begins with a slash", () => {
    for (const [page, html] of pages) assert.doesNotMatch(html, /<[a-z][^<>]* (?:href|src)="\//, page);
  });

  test("has a title, one first heading, its place in the menu and nothing that its policy forbids", () => {
    for (const [page, html] of pages) {
      assert.match(html, /<title>.+<\/title>/, page);
      assert.equal(html.match(/<h1/g)?.length, 1, page);
      assert.equal(html.match(/aria-current="page"/g)?.length, 1, page);
      // Nothing of the frame that mdBook has by default.
      assert.doesNotMatch(html, /<[a-z][^<>]* class="[^"]*(?:checkbox|sidebar|fa-)/, page);
      assert.match(html, /http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval';/, page);
      assert.doesNotMatch(html, /<script(?![^>]* src=)|<style|<[a-z][^<>]* (?:style|on[a-z]+)="/, page);
    }
  });

  test("leads from each page to the other language", () => {
    for (const [page, html] of pages) {
      const other = page.startsWith("fr/") ? "en" : "fr";
      assert.match(html, new RegExp(`hreflang="${other}"`), page);
      assert.match(html, new RegExp(`<html lang="${other === "en" ? "fr" : "en"}">`), page);
    }
  });
});
