import { createHash } from "node:crypto";
import type { Page } from "@playwright/test";
import type * as Package from "smooth-clir";
import { expect, fromGenerated, generated, test as base } from "./page";
import { serve } from "../static-host.mjs";
import { PACKAGE } from "./folders";

// The npm package in a browser as it is published, without a bundler and without the page.
const test = base.extend<{ host: string }>({
  host: [
    async ({ page }, use) => {
      const host = await serve("/", { folder: PACKAGE });
      await page.route("**/blank.html", (route) =>
        route.fulfill({ contentType: "text/html", body: "<!doctype html>" }),
      );
      await page.route("**/*.safetensors", fromGenerated);
      await page.goto(`${host.url}blank.html`);
      await use(host.url);
      host.close();
    },
    { auto: true },
  ],
});

/** Makes the package a global of the page. */
async function importPackage(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const address = "./index.js";
    Object.assign(window, await import(address));
  });
}

declare global {
  interface Window {
    SmoothClir: typeof Package.SmoothClir;
  }
}

const model = "query.safetensors";
const documents = ["fr", "it", "sw", "tl"].map((language) => `documents/${language}/demo.safetensors`);

test("answers from a worker as it answers without one", async ({ page }) => {
  await importPackage(page);
  const search = (worker: boolean) =>
    page.evaluate(
      async (options) => {
        const engine = await window.SmoothClir.load(options);
        return engine.search("rain over the mountains", { epsilon: 0.5 });
      },
      { model, documents, worker },
    );
  const inWorker = await search(true);
  expect(page.workers()).toHaveLength(1);
  expect(inWorker).toHaveLength(10);
  expect(await search(false)).toEqual(inWorker);
  expect(page.workers()).toHaveLength(1);
});

test("close ends the worker, and what is pending rejects with the code closed", async ({ page }) => {
  await importPackage(page);
  const code = await page.evaluate(
    async (options) => {
      const engine = await window.SmoothClir.load(options);
      const pending = engine.search("rain").catch((error) => error.code);
      engine.close();
      return pending;
    },
    { model, documents },
  );
  expect(code).toBe("closed");
  await expect.poll(() => page.workers().length).toBe(0);
});

test("an abort while loading rejects with AbortError and leaves no worker behind", async ({ page }) => {
  await page.route(`**/${documents[0]}`, () => {});
  await importPackage(page);
  const name = await page.evaluate(
    async (options) => {
      const controller = new AbortController();
      const onProgress = () => setTimeout(() => controller.abort(), 50);
      return window.SmoothClir.load({ ...options, signal: controller.signal, onProgress }).catch((error) => error.name);
    },
    { model, documents },
  );
  expect(name).toBe("AbortError");
  await expect.poll(() => page.workers().length).toBe(0);
});

test("a failed load leaves no worker behind", async ({ page }) => {
  await importPackage(page);
  const code = await page.evaluate(
    () => window.SmoothClir.load({ model: "wasm/smooth_clir_bg.wasm" }).catch((error) => error.code),
  );
  expect(code).toBe("not-safetensors");
  await expect.poll(() => page.workers().length).toBe(0);
});

test("files of a manifest are fetched once, and again where the browser's copy is broken", async ({ page }) => {
  const bytes = await generated(model);
  const entry = { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
  const manifest = { format: "smooth-clir-manifest", version: 1, files: { [model]: entry } };
  await page.route("**/manifest.json", (route) => route.fulfill({ json: manifest }));
  let fetched = 0;
  page.on("request", (request) => (fetched += Number(request.url().endsWith(model))));
  await importPackage(page);
  const load = () =>
    page.evaluate(
      async (options) => {
        const engine = await window.SmoothClir.load(options);
        engine.close();
      },
      { model, manifest: "manifest.json" },
    );
  await load();
  await load();
  expect(fetched).toBe(1);
  await page.evaluate(async () => {
    const cache = await caches.open("smooth-clir-files-1");
    for (const key of await cache.keys()) {
      if (key.url.includes("sha256=")) await cache.put(key, new Response("half a file"));
    }
  });
  await load();
  await load();
  expect(fetched).toBe(2);
});

test("bytes stay the caller's", async ({ page }) => {
  await importPackage(page);
  const [before, after] = await page.evaluate(async (address) => {
    const bytes = new Uint8Array(await (await fetch(address)).arrayBuffer());
    const { length } = bytes;
    await window.SmoothClir.load({ model: bytes, worker: true });
    return [length, bytes.length];
  }, model);
  expect(before).toBeGreaterThan(0);
  expect(after).toBe(before);
});

test("a worker that crashes rejects all that is pending, and all that comes", async ({ page }) => {
  const script = `onmessage = ({ data: { id, method } }) => {
    if (method === "start") postMessage({ id });
    else throw new Error("out of luck");
  };`;
  await page.route("**/worker.js", (route) => route.fulfill({ contentType: "text/javascript", body: script }));
  await importPackage(page);
  const codes = await page.evaluate(async () => {
    const engine = await window.SmoothClir.start({ worker: true });
    const code = (error: { code: string }) => error.code;
    const pending = await Promise.all([engine.search("a").catch(code), engine.tokens("b").catch(code)]);
    return [...pending, await engine.search("c").catch(code)];
  });
  expect(codes).toEqual(["worker-failed", "worker-failed", "worker-failed"]);
});

test("a worker that does not start within 10 s is done without, or refused where one is asked for", async ({ page }) => {
  await page.route("**/worker.js", (route) => route.fulfill({ contentType: "text/javascript", body: "" }));
  await page.clock.install();
  await importPackage(page);
  for (const [worker, expected] of [
    ["auto", 9],
    [true, "worker-failed"],
  ] as const) {
    const outcome = page.evaluate(async (worker) => {
      try {
        const engine = await window.SmoothClir.start({ worker });
        return (await engine.gradientMap({ size: 3, extent: 1, epsilon: 1 })).length;
      } catch (error) {
        return (error as { code: string }).code;
      }
    }, worker);
    await expect.poll(() => page.workers().length).toBe(1);
    await page.clock.fastForward(10_000);
    expect(await outcome).toBe(expected);
    await expect.poll(() => page.workers().length).toBe(0);
  }
});

for (const worker of [true, false]) {
  test(`out of memory ${worker ? "in a worker" : "on the page"}: the call rejects, and the next one finds all that was loaded, added and learned`, async ({ page, host }) => {
    await importPackage(page);
    const engine = await page.evaluateHandle(
      async (options) => {
        const engine = await window.SmoothClir.load(options);
        await engine.addUserDocuments([{ id: "own", text: "La pluie tombe sur les montagnes." }], { language: "fr" });
        await engine.fetchTexts();
        const { id } = (await engine.search("rain", { language: "fr" })).at(-1)!;
        await engine.learn([{ query: "rain", document: id, language: "fr", grade: 2 }], { device: "wasm", steps: 3 });
        return engine;
      },
      { model: [model, "document.fr.safetensors"], documents, worker },
    );
    const everything = () =>
      page.evaluate(async (engine) => [await engine.search("rain", { limit: 5000 }), await engine.learned(), await engine.exportUserDocuments()], engine);
    /** Grows the memory of the full module until there is no more; returns its bytes before. */
    const exhaust = async (script: string) => {
      const { memory } = await (await import(script)).default();
      const bytes = memory.buffer.byteLength;
      for (let pages = 2 ** 16; pages >= 1; pages /= 2) {
        try {
          for (;;) memory.grow(pages);
        } catch {
          // Fewer pages, then.
        }
      }
      return bytes;
    };
    const before = await everything();
    for (let round = 0; round < 2; round++) {
      const script = `${host}full/smooth_clir.js`;
      const bytes = worker ? await page.workers()[0]!.evaluate(exhaust, script) : await page.evaluate(exhaust, script);
      const codes = await page.evaluate(
        async ([engine, bytes]) => {
          const code = (error: { code: string }) => error.code;
          const first = await engine.addDocuments(new Uint8Array(bytes)).catch(code);
          return [first, await engine.addDocuments(new Uint8Array(bytes)).catch(code)];
        },
        [engine, bytes] as const,
      );
      expect(codes).toEqual(["wasm-failed", "not-safetensors"]);
      expect(await everything()).toEqual(before);
    }
    expect(page.workers()).toHaveLength(Number(worker));
  });
}
