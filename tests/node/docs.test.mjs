// The documentation as a site.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

describe("the documentation's site", () => {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  let folder, pages;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "smooth-clir-docs-"));
    execFileSync(process.execPath, [join(root, "pkg-scripts/docs.mjs"), folder]);
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    pages = new Map(files.filter((file) => file.endsWith(".html")).map((file) => [file, readFileSync(join(folder, file), "utf8")]));
  });
  after(() => rmSync(folder, { recursive: true }));

  test("has a page for each file of the documentation", () => {
    for (const file of readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })) {
      if (file.endsWith(".md")) assert.ok(pages.has(file.replace(/\.md$/, ".html")), file);
    }
    for (const name of ["index", "npm", "changelog", "contributing", "security"]) assert.ok(pages.has(`${name}.html`), name);
  });

  test("has no link or picture that leads nowhere", () => {
    let checked = 0;
    for (const [page, html] of pages) {
      for (const [, address] of html.matchAll(/(?:href|src)="([^"]*)"/g)) {
        if (/^(https?|data):/.test(address)) continue;
        const [path, hash] = address.split("#");
        const target = path === "" ? page : join(dirname(page), path);
        assert.ok(existsSync(join(folder, target)), `${page}: ${address}`);
        if (hash) assert.ok(pages.get(target).includes(`id="${hash}"`), `${page}: ${address}`);
        checked += 1;
      }
    }
    assert.ok(checked > 100);
  });

  test("has a title, one first heading and nothing in the markup that its policy forbids", () => {
    for (const [page, html] of pages) {
      assert.match(html, /<title>.+<\/title>/, page);
      assert.equal(html.match(/<h1/g)?.length, 1, page);
      assert.doesNotMatch(html, /<script|<style|style="| on[a-z]+="/, page);
    }
  });
});
