// From request to first ranking: the built page, cold, over a slow link.
//
//   node --experimental-websocket benches/load.mjs [--megabits 10] [--latency 40] [--cpu 1] [--rounds 7] [FOLDER]
//
// The link is Chromium's own throttle, put on the page and on its worker; --cpu 4 makes the page's own
// thread four times as slow, as a phone's is. Every round is a new
// browser context: nothing is cached. The server packs what static hosts pack (pages, styles,
// scripts and WebAssembly, by gzip), and sends models and indexes as they are.
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { DIST, inFolder, serve } from "./serve.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    megabits: { type: "string", default: "10" },
    latency: { type: "string", default: "40" },
    cpu: { type: "string", default: "1" },
    rounds: { type: "string", default: "7" },
  },
});
const [megabits, latency, cpu, rounds] = [values.megabits, values.latency, values.cpu, values.rounds].map(Number);
const folder = positionals[0] ?? DIST;
const host = await serve(inFolder(folder), { packs: true });

const port = 9333 + (process.pid % 1000);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", `--remote-debugging-port=${port}`],
});

/** A connection to the browser's tools that throttles a page and every worker that it starts. */
async function throttled() {
  const { webSocketDebuggerUrl } = await (await fetch(`http://127.0.0.1:${port}/json/version`)).json();
  const socket = new WebSocket(webSocketDebuggerUrl);
  await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
  const waiting = new Map();
  let last = 0;
  const send = (method, params = {}, sessionId = undefined) =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject });
      socket.send(JSON.stringify({ id: last, method, params, sessionId }));
    });
  const auto = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };
  const conditions = {
    offline: false,
    latency,
    downloadThroughput: (megabits * 1e6) / 8,
    uploadThroughput: (megabits * 1e6) / 8,
  };
  const workers = [];
  socket.addEventListener("message", ({ data }) => {
    const { id, error, result, method, params } = JSON.parse(data);
    if (id) {
      const { resolve, reject } = waiting.get(id);
      return void (error ? reject(new Error(error.message)) : resolve(result));
    }
    if (method !== "Target.attachedToTarget") return;
    const { sessionId, targetInfo } = params;
    void (async () => {
      await send("Network.enable", {}, sessionId).catch(() => {});
      await send("Network.emulateNetworkConditions", conditions, sessionId).catch(() => {});
      if (targetInfo.type === "worker") workers.push(targetInfo.url);
      await send("Target.setAutoAttach", auto, sessionId).catch(() => {});
      await send("Runtime.runIfWaitingForDebugger", {}, sessionId).catch(() => {});
    })();
  });
  const { targetId } = await send("Target.createTarget", {
    url: "about:blank",
    browserContextId: (await send("Target.createBrowserContext")).browserContextId,
  });
  const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
  await send("Network.enable", {}, sessionId);
  await send("Network.setCacheDisabled", { cacheDisabled: true }, sessionId);
  await send("Network.emulateNetworkConditions", conditions, sessionId);
  await send("Target.setAutoAttach", auto, sessionId);
  await send("Runtime.enable", {}, sessionId);
  if (cpu > 1) await send("Emulation.setCPUThrottlingRate", { rate: cpu }, sessionId);
  const evaluate = async (expression) =>
    (await send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true }, sessionId)).result.value;
  const go = (address) => send("Page.navigate", { url: address }, sessionId);
  const close = async () => {
    await send("Target.closeTarget", { targetId });
    socket.close();
  };
  return { go, evaluate, close, workers };
}

const times = [];
const paints = [];
let bytes = 0;
for (let round = 0; round < rounds; round += 1) {
  host.sent = 0;
  const page = await throttled();
  await page.go(`${host.url}#q=rain+in+the+mountains`);
  // The page marks its first list of results.
  let measured;
  for (let wait = 0; wait < 600 && !measured; wait += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    measured = await page
      .evaluate(
        `(() => {
          const [list] = performance.getEntriesByName("key-to-list");
          if (!list || !document.querySelector("#hits li")) return undefined;
          const files = performance.getEntriesByType("resource");
          const paint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
          if (paint === undefined) return undefined;
          return { paint, ms: list.startTime + list.duration, files: files.map(
            (f) => [f.name.split("/").pop(), Math.round(f.startTime), Math.round(f.responseEnd)]) };
        })()`,
      )
      .catch(() => undefined);
  }
  if (!measured) throw new Error("no list of results came within 12 s");
  if (page.workers.length === 0) throw new Error("no worker was seen, so none was throttled");
  times.push(measured.ms);
  paints.push(measured.paint);
  bytes = host.sent;
  if (round === 0) for (const [name, start, end] of measured.files) console.log(`  ${name}: ${start} to ${end} ms`);
  await page.close();
}
await browser.close();
host.close();
const spread = (all) => {
  const [least, median, most] = [0, all.length >> 1, all.length - 1].map((at) => Math.round([...all].sort((a, b) => a - b)[at]));
  return `${median} ms (${least} to ${most})`;
};
console.log("| link | processor | sent | first paint: median (least to most) | first ranking |\n|---|---|---|---|---|");
console.log(
  `| ${megabits} Mbit/s, ${latency} ms | ${cpu === 1 ? "as it is" : `${cpu} times as slow`} | ` +
    `${Math.round(bytes / 1000)} KB | ${spread(paints)} | ${spread(times)} |`,
);
