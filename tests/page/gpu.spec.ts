import type { Page } from "@playwright/test";
import type * as Package from "smooth-clir";
import { expect, fromGenerated, test as base } from "./page";
import { serve } from "../static-host.mjs";
import { PACKAGE } from "./folders";

// Learning on a graphics card: here SwiftShader stands in for one. See the projects in playwright.config.ts.
const documents = ["fr", "it", "sw", "tl"].map((language) => `documents/${language}/demo.safetensors`);
const ENCODERS = ["fr", "it", "sw", "tl"].map((language) => `document.${language}.safetensors`);
const test = base.extend({
  page: async ({ page }, use) => {
    const host = await serve("/", { folder: PACKAGE });
    await page.route("**/blank.html", (route) => route.fulfill({ contentType: "text/html", body: "<!doctype html>" }));
    await page.route("**/*.safetensors", fromGenerated);
    await page.goto(`${host.url}blank.html`);
    await page.evaluate(async () => {
      const address = "./index.js";
      Object.assign(window, await import(address));
    });
    await use(page);
    host.close();
  },
});

declare global {
  interface Window {
    SmoothClir: typeof Package.SmoothClir;
    devices: (EventTarget & { destroy(): void })[];
    outOfMemory: () => Event;
  }
}

interface Wish {
  device: Package.DevicePreference;
  worker: boolean;
  /** Steps after which the device that is at work is destroyed. */
  destroyAt?: number[];
  /** The step after which the device that is at work has no memory left. */
  fullAt?: number;
}

/** Fine-tunes on a judgement of the document at rank 20: the result, and the ranking after it. */
const learn = (page: Page, wish: Wish) =>
  page.evaluate(
    async ({ device, worker, destroyAt = [], fullAt, encoders, documents }) => {
      const query = "rain over the mountains";
      const model = ["query.safetensors", ...encoders];
      const engine = await window.SmoothClir.load({ model, documents, worker });
      const { id, language } = (await engine.search(query, { limit: 20 }))[19]!;
      const judgements = [
        { query, document: id, language, grade: 2 },
        { query: "how bread is baked", document: id, language, grade: 0 },
      ];
      const onProgress = ({ step }: { step: number }) => {
        if (destroyAt.includes(step)) window.devices.at(-1)!.destroy();
        if (step === fullAt) window.devices.at(-1)!.dispatchEvent(window.outOfMemory());
      };
      // Small steps: an interval is not reached, so that all are taken.
      const learned = await engine.learn(judgements, { steps: 30, learningRate: 0.002, device, onProgress });
      const hits = await engine.search(query, { limit: 50 });
      engine.close();
      return { learned, hits: hits.map(({ id, language, score }) => ({ name: `${language} ${id}`, score })) };
    },
    { ...wish, encoders: ENCODERS, documents },
  );

/** Keeps each device that is made, in the page itself. */
const catchDevices = (page: Page) =>
  page.evaluate(() => {
    window.devices = [];
    window.outOfMemory = () => {
      type Make<Result> = new (...given: unknown[]) => Result;
      const { GPUUncapturedErrorEvent: Failure, GPUOutOfMemoryError: Full } = globalThis as unknown as {
        GPUUncapturedErrorEvent: Make<Event>;
        GPUOutOfMemoryError: Make<unknown>;
      };
      return new Failure("uncapturederror", { error: new Full("no room for this buffer") });
    };
    const adapter = (globalThis as unknown as { GPUAdapter: { prototype: Record<string, unknown> } }).GPUAdapter.prototype;
    const request = adapter["requestDevice"] as (...options: unknown[]) => Promise<Window["devices"][number]>;
    adapter["requestDevice"] = async function (...options: unknown[]) {
      const device = await request.apply(this, options);
      window.devices.push(device);
      return device;
    };
  });

type Outcome = Awaited<ReturnType<typeof learn>>;

function expectTheSame(found: Outcome, expected: Outcome): void {
  for (const [step, loss] of expected.learned.losses.entries()) {
    expect(Math.abs(found.learned.losses[step]! - loss), `loss of step ${step + 1}`).toBeLessThan(1e-5);
  }
  const scores = new Map(expected.hits.map(({ name, score }) => [name, score]));
  for (const [rank, { name, score }] of found.hits.entries()) {
    const other = expected.hits[rank]!;
    if (name !== other.name) expect(Math.abs(score - other.score), `rank ${rank + 1}`).toBeLessThan(1e-5);
    const own = scores.get(name);
    if (own !== undefined) expect(Math.abs(score - own), name).toBeLessThan(1e-4);
  }
}

for (const worker of [false, true]) {
  const where = worker ? "a worker" : "the page";
  test(`in ${where} the graphics card learns what WebAssembly learns`, { tag: "@webgpu" }, async ({ page }) => {
    const [there, here] = [await learn(page, { device: "webgpu", worker }), await learn(page, { device: "wasm", worker })];
    expect(there.learned.device.kind, there.learned.device.reason).toBe("webgpu");
    expect(here.learned.device.kind).toBe("wasm");
    expect(there.learned.losses).toHaveLength(30);
    expectTheSame(there, here);
  });
}

test("of itself it does not take a processor in disguise", { tag: "@webgpu" }, async ({ page }) => {
  const { device } = (await learn(page, { device: "auto", worker: true })).learned;
  expect(device.kind).toBe("wasm");
  expect(device.reason).toMatch(/swiftshader.*processor in disguise/i);
});

test("a device that is lost in the middle is replaced once, then done without; nothing is lost", { tag: "@webgpu" }, async ({
  page,
}) => {
  await catchDevices(page);
  const expected = await learn(page, { device: "wasm", worker: false });
  const once = await learn(page, { device: "webgpu", worker: false, destroyAt: [5] });
  expect(once.learned.device.kind, once.learned.device.reason).toBe("webgpu");
  expect(once.learned.device.reason).toContain("failed before");
  expectTheSame(once, expected);
  const twice = await learn(page, { device: "webgpu", worker: false, destroyAt: [5, 14] });
  expect(twice.learned.device.kind).toBe("wasm");
  expect(twice.learned.device.reason).toContain("failed");
  expectTheSame(twice, expected);
});

test("a device whose memory runs out is given up, and nothing is lost", { tag: "@webgpu" }, async ({ page }) => {
  await catchDevices(page);
  const expected = await learn(page, { device: "wasm", worker: false });
  const full = await learn(page, { device: "webgpu", worker: false, fullAt: 7 });
  expect(full.learned.device.reason).toMatch(/failed before: .*out of memory/i);
  expectTheSame(full, expected);
});

/** Ranks some queries before and after something is done with the engine. */
const rankedTwice = (page: Page, between: "nothing" | "learn" | "destroy") =>
  page.evaluate(
    async ({ between, encoders, documents }) => {
      const queries = ["rain over the mountains", "how bread is baked", "sweet fruit", "zzyzx", "music"];
      const model = ["query.safetensors", ...encoders];
      const load = () => window.SmoothClir.load({ model, documents, worker: false });
      const [there, here] = [await load(), await load()];
      const device = await there.rankOnGpu({ force: true });
      const same: boolean[] = [];
      const compare = async () => {
        for (const query of queries) {
          for (const options of [{}, { epsilon: 0 }, { epsilon: 50, limit: 30 }, { language: "sw" }]) {
            const [a, b] = [await there.search(query, options), await here.search(query, options)];
            same.push(JSON.stringify(a) === JSON.stringify(b));
          }
        }
      };
      await compare();
      if (between === "learn") {
        const { id, language } = (await here.search("rain", { limit: 9 }))[8]!;
        for (const engine of [there, here]) {
          await engine.learn([{ query: "rain", document: id, language, grade: 2 }], { steps: 5, device: "wasm" });
        }
      }
      if (between === "destroy") window.devices.at(-1)!.destroy();
      await compare();
      return { device, same };
    },
    { between, encoders: ENCODERS, documents },
  );

for (const between of ["nothing", "learn", "destroy"] as const) {
  const then = { nothing: "", learn: ", also after fine-tuning", destroy: ", also after the device is lost" }[between];
  test(`the graphics card ranks as WebAssembly does${then}`, { tag: "@webgpu" }, async ({ page }) => {
    await catchDevices(page);
    const { device, same } = await rankedTwice(page, between);
    expect(device.kind, device.reason).toBe("webgpu");
    // The clock may be too coarse for so few documents.
    expect(device.wasmMs).toBeGreaterThanOrEqual(0);
    expect(device.webgpuMs).toBeGreaterThan(0);
    expect(same).toEqual(Array(40).fill(true));
  });
}

test("a graphics card that is slower is measured and left alone", { tag: "@webgpu" }, async ({ page }) => {
  const device = await page.evaluate(async (documents) => {
    const engine = await window.SmoothClir.load({ model: "query.safetensors", documents });
    return engine.rankOnGpu();
  }, documents);
  // A processor in disguise, and a thousand documents.
  expect(device.kind).toBe("wasm");
  expect(device.webgpuMs).toBeGreaterThan(device.wasmMs!);
});

test("without WebGPU documents are ranked in WebAssembly, and it says why", async ({ page }) => {
  const device = await page.evaluate(async (documents) => {
    const engine = await window.SmoothClir.load({ model: "query.safetensors", documents });
    return engine.rankOnGpu({ force: true });
  }, documents);
  expect(device.kind).toBe("wasm");
  expect(device.reason).toMatch(/WebGPU|adapter/);
});

for (const worker of [false, true]) {
  test(`without WebGPU it learns in WebAssembly, ${worker ? "in a worker" : "without one"}, and says why`, async ({ page }) => {
    const { learned } = await learn(page, { device: "webgpu", worker });
    expect(learned.device.kind).toBe("wasm");
    expect(learned.device.reason).toMatch(/WebGPU|adapter/);
    expect(learned.losses.at(-1)).toBeLessThan(learned.losses[0]!);
  });
}

/** Trains on small texts: where, the losses, and how it ranks then. */
const train = (page: Page, { device, worker, destroyAt = [] }: Wish) =>
  page.evaluate(
    async ({ device, worker, destroyAt }) => {
      const things = ["rain", "bread", "sea", "wind", "bird", "fish", "sun", "moon", "tree", "stone"];
      const text = (at: number, mark: string) => `${things[at % 10]}${mark} ${things[Math.floor(at / 10)]}${mark}`;
      const texts = (name: string, mark: string) =>
        Array.from({ length: 100 }, (_, at) => ({ id: `${name}${at}`, text: text(at, mark) }));
      const qrels = Array.from({ length: 100 }, (_, at) => ({ query: `q${at}`, document: `d${at}`, grade: 2 }));
      const engine = await window.SmoothClir.start({ worker });
      const given = { queries: texts("q", ""), documents: texts("d", "x"), qrels };
      const training = await engine.startTraining(given, { dimension: 16, negatives: 9, device });
      const losses: number[] = [];
      for (let step = 1; step <= 24; step++) {
        losses.push(...(await training.step()).losses);
        if (destroyAt.includes(step)) window.devices.at(-1)!.destroy();
      }
      // What is asked for at once is done in its order.
      const [more, { scores }, last] = await Promise.all([training.step(3), training.evaluate(), training.step()]);
      losses.push(...more.losses, ...last.losses);
      engine.close();
      return { device: training.device, losses, scores: [...scores], epoch: last.epoch };
    },
    { device, worker, destroyAt },
  );

type Trained = Awaited<ReturnType<typeof train>>;

function expectTrainedTheSame(found: Trained, expected: Trained): void {
  expect(found.losses).toHaveLength(28);
  expect(expected.losses.at(-1)).toBeLessThan(0.5 * expected.losses[0]!);
  const apart = (a: number[], b: number[]) => Math.max(...a.map((value, at) => Math.abs(value - b[at]!)));
  expect(apart(found.losses, expected.losses)).toBeLessThan(1e-5);
  expect(apart(found.scores, expected.scores)).toBeLessThan(1e-4);
  expect(found.epoch).toBe(expected.epoch);
}

for (const worker of [false, true]) {
  const where = worker ? "a worker" : "the page";
  test(`in ${where} the graphics card trains as WebAssembly does`, { tag: "@webgpu" }, async ({ page }) => {
    const [there, here] = [await train(page, { device: "webgpu", worker }), await train(page, { device: "wasm", worker })];
    expect(there.device.kind, there.device.reason).toBe("webgpu");
    expect(here.device).toEqual({ kind: "wasm", name: "WebAssembly", reason: "it was requested" });
    expectTrainedTheSame(there, here);
  });
}

test("a device that is lost costs a training no step: it is replaced once, then done without", { tag: "@webgpu" }, async ({
  page,
}) => {
  await catchDevices(page);
  const expected = await train(page, { device: "wasm", worker: false });
  const once = await train(page, { device: "webgpu", worker: false, destroyAt: [5] });
  expect(once.device.kind, once.device.reason).toBe("webgpu");
  expect(once.device.reason).toContain("failed before");
  expectTrainedTheSame(once, expected);
  const twice = await train(page, { device: "webgpu", worker: false, destroyAt: [5, 24] });
  expect(twice.device.kind).toBe("wasm");
  expect(twice.device.reason).toContain("failed");
  expectTrainedTheSame(twice, expected);
});

test("without WebGPU it trains in WebAssembly, and says why", async ({ page }) => {
  const [found, expected] = [
    await train(page, { device: "webgpu", worker: true }),
    await train(page, { device: "wasm", worker: true }),
  ];
  expect(found.device.kind).toBe("wasm");
  expect(found.device.reason).toMatch(/WebGPU|adapter/);
  expect(found.losses).toEqual(expected.losses);
});
