// From key to list: queries are typed into the built page, key by key.
//
//   node benches/keys.mjs [--model full] [--cpu 1] [--profile] [FOLDER]
//
// Each key comes when the list of the one before has been painted. The page itself measures the time from the event to the list.
// --model full waits for the full model, --cpu 4 makes the page's own thread four times as slow, --profile names the functions of the
// page's thread that take the most time of their own.
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { DIST, inFolder, serve } from "./serve.mjs";

const QUERIES = ["rain over the mountains", "bird that cannot fly", "flour and water dough", "ship on the stormy sea"];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { model: { type: "string", default: "demo" }, cpu: { type: "string", default: "1" }, profile: { type: "boolean", default: false } },
});
const { model, profile } = values;
const cpu = Number(values.cpu);
const host = await serve(inFolder(positionals[0] ?? DIST));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage();
const tools = await page.context().newCDPSession(page);
if (cpu > 1) await tools.send("Emulation.setCPUThrottlingRate", { rate: cpu });
await page.addInitScript((chosen) => {
  if (location.protocol.startsWith("http")) localStorage.setItem("smooth-clir model", chosen);
  window.lists = [];
  new PerformanceObserver((all) => window.lists.push(...all.getEntriesByName("key-to-list").map(({ duration }) => duration))).observe({ type: "measure" });
}, model);
await page.goto(host.url);
await page.waitForFunction((start) => document.querySelector("#model-at-work").textContent.startsWith(start), { demo: "Demo", full: "Full" }[model]);
// What comes after the first list is there then, too.
await page.waitForTimeout(3000);
const query = page.locator("#query");
const times = [];
let keys = 0;
/** Types a query. */
async function type(text, note) {
  await query.fill("");
  for (const key of text) {
    const before = await page.evaluate(() => window.lists.length);
    await query.press(key === " " ? "Space" : key);
    keys += 1;
    // No list answers a key that changes no word.
    const came = await page.waitForFunction((count) => window.lists.length > count, before, { timeout: 2000, polling: "raf" }).then(() => true, () => false);
    if (came && note) times.push(await page.evaluate(() => window.lists.at(-1)));
  }
}
// Not measured: texts are fetched, and the browser compiles what runs often.
await type(QUERIES[0], false);
keys = 0;
if (profile) {
  await tools.send("Profiler.enable");
  await tools.send("Profiler.start");
}
for (const text of QUERIES) await type(text, true);
if (profile) {
  const { nodes, samples, timeDeltas } = (await tools.send("Profiler.stop")).profile;
  const names = new Map(nodes.map(({ id, callFrame }) => [id, `${callFrame.functionName || "(anonymous)"} ${callFrame.url.split("/").pop()}:${callFrame.lineNumber}:${callFrame.columnNumber}`]));
  const own = new Map();
  samples.forEach((id, at) => own.set(names.get(id), (own.get(names.get(id)) ?? 0) + timeDeltas[at] / 1000));
  for (const [name, ms] of [...own].sort((a, b) => b[1] - a[1]).slice(0, 25)) console.log(`  ${ms.toFixed(1)} ms ${name}`);
}
await browser.close();
host.close();
times.sort((a, b) => a - b);
const at = (share) => times[Math.floor(share * (times.length - 1))].toFixed(1);
console.log("| model | processor | keys | lists | median, ms | 95 %, ms |\n|---|---|---|---|---|---|");
console.log(`| ${model} | ${cpu === 1 ? "as it is" : `${cpu} times as slow`} | ${keys} | ${times.length} | ${at(0.5)} | ${at(0.95)} |`);
