// How long frames take while the slider moves over many documents.
//
//   node benches/slider.mjs INDEX.safetensors [--moves 120] [--cpu 1] [FOLDER]
//
// INDEX takes the place of the built page's own; the model that made it must be the page's:
//
//   smooth-clir index target/demo-model TSV --language fr --precision i8 --out INDEX.safetensors
//
// Each frame moves the slider once. What counts is the time from one frame to the next, and from a
// move to the list that shows it, as the page itself measures that.
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { DIST, inFolder, serve } from "./serve.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { moves: { type: "string", default: "120" }, cpu: { type: "string", default: "1" } },
});
const [index, folder = DIST] = positionals;
const [moves, cpu] = [Number(values.moves), Number(values.cpu)];
const place = inFolder(folder);
const host = await serve((path) => (path.endsWith("/documents/fr/demo.safetensors") ? index : place(path)));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
const page = await browser.newPage();
if (cpu > 1) {
  const tools = await page.context().newCDPSession(page);
  await tools.send("Emulation.setCPUThrottlingRate", { rate: cpu });
}
await page.goto(`${host.url}#q=rain+in+the+mountains`);
await page.waitForFunction(() => document.querySelectorAll("#hits > li").length > 0);
await page.waitForTimeout(1000);
const { frames, lists } = await page.evaluate(async (moves) => {
  const slider = document.querySelector("#epsilon-slider");
  const [frames, lists] = [[], []];
  new PerformanceObserver((found) => lists.push(...found.getEntries().map(({ duration }) => duration))).observe({ entryTypes: ["measure"] });
  const frame = () => new Promise(requestAnimationFrame);
  let before = await frame();
  for (let move = 0; move < moves; move++) {
    slider.valueAsNumber = (Number(slider.max) * (move + 1)) / moves;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    const now = await frame();
    frames.push(now - before);
    before = now;
  }
  await new Promise((resolve) => setTimeout(resolve, 300));
  return { frames, lists };
}, moves);
await browser.close();
host.close();
const at = (all, share) => [...all].sort((a, b) => a - b)[Math.min(Math.floor(all.length * share), all.length - 1)].toFixed(1);
console.log("| | median | 95 % within | longest |\n|---|---|---|---|");
for (const [name, all] of [["frame, ms", frames], ["move to list, ms", lists]]) {
  console.log(`| ${name} | ${at(all, 0.5)} | ${at(all, 0.95)} | ${at(all, 1)} |`);
}
