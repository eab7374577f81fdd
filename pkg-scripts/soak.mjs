// Queries without end in one tab, and how its memory grows: node pkg-scripts/soak.mjs [QUERIES], a million where not told.
// Reads /proc: Linux only. Fails if the tab has grown by more than a twentieth from the second quarter of the queries to the
// last: the mean of each, as memory that is free is not given back at once.
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { memoryOfTab } from "../benches/tab.mjs";
import { serve } from "../tests/static-host.mjs";

const queries = Number(process.argv[2] ?? 1_000_000);
const parts = 20;
const folder = (path) => fileURLToPath(new URL(path, import.meta.url));
const site = await mkdtemp(join(tmpdir(), "smooth-clir-soak-"));
await symlink(folder("../npm/dist"), join(site, "package"));
await symlink(folder("../www/public/generated"), join(site, "generated"));
await writeFile(join(site, "index.html"), "<!doctype html>");
const host = await serve("/", { folder: site });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ["--no-sandbox"],
});
const page = await browser.newPage();
await page.goto(host.url);
await page.evaluate(async () => {
  const address = "./package/index.js";
  const { SmoothClir } = await import(address);
  const [model, documents] = ["generated/models/query.safetensors", ["fr", "it", "sw", "tl"].map((language) => `generated/documents/${language}/full.safetensors`)];
  window.engine = await SmoothClir.load({ model, documents, worker: true });
  await window.engine.fetchTexts();
});

console.log("queries\tseconds\tMB of the tab");
const memories = [];
const begun = Date.now();
for (let part = 1; part <= parts; part++) {
  await page.evaluate(
    async ({ part, count }) => {
      // Words of the corpus, misspelt ones, ones that nobody knows; from one to a dozen of them.
      const words = "rain over the mountains boat lake bread salt river children school music heart moutnain riverr xqzt 42 déjà".split(" ");
      let state = part * 7919;
      const draw = (below) => (state = (state * 48271) % 2147483647) % below;
      for (let number = 0; number < count; number++) {
        const query = Array.from({ length: 1 + draw(12) }, () => words[draw(words.length)]).join(" ");
        await window.engine.search(query, { limit: 1 + draw(20), epsilon: draw(10) / 10 });
      }
    },
    { part, count: queries / parts },
  );
  const memory = await memoryOfTab();
  memories.push(memory);
  console.log(`${(queries / parts) * part}\t${Math.round((Date.now() - begun) / 1000)}\t${memory.toFixed(1)}`);
}
const quarter = parts / 4;
const mean = (from) => memories.slice(from, from + quarter).reduce((sum, one) => sum + one) / quarter;
const [early, late] = [mean(quarter), mean(parts - quarter)];
console.log(`mean of the second quarter ${early.toFixed(1)} MB, of the last ${late.toFixed(1)} MB`);
if (late > early * 1.05) {
  console.error("error: the tab grew");
  process.exitCode = 1;
}
await browser.close();
host.close();
await rm(site, { recursive: true });
