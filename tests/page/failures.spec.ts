import type { Page, Route } from "@playwright/test";
import { expect, generated, held, idle, openPage, parts, test } from "./page";
import { serve } from "../static-host.mjs";
import { DIST } from "./folders";

const MODEL = "**/generated/query.safetensors*";
const DOCUMENTS = "**/generated/documents/it/demo.safetensors*";
const binary = { "content-type": "application/octet-stream" };

/** Checks that typing, the slider and the heat map still work after a failure. */
async function expectAlive(page: Page): Promise<void> {
  const { query, reason, number, largest } = parts(page);
  await query.fill("rain");
  await expect(reason).toContainText("The model is not loaded");
  await number.fill("0.2");
  await expect(largest).toContainText("3.10");
}

const failures: [string, string, (route: Route) => Promise<void>, RegExp][] = [
  [
    "a model that answers 404",
    MODEL,
    (route) => route.fulfill({ status: 404, body: "no" }),
    /does not have the model.*query\.safetensors.*404.*\(http-status\)/,
  ],
  [
    "a server error",
    MODEL,
    (route) => route.fulfill({ status: 503, body: "no" }),
    /query\.safetensors.*503.*\(http-status\)/,
  ],
  [
    "a web page with status 200 in the place of the model",
    MODEL,
    (route) => route.fulfill({ status: 200, contentType: "text/html", body: "<!doctype html><p>Welcome" }),
    /web page or a text.*\(not-binary\)/,
  ],
  [
    "a web page that claims to be binary",
    MODEL,
    (route) => route.fulfill({ status: 200, headers: binary, body: "<!doctype html><p>Welcome" }),
    /web page or a text.*\(not-binary\)/,
  ],
  [
    "half a model",
    MODEL,
    async (route) => {
      const whole = await generated("query.safetensors");
      await route.fulfill({ status: 200, headers: binary, body: whole.subarray(0, whole.length / 2) });
    },
    /not whole, or not a model.*\(not-safetensors\)/,
  ],
  [
    "an index cut in half",
    DOCUMENTS,
    async (route) => {
      const whole = await generated("documents/it/demo.safetensors");
      await route.fulfill({ status: 200, headers: binary, body: whole.subarray(0, whole.length / 2) });
    },
    /not whole, or not a model.*\(not-safetensors\)/,
  ],
  [
    "a model with one changed byte",
    MODEL,
    async (route) => {
      const bytes = Buffer.from(await generated("query.safetensors"));
      const last = bytes.length - 1;
      bytes[last] = (bytes[last] ?? 0) ^ 1;
      await route.fulfill({ status: 200, headers: binary, body: bytes });
    },
    /damaged.*\(digest\)/,
  ],
  ["no connection", MODEL, (route) => route.abort("connectionfailed"), /could not be fetched.*\(network\)/],
];

for (const [what, address, answer, message] of failures) {
  test(`${what}: the page says what happened, goes on working, and Retry helps`, async ({ page }) => {
    await page.route(address, answer);
    await page.goto("./");
    const { message: text, retry, query, cards, language } = parts(page);
    await expect(text).toHaveText(message);
    await expect(text).toHaveRole("alert");
    await expectAlive(page);
    await page.unroute(address);
    await retry.click();
    await expect(language("French")).toBeEnabled();
    // The query typed before the model came is answered now.
    await expect(query).toHaveValue("rain");
    await expect(cards).toHaveCount(10);
  });
}

for (const [what, address, hash, said, there] of [
  ["the swap points below the slider", "**/order-view-*.js", "#q=rain", "The swap points of the slider could not be fetched", ".swap-point"],
  ["the curves of a rank change", "**/crossing-view-*.js", "#q=ship+on+the+ocean", "The curves of the two scores could not be fetched", "#rank-change svg.chart"],
  ["a lesson", "**/panel-view-*.js", "#lesson=angle", "The lesson could not be fetched", "#lesson h2"],
] as const) {
  test(`where ${what} cannot be fetched, the page says so, and Try again helps`, async ({ page }) => {
    await page.route(address, (route) => route.abort());
    await openPage(page, hash);
    if (what === "the curves of a rank change") await page.locator(".swap-point").first().press("Enter");
    const notice = page.getByRole("alert").filter({ hasText: said });
    await expect(notice).toBeVisible();
    await page.unroute(address);
    await notice.getByRole("button", { name: "Try again" }).click();
    await expect(page.locator(there).first()).toBeVisible();
    await expect(notice).toBeHidden();
  });
}

test("a connection that breaks off in the middle is reported with the bytes that came", async ({ browser }) => {
  const host = await serve("/", {
    folder: DIST,
    answer(file, bytes, response) {
      if (!file.endsWith("query.safetensors.gz")) return false;
      response.writeHead(200, { ...binary, "content-length": bytes.length });
      response.write(bytes.subarray(0, bytes.length / 2));
      setTimeout(() => response.destroy(), 300);
      return true;
    },
  });
  const page = await browser.newPage();
  try {
    await page.goto(`${host.url}#hood=open`);
    await expect(parts(page).message).toHaveText(/Only a part.*query\.safetensors.*\d+ of \d+ bytes.*\(incomplete\)/);
    await expectAlive(page);
  } finally {
    await page.close();
    host.close();
  }
});

test("loading can be cancelled and taken up again", async ({ page }) => {
  const release = await held(page, MODEL);
  await page.goto("./#q=rain");
  const { cancel, retry, message, reason, cards } = parts(page);
  await expect(reason).toContainText("still loading");
  await cancel.click();
  await expect(message).toHaveText("Loading was cancelled.");
  await expect(retry).toBeFocused();
  await expectAlive(page);
  release();
  await page.unroute(MODEL);
  await retry.click();
  await expect(cards).toHaveCount(10);
});

test("progress is shown in bytes while loading", async ({ page }) => {
  const release = await held(page, DOCUMENTS);
  await page.goto("./");
  const { message, language } = parts(page);
  await expect(message).toHaveText(/^Loading the model: [\d.]+ MB$/);
  await expect(page.getByRole("progressbar")).toBeVisible();
  release();
  await expect(language("French")).toBeEnabled();
  await expect(message).toBeHidden();
});

test("without workers the page works all the same", async ({ page }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, "Worker");
  });
  const { query, cards, largest } = await openPage(page, "#eps=0.2");
  await query.fill("rain");
  await expect(cards).toHaveCount(10);
  await expect(largest).toContainText("3.10");
});

test("a worker that cannot load is done without", async ({ page }) => {
  await page.route("**/assets/worker-*.js", (route) => route.fulfill({ status: 404, body: "" }));
  const { query, cards } = await openPage(page);
  await query.fill("rain");
  await expect(cards).toHaveCount(10);
});

test("a worker that crashes is reported, and Retry makes another", async ({ page }) => {
  const script = `onmessage = ({ data: { id, method } }) => {
    if (method === "start") postMessage({ id });
    else throw new Error("out of luck");
  };`;
  await page.route("**/assets/worker-*.js", (route) => route.fulfill({ contentType: "text/javascript", body: script }));
  await page.goto("./#q=rain&eps=0.2");
  const { message, retry, cards, largest } = parts(page);
  await expect(message).toHaveText(/The search engine stopped.*out of luck.*\(worker-failed\)/);
  await page.unroute("**/assets/worker-*.js");
  await retry.click();
  await expect(cards).toHaveCount(10);
  await expect(largest).toContainText("3.10");
});

/** Runs before the modules load, in the page or its worker: `exhaust` leaves the allocators of engines nothing. */
function watchMemory(): void {
  const instances: WebAssembly.Instance[] = [];
  const { instantiate, instantiateStreaming } = WebAssembly;
  const watched = (started: WebAssembly.Instance | WebAssembly.WebAssemblyInstantiatedSource) => {
    instances.push("instance" in started ? started.instance : started);
    return started;
  };
  const exhaust = () => {
    for (const { exports } of instances.splice(0)) {
      if (!("engine_new" in exports)) continue;
      const { memory, __wbindgen_malloc } = exports as unknown as { memory: WebAssembly.Memory; __wbindgen_malloc(bytes: number, align: number): number };
      for (const [take, most] of [[(size: number) => memory.grow(size), 2 ** 16], [(size: number) => __wbindgen_malloc(size, 1), 2 ** 30]] as const) {
        for (let size: number = most; size >= 1; size /= 2) {
          try {
            for (;;) take(size);
          } catch {
            // Less, then.
          }
        }
      }
    }
  };
  Object.assign(globalThis, { exhaust });
  Object.assign(WebAssembly, {
    instantiate: (...given: Parameters<typeof instantiate>) => instantiate(...given).then(watched),
    instantiateStreaming: (...given: Parameters<typeof instantiateStreaming>) => instantiateStreaming(...given).then(watched),
  });
}

for (const where of ["in a worker", "on the page"]) {
  test(`out of memory ${where}: the search says so, and the next one ranks by what was learned`, async ({ page }) => {
    const isWorker = where === "in a worker";
    const hook = `(${watchMemory.toString()})();`;
    await page.addInitScript(isWorker ? "" : `${hook} Reflect.deleteProperty(window, "Worker");`);
    await page.route("**/assets/worker-*.js", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: `${hook}\n${await answer.text()}` });
    });
    const { query, cards, titles, reason } = await openPage(page, "#q=wild+animal");
    await expect(cards).toHaveCount(10);
    await cards.nth(7).getByRole("button", { name: /^Relevant / }).click();
    const title = (await titles.nth(7).textContent())!;
    const section = page.getByRole("region", { name: "Fine-tune", exact: true });
    await section.getByRole("checkbox", { name: "Stay close" }).uncheck();
    await section.getByRole("button", { name: "Run", exact: true }).click();
    await expect(section.locator("#finetune-work")).toContainText("the loss is 0");
    await expect(titles.first()).toHaveText(title);
    const learned = await titles.allTextContents();
    // Nothing else is asked of the engine any more.
    await expect(section.getByRole("table", { name: "Effect on other searches" }).getByRole("row")).toHaveCount(9);
    await idle(page);
    const exhaust = () => (globalThis as unknown as { exhaust(): void }).exhaust();
    await (isWorker ? page.workers()[0]!.evaluate(exhaust) : page.evaluate(exhaust));
    await query.fill("rain");
    await expect(reason).toHaveText(/The search failed: the WebAssembly module stopped, with \d+ MiB of memory.*\(wasm-failed\)/);
    await query.fill("wild animal");
    await expect(titles).toHaveText(learned);
    await section.getByRole("button", { name: "Undo", exact: true }).click();
    await expect(titles.nth(7)).toHaveText(title);
  });
}

test("a module of WebAssembly that cannot load is reported", async ({ page, complaints }) => {
  await page.route("**/assets/*.wasm", (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto("./");
  const { message, query, reason, language, retry } = parts(page);
  await expect(message).toHaveText(/could not run.*\(wasm-failed\)/);
  await query.fill("rain");
  await expect(reason).toContainText("The model is not loaded");
  await page.unroute("**/assets/*.wasm");
  await retry.click();
  await expect(language("French")).toBeEnabled();
  complaints.length = 0;
});

test("a browser without WebAssembly is told so", async ({ page }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, "WebAssembly");
  });
  await page.goto("./");
  const { message, query, reason } = parts(page);
  await expect(message).toContainText("lacks WebAssembly");
  await query.fill("rain");
  await expect(reason).toContainText("The model is not loaded");
});
