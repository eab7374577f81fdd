import { existsSync } from "node:fs";
import { join } from "node:path";
import { file, pdf } from "./files";
import { DIST } from "./folders";
import { expect, openPage, parts, test } from "./page";

test.use({ serviceWorkers: "allow" });

/** The page once it is kept. */
async function openKept(page: import("@playwright/test").Page, hash = "") {
  const opened = await openPage(page, hash);
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (active?.state === "activated") return;
    await new Promise((resolve) => active?.addEventListener("statechange", resolve, { once: true }));
  });
  return opened;
}

test("after the first visit the page searches without a network, and its views come up", async ({ page, context }) => {
  await openKept(page);
  await context.setOffline(true);
  await page.goto("about:blank");
  await page.goto("./#q=rain");
  await expect(parts(page).cards).toHaveCount(10);
  await page.getByRole("link", { name: "Lab" }).click();
  await page.getByRole("link", { name: "Training" }).click();
  await expect(page.getByRole("heading", { name: "Watch a model train" })).toBeVisible();
});

test("a file that the server says has not changed is not written again, and one that has is", async ({ page }) => {
  await openKept(page, "#q=rain");
  /** Marks the kept page as of this version, or tells whether it still has its mark. */
  const mark = (version?: string) =>
    page.evaluate(async (version) => {
      const name = (await caches.keys()).find((name) => name.startsWith("smooth-clir ") && !name.includes("files"))!;
      const [cache, address] = [await caches.open(name), new URL("./", document.baseURI).href];
      const kept = (await cache.match(address))!;
      if (version === undefined) return kept.headers.has("x-mark");
      const headers = new Headers(kept.headers);
      headers.set("x-mark", "here");
      if (version !== "") for (const header of ["etag", "last-modified"]) headers.set(header, version);
      await cache.put(address, new Response(await kept.blob(), { headers }));
      return true;
    }, version);
  const visit = async () => {
    await page.reload();
    await expect(parts(page).cards).toHaveCount(10);
    expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  };
  await mark("");
  await visit();
  await page.waitForTimeout(500);
  expect(await mark()).toBe(true);
  await mark("another");
  await visit();
  await expect.poll(() => mark()).toBe(false);
});

test("every view comes up without a network, though it was never looked at before", async ({ page, context }) => {
  await openKept(page);
  await context.setOffline(true);
  for (const view of ["learn", "maps", "descent", "losses", "metrics", "training", "theory", "documents", "lessons"]) {
    await page.goto("about:blank");
    await page.goto(`./#view=${view}&q=rain`);
    const root = page.locator(`.view-${view}`);
    await expect(root.getByRole("heading", { level: 2 }).first(), view).toBeVisible();
    await expect(root.getByRole("alert"), view).toHaveCount(0);
  }
});

test("it can be installed: it has a name, an icon and a place to start", async ({ page }) => {
  await openPage(page);
  const manifest = await page.evaluate(async () => {
    const link = document.querySelector<HTMLLinkElement>("link[rel=manifest]")!;
    return (await fetch(link.href)).json();
  });
  expect(manifest).toMatchObject({ short_name: "smooth-clir", start_url: "./", display: "standalone" });
  for (const { src } of manifest.icons) expect((await page.request.get(src)).ok()).toBe(true);
});

test("where service workers are refused the page works all the same", async ({ page }) => {
  await page.addInitScript(() => {
    ServiceWorkerContainer.prototype.register = () => Promise.reject(new DOMException("no", "SecurityError"));
  });
  await openPage(page, "#q=rain");
  await expect(parts(page).cards).toHaveCount(10);
});

test("once a file was added, further files of its kind are added without a network, and all are there on the next visit", async ({ page, context }) => {
  await openKept(page, "#view=documents&q=rain");
  // The worker keeps what pages ask for that were opened after it came.
  await page.reload();
  const files = page.getByLabel("Choose files").and(page.locator("input"));
  const rows = page.getByRole("table", { name: "Your files" }).locator("tbody").getByRole("row");
  await expect(page.getByRole("combobox", { name: "Language of what you add" }).getByRole("option")).toHaveCount(6);
  await files.setInputFiles([file("rain.txt", "La pluie tombe sur la montagne."), file("snow.pdf", pdf([["La neige est froide."]]))]);
  await expect(rows).toHaveCount(2);
  await context.setOffline(true);
  await files.setInputFiles([file("bread.txt", "On fait le pain avec de la farine."), file("salt.pdf", pdf([["Le sel de la mer."]]))]);
  await expect(rows).toHaveCount(4);
  await page.goto("about:blank");
  await page.goto("./#q=rain&mine=1");
  await expect(parts(page).cards).toHaveCount(4);
  await expect(parts(page).titles.first()).toHaveText("rain");
});

test.describe("the full model, once it was chosen,", () => {
  test.skip(!existsSync(join(DIST, "generated/models/query.safetensors")), "the page was built without files in www/models");

  test.use({ model: "full" });

  const HASH = "#q=rain+in+the+mountains&lang=fr";
  const atWork = (page: import("@playwright/test").Page) => page.locator("#model-at-work");

  /** Notes, for each list that was shown, the model that ranked it. */
  const noteModels = (page: import("@playwright/test").Page) =>
    page.addInitScript(() => {
      const models: string[] = [];
      Object.assign(window, { models });
      new PerformanceObserver((all) => {
        if (!document.querySelector("#hits li")) return;
        for (const one of all.getEntriesByName("key-to-list")) models.push((one as PerformanceMeasure).detail.isHybrid ? "full" : "demo");
      }).observe({ type: "measure" });
    });
  const models = (page: import("@playwright/test").Page) => page.evaluate(() => (window as unknown as { models: string[] }).models);

  /** A visit that the page is kept in, with the model and all texts of its documents. */
  async function keepFull(page: import("@playwright/test").Page) {
    await openKept(page, HASH);
    await expect(atWork(page)).toContainText("Full model");
    const kept = () => page.evaluate(async () => (await caches.match("generated/documents/fr/texts.0.safetensors", { ignoreSearch: true })) !== undefined);
    await expect.poll(kept, { timeout: 20_000 }).toBe(true);
    await page.goto("about:blank");
  }

  test("answers the next visit from the start, without a network too, and the demo model comes after it", async ({ page, context }) => {
    await noteModels(page);
    await keepFull(page);
    await context.setOffline(true);
    await page.goto(`./${HASH}`);
    await expect(parts(page).cards).toHaveCount(10);
    expect(await models(page)).toEqual(["full"]);
    // Lessons use the demo model.
    await page.goto(`./#view=learn&q=rain`);
    await expect(page.locator(".view-learn").getByRole("heading", { level: 2 }).first()).toBeVisible();
    await page.getByRole("link", { name: "Search", exact: true }).click();
    await page.getByRole("group", { name: "Model" }).getByRole("radio", { name: "Demo model" }).check();
    await expect(atWork(page)).toContainText("Demo model");
  });

  test("is not waited for if it does not come", async ({ page }) => {
    await keepFull(page);
    await page.addInitScript(() => {
      const fetched = fetch;
      window.fetch = (source, ...rest) => (String(source).includes("generated/models/") ? new Promise(() => {}) : fetched(source, ...rest));
    });
    await noteModels(page);
    await page.goto(`./${HASH}`);
    // One panel says what is waited for: that the demo model answers meanwhile is not so yet.
    await expect(page.locator("#model-message")).toContainText("Until then the demo model answers");
    await expect(page.locator("#loading")).toBeVisible();
    await expect(page.locator("#model-loading")).toBeHidden();
    await expect(parts(page).cards).toHaveCount(10);
    expect(await models(page)).toEqual(["demo"]);
    await expect(page.locator("#model-loading")).toBeVisible();
  });

  test("is fetched again by a visit that could not read what was kept", async ({ page }) => {
    await noteModels(page);
    await keepFull(page);
    await page.goto("./");
    await page.evaluate(async () => {
      for (const name of await caches.keys()) {
        const cache = await caches.open(name);
        for (const request of await cache.keys()) if (request.url.includes("models/query")) await cache.put(request, new Response("cut"));
      }
    });
    for (const expected of ["demo", "full"]) {
      await page.goto("about:blank");
      await page.goto(`./${HASH}`);
      await expect(parts(page).cards).toHaveCount(10);
      expect((await models(page))[0]).toBe(expected);
      await expect(atWork(page)).toContainText("Full model");
    }
  });

  test("gives way to the demo model if its file cannot be read", async ({ page }) => {
    await keepFull(page);
    await page.addInitScript(() => {
      const fetched = fetch;
      window.fetch = (source, ...rest) => (String(source).includes("generated/models/") ? Promise.resolve(new Response("cut")) : fetched(source, ...rest));
    });
    await page.goto(`./${HASH}`);
    await expect(parts(page).cards).toHaveCount(10);
    await expect(atWork(page)).toContainText("Demo model");
  });

  test("leaves its place to the demo model if it breaks down before that is here", async ({ page }) => {
    await keepFull(page);
    await page.addInitScript(() => {
      const workers: Worker[] = [];
      const gate = new Promise<void>((release) => Object.assign(window, { workers, release }));
      const made = Worker;
      window.Worker = class extends made {
        constructor(...given: ConstructorParameters<typeof Worker>) {
          super(...given);
          workers.push(this);
        }
      };
      const fetched = fetch;
      window.fetch = async (source, ...rest) => {
        if (String(source).includes("generated/query")) await gate;
        return fetched(source, ...rest);
      };
    });
    await page.goto(`./${HASH}`);
    await expect(parts(page).cards).toHaveCount(10);
    await expect(atWork(page)).toContainText("Full model");
    await page.evaluate(() => (window as unknown as { workers: Worker[] }).workers[0]!.dispatchEvent(new ErrorEvent("error", { message: "gone" })));
    await page.getByRole("searchbox").fill("snow");
    await expect(page.locator("#loading")).toBeVisible();
    await page.evaluate(() => (window as unknown as { release: () => void }).release());
    await expect(parts(page).cards).toHaveCount(10);
    await expect(page.locator("#loading")).toBeHidden();
  });
});
