import { statSync } from "node:fs";
import { defineConfig } from "vite";

const learningPart = new URL("../npm/dist/full/smooth_clir_bg.wasm", import.meta.url);

/** Nothing of the page can write HTML: D3's `html`, which nobody calls, writes text. */
const withoutHtml = {
  name: "without-html",
  transform: (code: string, id: string) =>
    /d3-selection\.mjs$/.test(id) ? code.replaceAll("innerHTML", "textContent") : undefined,
};

export default defineConfig({
  plugins: [withoutHtml],
  // Any static host, from any sub-path.
  base: "./",
  // Told to whoever waits for it.
  define: { LEARNING_PART_BYTES: statSync(learningPart).size },
  build: {
    target: "es2022",
    // The policy allows no data: scripts, workers or WebAssembly.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  worker: { format: "es" },
});
