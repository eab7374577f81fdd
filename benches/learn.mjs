// Fine-tuning steps per second in Chromium, ours and TensorFlow.js's, in turns; a Markdown table.
//
//   node learn.mjs BUILT [--rounds 9] [--steps 20] [--gpu swiftshader|default]
//
// BUILT has the contenders' bundle, an index and playwright-core: `pkg-scripts/bench-learn` makes it. Without
// `--gpu` the browser's own graphics card is used; "swiftshader" has the processor stand in for one.
import { createRequire } from "node:module";
import { join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { cardOf, withGpu } from "./gpu-browser.mjs";
import { serve } from "./serve.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "9" },
    steps: { type: "string", default: "20" },
    gpu: { type: "string", default: "default" },
  },
});
const [built] = positionals;
const [rounds, steps] = [Number(values.rounds), Number(values.steps)];
const root = fileURLToPath(new URL("..", import.meta.url));
const folders = { built, npm: join(root, "npm/dist"), generated: join(root, "www/dist/generated") };
const host = await serve((path) => {
  const [, folder, ...rest] = normalize(path).split("/");
  return join(folders[folder] ?? "", ...rest);
});
const files = {
  base: `${host.url}built/`,
  package: `${host.url}npm/index.js`,
  query: `${host.url}generated/query.safetensors`,
  document: `${host.url}generated/document.fr.safetensors`,
  documents: `${host.url}built/documents.safetensors`,
};

const { chromium } = createRequire(join(built, "package.json"))("playwright-core");
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: withGpu(values.gpu) });
const contenders = [];
for (const name of ["smooth-clir wasm", "tensorflow.js wasm", "smooth-clir webgpu", "tensorflow.js webgpu"]) {
  const page = await browser.newPage();
  await page.goto(host.url);
  if (contenders.length === 0) console.log(`card: ${await cardOf(page)}`);
  const take = (steps) => page.evaluate((steps) => globalThis.take(steps), steps);
  try {
    await page.evaluate(
      async ([address, name, files]) => {
        const { prepare } = await import(address);
        const steps = await prepare(name, files);
        globalThis.take = async (count) => {
          const start = performance.now();
          const loss = await steps(count);
          return { loss, seconds: (performance.now() - start) / 1e3 };
        };
      },
      [`${host.url}built/contenders.js`, name, files],
    );
    contenders.push({ name, take, first: (await take(1)).loss, last: (await take(steps - 1)).loss, times: [] });
  } catch (error) {
    console.log(`${name} is left out: ${error.message.split("\n")[0]}\n`);
  }
}
for (let round = 0; round < rounds; round++) {
  for (const { take, times } of contenders) times.push((await take(steps)).seconds / steps);
}
await browser.close();
host.close();

const sorted = (numbers) => [...numbers].sort((a, b) => a - b);
const spread = (numbers) => {
  const all = sorted(numbers).map((x) => x.toFixed(2));
  return `${all[all.length >> 1]} (${all[0]} to ${all.at(-1)})`;
};
const [ours] = contenders;
console.log(`| 64 judgements | steps/s | time of a step over ${ours.name}'s | loss before the first step | before step ${steps} |`);
console.log("|---|---|---|---|---|");
for (const { name, times, first, last } of contenders) {
  const rate = 1 / sorted(times)[times.length >> 1];
  const ratio = spread(times.map((time, round) => time / ours.times[round]));
  console.log(`| ${name} | ${rate.toFixed(0)} | ${ratio} | ${first.toFixed(5)} | ${last.toFixed(5)} |`);
}
