import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import type { AddressInfo } from "node:net";
import { test as base, expect } from "@playwright/test";

/** Answers that a server may give to a page, by path. */
const ANSWERS: Record<string, [number, Record<string, string>]> = {
  "/whole": [200, {}],
  "/part": [206, { "content-range": "bytes 0-3/9" }],
  "/varied": [200, { vary: "*" }],
  "/gone": [404, {}],
};
/** Bodies of other answers than `body`, by path. */
const BODIES: Record<string, Buffer> = { "/packed.gz": gzipSync("content"), "/sent.gz": Buffer.from("content"), "/cut.gz": gzipSync("content").subarray(0, 12) };

/** A site with the service worker of the page, after some code of a test. */
const test = base.extend<{ site: (before?: string) => Promise<string> }>({
  // eslint-disable-next-line no-empty-pattern
  site: async ({}, use) => {
    const worker = await readFile("www/dist/service-worker.js", "utf8");
    // Nothing is fetched when it is installed.
    const bare = worker.replace(/const FILES = .*;/, "const FILES = [];");
    expect(bare).not.toBe(worker);
    let code = bare;
    const server = createServer(({ url = "/" }, answer) => {
      const path = url.split("?")[0]!;
      const [status, headers] = ANSWERS[path] ?? [200, {}];
      const isCode = path === "/service-worker.js";
      answer.writeHead(status, { "content-type": isCode ? "text/javascript" : "text/html", ...headers });
      answer.end(isCode ? code : (BODIES[path] ?? "body"));
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    await use(async (before = "") => {
      code = `${before}\n${bare}`;
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    });
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  },
});
test.use({ serviceWorkers: "allow" });

/** Opens a site whose requests the worker answers. */
async function open(page: import("@playwright/test").Page, url: string) {
  await page.goto(url);
  await page.evaluate(async () => {
    await navigator.serviceWorker.register("service-worker.js");
    await navigator.serviceWorker.ready;
  });
  await page.reload();
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
}

const ask = (page: import("@playwright/test").Page, path: string) =>
  page.evaluate(async (asked) => {
    const answer = await fetch(asked);
    return [answer.status, await answer.text()];
  }, path);

/** The paths that are kept. */
const kept = (page: import("@playwright/test").Page) =>
  page.evaluate(async () => {
    const names = await caches.keys();
    const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return keys.flat().map(({ url }) => url.slice(location.origin.length));
  });

test("answers that cannot be kept reach the page all the same", async ({ page, site }) => {
  await open(page, await site());
  for (const [path, [status]] of Object.entries(ANSWERS)) expect(await ask(page, path)).toEqual([status, "body"]);
  await expect.poll(() => kept(page)).toContain("/whole");
  expect((await kept(page)).filter((path) => path !== "/whole" && path in ANSWERS)).toEqual([]);
});

test("a file is kept once, whatever its query", async ({ page, site }) => {
  await open(page, await site());
  for (let number = 0; number < 20; number++) await ask(page, `/whole?q=${number}`);
  await expect.poll(() => kept(page)).toContain("/whole");
  expect((await kept(page)).filter((path) => path.startsWith("/whole"))).toEqual(["/whole"]);
});

test("a file whose address has its version is asked for once", async ({ page, site }) => {
  await open(page, await site());
  const asked: string[] = [];
  page.context().on("request", (request) => {
    if (request.serviceWorker()) asked.push(request.url().replace(/.*\//, ""));
  });
  for (const version of ["a", "b"]) {
    await ask(page, `/whole?v=${version}`);
    await expect.poll(() => kept(page)).toContain(`/whole?v=${version}`);
  }
  for (const version of ["a", "b", "a"]) expect(await ask(page, `/whole?v=${version}`)).toEqual([200, "body"]);
  await ask(page, "/whole");
  expect(asked).toEqual(["whole?v=a", "whole?v=b", "whole"]);
});

test("a compressed file is kept as its content, and one that is damaged is not kept", async ({ page, site }) => {
  await open(page, await site());
  for (const path of ["/packed.gz", "/sent.gz", "/cut.gz"]) await ask(page, `${path}?v=a`);
  await expect.poll(() => kept(page)).toEqual(expect.arrayContaining(["/packed.gz?v=a", "/sent.gz?v=a"]));
  for (const path of ["/packed.gz", "/sent.gz"]) {
    expect(await ask(page, `${path}?v=a`)).toEqual([200, "content"]);
    expect(await page.evaluate(async (asked) => (await fetch(asked)).headers.get("content-length"), `${path}?v=a`)).toBe("7");
  }
  expect(await kept(page)).not.toContain("/cut.gz?v=a");
});

test("a store without room or without permission costs the page nothing", async ({ page, site }) => {
  // Either lets the page itself be kept, when the worker is installed.
  const full = `const { put } = Cache.prototype;
    Cache.prototype.put = function (url, answer) {
      return url === registration.scope ? put.call(this, url, answer) : Promise.reject(new DOMException("full", "QuotaExceededError"));
    };`;
  const shut = `const opened = caches.open.bind(caches); let asked = 0;
    CacheStorage.prototype.open = (name) => (asked++ === 0 ? opened(name) : Promise.reject(new DOMException("no", "SecurityError")));`;
  for (const before of [full, shut]) {
    await page.goto("about:blank");
    const url = await site(before);
    await open(page, url);
    expect(await ask(page, "/whole")).toEqual([200, "body"]);
    expect(await ask(page, "/assets/code.js")).toEqual([200, "body"]);
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.unregister());
  }
});

test("without a network a kept file comes, with any query, and another fails as it would have", async ({ page, site, context }) => {
  await open(page, await site());
  await ask(page, "/whole");
  await expect.poll(() => kept(page)).toContain("/whole");
  await context.setOffline(true);
  expect(await ask(page, "/whole?later")).toEqual([200, "body"]);
  await expect(ask(page, "/never")).rejects.toThrow(/Failed to fetch/);
});
