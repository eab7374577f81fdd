// From request to first ranking: the built page over a slow link.
//
//   node --experimental-websocket benches/load.mjs [--profile NAME | --megabits 10 --latency 40 --cpu 1] [--model full
//     --language fr] [--warm [--revalidates]] [--http2] [--rounds 7] [FOLDER]
//
// The link is Chromium's own throttle, put on the page and on its worker; --cpu 4 makes the page's own thread four times as slow,
// as a phone's is. --profile fast-4g and slow-4g are the links of Chromium's tools of these names, with --cpu 4. Every round is a
// new browser context: nothing is cached. The server packs what static hosts pack (pages, styles, scripts and WebAssembly, by
// gzip), sends models and indexes as they are, and lets browsers keep all for a day. --model full is a visitor who chose the full
// model, for the documents of --language; on a first visit the first answer is the demo model's. --warm measures the second visit of
// each context, with the page's service worker; with --revalidates the server has browsers ask whether a file has changed, as hosts do
// whose files may be kept for some minutes only. --http2 serves by HTTP/2, which takes a certificate, made by openssl.
import { execFileSync } from "node:child_process";
import { createHash, X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { DIST, inFolder, serve } from "./serve.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    profile: { type: "string", default: "" },
    megabits: { type: "string", default: "10" },
    latency: { type: "string", default: "40" },
    cpu: { type: "string", default: "1" },
    rounds: { type: "string", default: "7" },
    model: { type: "string", default: "demo" },
    language: { type: "string", default: "" },
    warm: { type: "boolean", default: false },
    revalidates: { type: "boolean", default: false },
    http2: { type: "boolean", default: false },
  },
});
/** The links of Chromium's tools: `MobileThrottling` and `NetworkManager` in devtools-frontend. */
const PROFILES = {
  "fast-4g": { megabits: 9 * 0.9, latency: 60 * 2.75, cpu: 4 },
  "slow-4g": { megabits: 1.6 * 0.9, latency: 150 * 3.75, cpu: 4 },
};
const { model, language, warm, profile, http2, revalidates } = values;
if (profile !== "" && !(profile in PROFILES)) throw new Error(`unknown profile \`${profile}\`: there are ${Object.keys(PROFILES).join(", ")}`);
if (!["demo", "full"].includes(model)) throw new Error(`unknown model \`${model}\`: there are demo, full`);
const [megabits, latency, cpu, rounds] = ["megabits", "latency", "cpu", "rounds"].map((name) => Number(PROFILES[profile]?.[name] ?? values[name]));
const folder = positionals[0] ?? DIST;
const certificate = http2 ? newCertificate() : undefined;
const host = await serve(inFolder(folder), { packs: true, keeps: !revalidates, certificate });

const port = 8000 + (process.pid % 1000);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", ...trusting(certificate), `--remote-debugging-port=${port}`],
});

/** A certificate for this run, by openssl. */
function newCertificate() {
  const place = mkdtempSync(join(tmpdir(), "load-"));
  const [key, cert] = ["key.pem", "cert.pem"].map((name) => join(place, name));
  const wanted = ["-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"];
  execFileSync("openssl", ["req", "-x509", ...wanted, "-keyout", key, "-out", cert], { stdio: "ignore" });
  const made = { key: readFileSync(key), cert: readFileSync(cert) };
  rmSync(place, { recursive: true });
  return made;
}

/** Has the browser trust a certificate as one of the web's: it keeps nothing of hosts whose errors it was told to overlook. */
function trusting(certificate) {
  if (!certificate) return [];
  const key = new X509Certificate(certificate.cert).publicKey.export({ type: "spki", format: "der" });
  return [`--ignore-certificate-errors-spki-list=${createHash("sha256").update(key).digest("base64")}`];
}

/** Runs in the page before all else: who chose a model, and what notes the lists of results. */
const prepare = `if (location.protocol.startsWith("http")) localStorage.setItem("smooth-clir model", "${model}");
  window.lists = [];
  new PerformanceObserver((all) => {
    for (const one of all.getEntriesByName("key-to-list")) {
      if (document.querySelector("#hits li")) window.lists.push({ ms: one.startTime + one.duration, isHybrid: one.detail?.isHybrid ?? /^Full/.test(document.getElementById("model-at-work").textContent) });
    }
  }).observe({ type: "measure" });`;

/** Runs in the page: whether it keeps the encoder of queries. */
const isKept = `caches.match("generated/${model === "full" ? "models/" : ""}query.safetensors.gz", { ignoreSearch: true }).then((kept) => kept !== undefined)`;

/** A connection to the browser's tools that throttles the pages of a new context and every worker that they start. */
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
      // The page's service worker answers nothing before it runs.
      if (targetInfo.type === "service_worker") await send("Runtime.runIfWaitingForDebugger", {}, sessionId).catch(() => {});
      await send("Network.enable", {}, sessionId).catch(() => {});
      await send("Network.emulateNetworkConditions", conditions, sessionId).catch(() => {});
      if (targetInfo.type === "worker") workers.push(targetInfo.url);
      await send("Target.setAutoAttach", auto, sessionId).catch(() => {});
      await send("Runtime.runIfWaitingForDebugger", {}, sessionId).catch(() => {});
    })();
  });
  const { browserContextId } = await send("Target.createBrowserContext");
  /** A page of the context. */
  const open = async () => {
    const { targetId } = await send("Target.createTarget", { url: "about:blank", browserContextId });
    const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
    await send("Network.enable", {}, sessionId);
    await send("Network.emulateNetworkConditions", conditions, sessionId);
    await send("Target.setAutoAttach", auto, sessionId);
    await send("Runtime.enable", {}, sessionId);
    await send("Page.enable", {}, sessionId);
    await send("Page.addScriptToEvaluateOnNewDocument", { source: prepare }, sessionId);
    if (cpu > 1) await send("Emulation.setCPUThrottlingRate", { rate: cpu }, sessionId);
    const evaluate = async (expression) =>
      (await send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true }, sessionId)).result.value;
    const go = (address) => send("Page.navigate", { url: address }, sessionId);
    return { go, evaluate, close: () => send("Target.closeTarget", { targetId }) };
  };
  return { open, workers, close: () => socket.close() };
}

/** Visits the page, and waits for the list of the model that is measured. */
async function visit(page) {
  await page.go(`${host.url}#q=rain+in+the+mountains${language === "" ? "" : `&lang=${language}`}`);
  for (let wait = 0; wait < 3000; wait += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const measured = await page
      .evaluate(
        `(() => {
          const lists = window.lists ?? [];
          const last = lists.find(({ isHybrid }) => isHybrid === ${model === "full"});
          const paint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
          if (!last || paint === undefined) return undefined;
          const files = performance.getEntriesByType("resource");
          return { paint, first: lists[0].ms, last: last.ms, files: files.map(
            (f) => [f.name.split("/").pop(), Math.round(f.startTime), Math.round(f.responseEnd)]) };
        })()`,
      )
      .catch(() => undefined);
    if (measured) return measured;
  }
  throw new Error("no list of results came within 60 s");
}

/** Whether a visit took as long as its bytes take on the link: now and then the browser throttles none of its requests. */
const wasThrottled = ({ last }, sent) => last > (0.95 * (sent * 8)) / (megabits * 1000);

const visits = [];
let bytes = 0;
for (let round = 0; visits.length < rounds; round += 1) {
  if (round === 3 * rounds) throw new Error("most visits were not throttled");
  const context = await throttled();
  let page = await context.open();
  if (warm) {
    await visit(page);
    // The service worker, which keeps the page and its model, comes after it and fetches what is missing.
    await page.evaluate("navigator.serviceWorker.ready.then(() => true)");
    for (let wait = 0; wait < 300 && !(await page.evaluate(isKept)); wait += 1) await new Promise((resolve) => setTimeout(resolve, 100));
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await page.close();
    page = await context.open();
  }
  host.sent = 0;
  const visited = await visit(page);
  if (context.workers.length === 0) throw new Error("no worker was seen, so none was throttled");
  if (wasThrottled(visited, host.sent)) {
    visits.push(visited);
    bytes = host.sent;
  }
  await page.close();
  context.close();
}
await browser.close();
host.close();
const [middle] = visits.toSorted((a, b) => a.last - b.last).slice(visits.length >> 1);
for (const [name, start, end] of middle.files) console.log(`  ${name}: ${start} to ${end} ms`);
const spread = (name) => {
  const all = visits.map((one) => one[name]).sort((a, b) => a - b);
  const [least, median, most] = [0, all.length >> 1, all.length - 1].map((at) => Math.round(all[at]));
  return `${median} ms (${least} to ${most})`;
};
const link = profile === "" ? "" : `${profile}: `;
console.log("| link | processor | cache | model | sent | first paint: median (least to most) | first ranking | the model's first ranking |");
console.log("|---|---|---|---|---|---|---|---|");
console.log(
  `| ${link}${Number(megabits.toFixed(2))} Mbit/s, ${latency} ms | ${cpu === 1 ? "as it is" : `${cpu} times as slow`} | ${warm ? "warm" : "cold"} | ` +
    `${model}${language === "" ? "" : `, ${language}`} | ${Math.round(bytes / 1000)} KB | ${spread("paint")} | ${spread("first")} | ${spread("last")} |`,
);
