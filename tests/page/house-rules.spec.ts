import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, openPage, parts, test } from "./page";
import { serve } from "../static-host.mjs";
import { DIST } from "./folders";

// Every test fails on a policy violation or a request to another host (see page.ts); this one makes sure of it.
test("the policy is strict and in force", async ({ page, complaints }) => {
  await openPage(page);
  const policy = await page.locator("meta[http-equiv=Content-Security-Policy]").getAttribute("content");
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'|blob:|https?:/);
  await page.evaluate(() => {
    const script = document.createElement("script");
    script.textContent = "document.title = 'run'";
    document.body.append(script);
  });
  await expect(page).toHaveTitle(/^smooth-clir/);
  expect(complaints.some((complaint) => complaint.startsWith("console: policy: script-src"))).toBe(true);
  complaints.length = 0;
});

test("no file of the page writes HTML or evaluates text", async () => {
  const names = await readdir(join(DIST, "assets"));
  const scripts = names.filter((name) => name.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(0);
  for (const name of scripts) {
    const text = await readFile(join(DIST, "assets", name), "utf8");
    expect(text, name).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function\(/);
  }
});

test("the page works from a sub-path of a plain static host", async ({ browser }) => {
  const host = await serve("/some/sub/path/", { folder: DIST });
  const page = await browser.newPage();
  try {
    await page.goto(`${host.url}#q=rain&hood=open`);
    await expect(parts(page).cards).toHaveCount(10);
    expect(host.missing).toEqual([]);
  } finally {
    await page.close();
    host.close();
  }
});
