import { defineConfig } from "vite";

export default defineConfig({
  // Any static host, from any sub-path.
  base: "./",
  build: {
    target: "es2022",
    // The policy allows no data: scripts, workers or WebAssembly.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  worker: { format: "es" },
});
