// The package and the page in the browser that a WebDriver server at WEBDRIVER drives, of any kind.
import assert from "node:assert/strict";
import { mkdtemp, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { By, Capabilities, Key, WebDriver } from "selenium-webdriver";
import { Executor, HttpClient } from "selenium-webdriver/http/index.js";
import { SmoothClir } from "smooth-clir";
import { serve } from "../static-host.mjs";

const PAGE = fileURLToPath(new URL("../../www/dist", import.meta.url));
const PACKAGE = fileURLToPath(new URL("../../npm/dist", import.meta.url));
const generated = (name) => join(PAGE, "generated", name);
const LANGUAGES = ["fr", "it", "sw", "tl"];
const QUERY = "rain over the mountains";
const VIEWS = ["search", "learn", "maps", "descent", "losses", "metrics", "training", "theory", "documents", "lessons"];
// What the page complains of is kept by a file of its own: the page's policy allows no other code.
const COMPLAINTS = `
  window.complaints = [];
  addEventListener("error", ({ message }) => complaints.push(message));
  addEventListener("unhandledrejection", ({ reason }) => complaints.push(String(reason)));
  document.addEventListener("securitypolicyviolation", (event) =>
    complaints.push(event.violatedDirective + " " + event.blockedURI));
  if (localStorage.getItem("smooth-clir model") === null) localStorage.setItem("smooth-clir model", "paper");`;

let driver;
const ended = [];

/** A host of a folder's files, and others beside them or instead. */
async function host(folder, others) {
  const own = await mkdtemp(join(tmpdir(), "smooth-clir-"));
  const names = (await readdir(folder)).filter((name) => !(name in others));
  await Promise.all(names.map((name) => symlink(join(folder, name), join(own, name))));
  await Promise.all(Object.entries(others).map(([name, text]) => writeFile(join(own, name), text)));
  const served = await serve("/", { folder: own });
  ended.push(() => served.close(), () => rm(own, { recursive: true }));
  return served.url;
}

/** Runs an asynchronous function in the page; what it gives back is JSON. */
async function inPage(act, ...given) {
  const [result, problem] = await driver.executeAsyncScript(
    `const [act, given, done] = [${act}, arguments[0], arguments[1]];
    act(...given).then((result) => done([result]), (error) => done([null, String(error)]));`,
    given,
  );
  if (problem !== undefined) throw new Error(problem);
  return result;
}

/** Waits until the page says what is expected. */
async function says(act, expected, ...given) {
  await driver.wait(async () => JSON.stringify(await driver.executeScript(act, ...given)) === JSON.stringify(expected), 60_000)
    .catch(async () => assert.deepEqual(await driver.executeScript(act, ...given), expected));
}

before(async () => {
  const capabilities = new Capabilities(JSON.parse(process.env.WEBDRIVER_CAPABILITIES ?? "{}"));
  driver = await WebDriver.createSession(new Executor(new HttpClient(process.env.WEBDRIVER)), capabilities);
  await driver.manage().setTimeouts({ script: 120_000, pageLoad: 120_000 });
  const about = await driver.getCapabilities();
  console.log(`# ${about.get("browserName")} ${about.get("browserVersion")}`);
});

after(async () => {
  await driver?.quit();
  for (const end of ended) await end();
});

describe("the package", () => {
  const sides = ["query", ...LANGUAGES.map((language) => `document.${language}`)];
  const model = sides.map((side) => `${side}.safetensors`);
  const documents = LANGUAGES.map((language) => `documents/${language}/demo.safetensors`);
  // A driver may not write all digits of a number: those of 32 bits are told apart by fewer.
  const shown = ({ id, language, ...numbers }) => [
    id,
    language,
    ...["score", "dot", "documentNorm"].map((name) => Math.fround(numbers[name])),
  ];
  let expected;
  let given;

  before(async () => {
    const engine = await SmoothClir.load({ model: model.map(generated), documents: documents.map(generated), device: "cpu" });
    const found = await engine.search(QUERY);
    const judgement = { query: QUERY, document: found[3].id, grade: 2 };
    await engine.learn([judgement]);
    expected = { found: found.map(shown), judgement, learned: (await engine.search(QUERY)).map(shown) };
    engine.close();
    const files = await serve("/", { folder: PAGE, headers: { "access-control-allow-origin": "*" } });
    ended.push(() => files.close());
    const address = (name) => `${files.url}generated/${name}`;
    given = { model: model.map(address), documents: documents.map(address) };
    const others = {
      "index.html": '<!doctype html><script type="module" src="global.js"></script>',
      "global.js": 'import { SmoothClir } from "./index.js"; Object.assign(window, { SmoothClir });',
    };
    await driver.get(await host(PACKAGE, others));
    await says("return typeof window.SmoothClir", "function");
  });

  for (const worker of [true, false]) {
    test(`ranks and learns with Node's bits ${worker ? "in a worker" : "on the page"}`, async () => {
      const result = await inPage(
        async (given, query, judgement) => {
          const engine = await window.SmoothClir.load(given);
          const found = await engine.search(query);
          await engine.learn([judgement]);
          const learned = await engine.search(query);
          await engine.undo();
          const undone = await engine.search(query);
          engine.close();
          return { found, learned, undone };
        },
        { ...given, worker, device: "cpu" },
        QUERY,
        expected.judgement,
      );
      assert.deepEqual(result.found.map(shown), expected.found);
      assert.deepEqual(result.learned.map(shown), expected.learned);
      assert.deepEqual(result.undone.map(shown), expected.found);
    });
  }
});

describe("the page", () => {
  let url;

  /** Opens the page as a visitor of the state that an address has. */
  async function open(hash) {
    await driver.get("about:blank");
    await driver.get(url + hash);
  }

  before(async () => {
    const page = await readFile(join(PAGE, "index.html"), "utf8");
    url = await host(PAGE, {
      "index.html": page.replace("<head>", '<head><script src="complaints.js"></script>'),
      "complaints.js": COMPLAINTS,
      "frame.html": '<!doctype html><iframe title="page" style="border: 0; width: 320px; height: 600px"></iframe>',
    });
  });

  test("ranks what is typed as the package does in Node, and turns epsilon by keyboard", async () => {
    const engine = await SmoothClir.load({
      model: generated("query.safetensors"),
      documents: LANGUAGES.map((language) => generated(`documents/${language}/demo.safetensors`)),
    });
    const titles = (await engine.search(QUERY)).map(({ title }) => title);
    engine.close();
    await open("");
    const query = await driver.wait(async () => (await driver.findElements(By.css("input[type=search]")))[0], 60_000);
    await driver.wait(() => query.isEnabled(), 60_000);
    await query.sendKeys(QUERY);
    const shown = "return [...document.querySelectorAll('#hits h3')].map((title) => title.textContent)";
    await says(shown, titles);
    const slider = await driver.findElement(By.css("input[type=range]"));
    const before = await slider.getAttribute("aria-valuetext");
    await slider.sendKeys(Key.HOME);
    await says("return arguments[0].getAttribute('aria-valuetext') !== arguments[1]", true, slider, before);
    assert.deepEqual(await driver.executeScript("return window.complaints"), []);
  });

  for (const view of VIEWS) {
    test(`shows the view ${view}, fits into 320 px and has nothing that axe finds`, async () => {
      await driver.manage().window().setRect({ width: 1280, height: 900 });
      const hash = `#view=${view}&q=rain`;
      await open(hash);
      const main = view === "search" ? "#hits li" : `.view-${view} h2`;
      await says("return document.querySelector(arguments[0])?.checkVisibility() ?? false", true, main);
      await driver.executeScript(await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
      const violations = await inPage(async () =>
        (await window.axe.run()).violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target)}`),
      );
      assert.deepEqual(violations, []);
      assert.deepEqual(await driver.executeScript("return window.complaints"), []);
      // A window may not be as narrow as a telephone: a frame may.
      await driver.get(`${url}frame.html`);
      const width = await inPage(async (hash) => {
        const frame = document.querySelector("iframe");
        frame.src = `./${hash}`;
        const there = () => frame.contentDocument?.querySelector("#hits li, .view h2");
        while (!there()) await new Promise((resolve) => setTimeout(resolve, 100));
        return frame.contentDocument.documentElement.scrollWidth;
      }, hash);
      assert.ok(width <= 320, `${width} px`);
    });
  }
});
