import { existsSync } from "node:fs";
import { defineConfig } from "@playwright/test";

const port = Number(process.env.PORT ?? 4317);

// Debian's build of Chromium without windows: those of a whole Chromium render pages of their own for each test.
const shell = process.env.HEADLESS_SHELL ?? "/usr/bin/chromium-headless-shell";
const executablePath = existsSync(shell) ? shell : (process.env.CHROMIUM ?? "/usr/bin/chromium");
const args = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

// Chromium where nothing else is said; "firefox" and "webkit" are Playwright's own (npx playwright install).
const other = process.env.BROWSER as "firefox" | "webkit" | undefined;

export default defineConfig({
  testDir: "tests/page",
  outputDir: "tests/page/results",
  fullyParallel: true,
  // A browser a core, where Playwright's own default is half of that.
  workers: "100%",
  forbidOnly: Boolean(process.env.CI),
  reporter: "list",
  // Machines that test are slow at times; what waits for nothing is still seen soon.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  use: {
    baseURL: `http://127.0.0.1:${port}/`,
    browserName: "chromium",
    // Tests stand between the page and its network; offline.spec.ts lets one in.
    serviceWorkers: "block",
    // TRACE=1 keeps the traces of tests that fail. Recording one takes a quarter of a test's time.
    trace: process.env.TRACE ? "retain-on-failure" : "off",
  },
  projects: other ? [{ name: other, grepInvert: /@webgpu/, use: { browserName: other } }] : [
    { name: "plain", grepInvert: /@webgpu/, use: { launchOptions: { executablePath, args } } },
    {
      name: "webgpu",
      grep: /@webgpu/,
      use: {
        launchOptions: {
          executablePath,
          args: [...args, "--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader"],
        },
      },
    },
  ],
  webServer: {
    command: `node_modules/.bin/sirv www/dist --host 127.0.0.1 --port ${port} --quiet`,
    port,
    reuseExistingServer: false,
  },
});
