import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expectAccessible, expectFits, expectRoomForFingers } from "./everyone";
import { expect, held, openPage, parts, test } from "./page";

const QUERY = "wild animal";
const HASH = `#q=${QUERY.replaceAll(" ", "+")}`;
const ENCODERS = "**/generated/document.*.safetensors";

/** The fine-tune section, as a person would name its parts. */
const finetuning = (page: Page) => {
  const section = page.getByRole("region", { name: "Fine-tune", exact: true });
  const button = (name: string) => section.getByRole("button", { name, exact: true });
  return {
    section,
    run: button("Run"),
    step: button("Step"),
    stop: button("Stop"),
    undo: button("Undo"),
    reset: button("Reset"),
    save: button("Save"),
    forget: button("Delete all feedback"),
    takeOver: button("Take over"),
    feedback: section.locator("#feedback").getByRole("listitem"),
    work: section.locator("#finetune-work"),
    losses: section.locator("#loss-rows tr"),
    beforeAfter: section.getByRole("table", { name: "Before and after" }).getByRole("row"),
    others: section.getByRole("table", { name: "Effect on other searches" }).getByRole("row"),
    notices: section.locator("#finetune-notices"),
  };
};

/** A feedback button of the result at a rank, from 1. */
const judge = (page: Page, rank: number, grade: string) =>
  parts(page).cards.nth(rank - 1).getByRole("button", { name: new RegExp(`^${grade} `) });

/** The list as shown: titles, languages and scores. */
/** The cards' titles, languages and scores, without English titles: the page fills those in later. */
const list = (page: Page) =>
  page
    .locator("#hits .card-head")
    .evaluateAll((heads) =>
      heads.map((head) => ["h3", ".language", ".score"].map((part) => head.querySelector(part)!.textContent).join(" ")),
    );

/** The page with its results, and feedback on the one at rank 8. */
async function openJudged(page: Page, { hold = false } = {}) {
  const opened = await openPage(page, HASH);
  await expect(opened.cards).toHaveCount(10);
  const before = await list(page);
  const title = (await opened.titles.nth(7).textContent()) ?? "";
  await judge(page, 8, "Relevant").click();
  // Without a hold the loss comes to 0, so that a test knows when a run is over.
  await page.getByRole("checkbox", { name: "Stay close" }).setChecked(hold);
  return { ...opened, ...finetuning(page), before, title };
}

async function openTuned(page: Page) {
  const opened = await openJudged(page);
  await opened.run.click();
  await expect(opened.work).toContainText("the loss is 0");
  await expect(opened.titles.first()).toHaveText(opened.title);
  return opened;
}

/** Waits until the browser keeps something for the next visit, or nothing. */
const expectKept = (page: Page, entries: number) =>
  expect
    .poll(() =>
      page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            const opening = indexedDB.open("smooth-clir", 1);
            opening.onupgradeneeded = () => opening.result.createObjectStore("learned");
            opening.onsuccess = () => {
              const count = opening.result.transaction("learned").objectStore("learned").count();
              count.onsuccess = () => {
                opening.result.close();
                resolve(count.result);
              };
            };
          }),
      ),
    )
    .toBe(entries);

test("the eighth result, judged relevant, comes first, and each view shows how", async ({ page }) => {
  const { title, losses, beforeAfter, others, section } = await openTuned(page);
  await expect(judge(page, 1, "Relevant")).toHaveAttribute("aria-pressed", "true");
  await expect(section).toContainText(/\d+ steps: from a loss of 0\.\d+ to 0\./);
  expect(await losses.count()).toBeGreaterThan(5);
  await expect(section).toContainText("The steps ran on the processor (WebAssembly):");
  // A row of headings, and ten.
  await expect(beforeAfter).toHaveCount(11);
  await expect(beforeAfter.nth(1).getByRole("cell").last()).toContainText(title);
  await expect(beforeAfter.nth(1)).toContainText("up 7, from 8");
  await expect(others).toHaveCount(9);
  await expect(others.nth(1)).toContainText(/\d+ of 10(yes|no)/);
  await expect(section).toContainText(/None of these 8 other searches|Of 8 other searches, \d kept their first/);
});

test("before and after are of the search at hand, whatever was searched for first", async ({ page }) => {
  const { query, section, beforeAfter } = await openTuned(page);
  await query.fill("snow in winter");
  await expect(section).toContainText("The first ten for “snow in winter”");
  await expect(beforeAfter).toHaveCount(11);
  await query.fill("");
  await expect(section).toContainText("Search for something");
});

test("close to the loaded model, the judged document comes first and other searches change less", async ({ page }) => {
  const kept = async (hold: boolean) => {
    const { run, work, titles, title, others } = await openJudged(page, { hold });
    await run.click();
    await expect(work).toContainText(hold ? /after 100 steps|100 steps/ : "the loss is 0");
    await expect(titles.first()).toHaveText(title);
    await expect(others).toHaveCount(9);
    const rows = (await others.allTextContents()).slice(1);
    await page.evaluate(() => indexedDB.databases().then((all) => all.forEach(({ name }) => indexedDB.deleteDatabase(name!))));
    return rows.reduce((sum, row) => sum + Number(/(\d+) of 10/.exec(row)![1]), 0);
  };
  const held = await kept(true);
  await page.reload();
  const loose = await kept(false);
  expect(held).toBeGreaterThan(loose);
});

test("a step is one step", async ({ page }) => {
  const { step, work, losses } = await openJudged(page);
  await step.click();
  await expect(work).toHaveText(/^Step 1: loss 0\.\d+\.$/);
  await expect(losses).toHaveCount(1);
  await step.click();
  await expect(work).toHaveText(/^Step 2: /);
  await expect(losses).toHaveCount(2);
});

test("the steps are taken where one wishes, or it is said why not", async ({ page }) => {
  const { step, section } = await openJudged(page);
  const where = section.getByRole("combobox", { name: "Compute on" });
  const device = section.locator("#finetune-device");
  await where.selectOption({ label: "the processor (WebAssembly)" });
  await step.click();
  await expect(device).toHaveText("The steps ran on the processor (WebAssembly): it was requested.");
  await where.selectOption({ label: "the graphics card (WebGPU)" });
  await step.click();
  await expect(device).toHaveText(/^The steps ran on the processor \(WebAssembly\): .*(WebGPU|adapter)/);
});

test("fine-tuning goes on at full speed in a tab that is hidden, whose timers hardly run", async ({ page }) => {
  await page.addInitScript(() => {
    const later = window.setTimeout;
    // What browsers do to a hidden tab, and more.
    Object.assign(window, { setTimeout: (run: () => void, ms = 0) => later(run, ms + 60_000) });
  });
  await page.addInitScript(() => Reflect.deleteProperty(window, "Worker"));
  const { run, work } = await openJudged(page, { hold: true });
  await run.click();
  await expect(work).toContainText("100 steps");
});

test("stop ends a run, and its progress is kept", async ({ page }) => {
  const { run, stop, work, losses, title, titles } = await openJudged(page);
  // The page waits for the searches between the steps: held up, they leave time to press Stop.
  const letOn = await page.evaluateHandle(() => {
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (...message: unknown[]) {
      setTimeout(() => Reflect.apply(post, this, message), 100);
    };
    return () => {
      Worker.prototype.postMessage = post;
    };
  });
  await run.click();
  await expect(work).toHaveText(/^Step \d+: /);
  await stop.click();
  await expect(work).toContainText(/^Stopped after \d+ steps: loss 0\.\d+/);
  const taken = await losses.count();
  expect(taken).toBeLessThan(35);
  await expect(titles.first()).toHaveText(title);
  await letOn.evaluate((letOn) => letOn());
  await run.click();
  await expect(work).toContainText("the loss is 0");
  expect(await losses.count()).toBeGreaterThan(taken);
});

test("undo and reset bring the list back exactly", async ({ page }) => {
  const { step, undo, reset, work, before, save } = await openTuned(page);
  const tuned = await list(page);
  expect(tuned).not.toEqual(before);
  await judge(page, 2, "Not relevant").click();
  await step.click();
  await expect.poll(() => list(page)).not.toEqual(tuned);
  await undo.click();
  await expect(work).toHaveText("Undone.");
  await expect.poll(() => list(page)).toEqual(tuned);
  await reset.click();
  await expect.poll(() => list(page)).toEqual(before);
  await expect(reset).toBeDisabled();
  await expect(save).toBeDisabled();
  await undo.click();
  await expect.poll(() => list(page)).toEqual(tuned);
  // The whole run is one piece.
  await undo.click();
  await expect.poll(() => list(page)).toEqual(before);
  await expect(work).toHaveText("Undone: no change is left to undo.");
  await expect(undo).toBeDisabled();
});

test("a feedback button toggles, belongs to its search, and is listed until it is removed", async ({ page }) => {
  const { query, cards, feedback, section, forget } = await openJudged(page);
  const relevant = judge(page, 8, "Relevant");
  await expect(relevant).toHaveAttribute("aria-pressed", "true");
  await judge(page, 8, "Partly").click();
  await expect(relevant).toHaveAttribute("aria-pressed", "false");
  await expect(feedback).toHaveCount(1);
  await expect(feedback).toContainText(`${QUERY} → `);
  await expect(feedback).toContainText("Partly");
  await judge(page, 8, "Partly").click();
  await expect(feedback).toHaveCount(0);
  await expect(section).toContainText("Nothing is sent");
  await relevant.click();
  await query.fill("snow");
  await expect(cards.getByRole("button", { pressed: true })).toHaveCount(0);
  await judge(page, 1, "Not relevant").click();
  await expect(feedback).toHaveCount(2);
  await feedback.first().getByRole("button").click();
  await expect(feedback).toHaveCount(1);
  await expect(feedback.getByRole("button")).toBeFocused();
  await forget.click();
  await expect(feedback).toHaveCount(0);
  await expect(cards.getByRole("button", { pressed: true })).toHaveCount(0);
  await expect(section).toBeFocused();
});

test("feedback and fine-tuning can be done by keyboard, and the focus is never lost", async ({ page }) => {
  const { title, work, titles, undo, step } = await openJudged(page);
  await judge(page, 8, "Relevant").focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(judge(page, 8, "Not relevant")).toBeFocused();
  await page.getByRole("link", { name: "Fine-tune the model" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("#finetune")).toBeFocused();
  await expect(page).toHaveURL(/#q=wild/);
  const focused = (button: typeof step) => button.evaluate((one) => one === document.activeElement);
  while (!(await focused(step))) await page.keyboard.press("Tab");
  for (let press = 0; press < 6; press++) {
    await expect(step).toBeEnabled();
    await page.keyboard.press("Enter");
    await expect(work).toHaveText(new RegExp(`^Step ${press + 1}: `));
    await expect(step).toBeFocused();
  }
  await expect(titles.first()).toHaveText(title);
  while (!(await focused(undo))) await page.keyboard.press("Tab");
  for (let press = 0; press < 6; press++) {
    await expect(undo).toBeEnabled();
    await page.keyboard.press("Space");
  }
  await expect(work).toHaveText("Undone: no change is left to undo.");
  await expect(undo).toBeFocused();
});

test("fine-tuning is there on the next visit, until it is reset", async ({ page }) => {
  const { reset, notices, work, before } = await openTuned(page);
  const tuned = await list(page);
  await expectKept(page, 1);
  await page.reload();
  await expect(notices).toContainText("Your earlier fine-tuning of this model is in use");
  await expect.poll(() => list(page)).toEqual(tuned);
  await notices.getByRole("button", { name: "Reset it" }).click();
  await expect.poll(() => list(page)).toEqual(before);
  await expect(work).toContainText("The model is as it was loaded");
  await expect(reset).toBeDisabled();
  await expectKept(page, 0);
  await page.reload();
  await expect(parts(page).cards).toHaveCount(10);
  expect(await list(page)).toEqual(before);
});

test("another tab is told of what is newer, and takes it over when asked", async ({ page, context }) => {
  const other = await context.newPage();
  const opened = await openPage(other, HASH);
  await expect(opened.cards).toHaveCount(10);
  await openTuned(page);
  const { notices, takeOver, undo } = finetuning(other);
  await expect(notices).toContainText("Another tab has newer fine-tuning");
  expect(await list(other)).not.toEqual(await list(page));
  await takeOver.click();
  await expect(notices).toBeEmpty();
  expect(await list(other)).toEqual(await list(page));
  // Taking over is no news to the tab that fine-tuned.
  await expect(finetuning(page).notices).toBeEmpty();
  await undo.click();
  await expect(finetuning(page).notices).toContainText("Another tab has newer fine-tuning");
});

for (const [what, script] of [
  ["missing", () => Reflect.deleteProperty(window, "indexedDB")],
  [
    "refused",
    () => {
      IDBFactory.prototype.open = () => {
        throw new DOMException("not in this window", "SecurityError");
      };
    },
  ],
  [
    "full",
    () => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException("no room", "QuotaExceededError");
      };
    },
  ],
] as const) {
  test(`with storage that is ${what} it fine-tunes all the same, and says that nothing is kept`, async ({ page }) => {
    await page.addInitScript(script);
    const { notices } = await openTuned(page);
    await expect(notices).toContainText("This browser does not store the fine-tuning");
  });
}

test("a stored fine-tuning that does not fit the model is deleted, in words", async ({ page }) => {
  const { title } = await openTuned(page);
  await expectKept(page, 1);
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open("smooth-clir");
        opening.onsuccess = () => {
          const store = opening.result.transaction("learned", "readwrite").objectStore("learned");
          const cursor = store.openCursor();
          cursor.onsuccess = () => {
            const change = cursor.result?.update({ learned: new Uint8Array(9), languages: [] });
            if (change) change.onsuccess = () => (opening.result.close(), resolve());
          };
        };
      }),
  );
  await page.reload();
  const { notices, run } = finetuning(page);
  await expect(notices).toContainText(/does not fit this model and was deleted: .*\(not-safetensors\)/);
  await expect(finetuning(page).work).not.toContainText("did not work");
  await expectKept(page, 0);
  await expect(parts(page).cards).toHaveCount(10);
  await judge(page, 8, "Relevant").click();
  await run.click();
  await expect(parts(page).titles.first()).toHaveText(title);
});

test("nothing that fine-tuning needs is fetched before its first step, and then once", async ({ page }) => {
  const requested: string[] = [];
  page.on("request", (request) => requested.push(new URL(request.url()).pathname.replace(/.*\//, "")));
  const forTuning = () => requested.filter((name) => /^document\.|^full-engine/.test(name));
  const modules = () => requested.filter((name) => name.endsWith(".wasm"));
  const { run, step, work } = await openJudged(page);
  expect(forTuning()).toEqual([]);
  // The one that searches, and the one behind the pictures.
  expect(modules().length).toBeLessThanOrEqual(2);
  await run.click();
  await expect(work).toContainText("the loss is 0");
  await step.click();
  await expect(work).toContainText("the loss is 0");
  expect(forTuning().filter((name) => name.startsWith("full-engine"))).toHaveLength(1);
  const encoders = forTuning().filter((name) => name.startsWith("document."));
  expect(encoders).toEqual(["document.fr.safetensors"]);
});

test("a document encoder that does not come is told in words, and trying again works", async ({ page }) => {
  await page.route(ENCODERS, (route) => route.fulfill({ status: 404, body: "" }));
  const { run, work, cards } = await openJudged(page);
  await run.click();
  await expect(work).toHaveText(/did not work: .*document\.\w+\.safetensors.*404.*\(http-status\)/);
  await expect(work).toHaveRole("alert");
  await expect(cards).toHaveCount(10);
  await page.unroute(ENCODERS);
  await run.click();
  await expect(work).toContainText("the loss is 0");
});

for (const [what, address] of [
  ["program", "**/assets/full-engine-*.js"],
  ["module", "**/assets/*.wasm"],
] as const) {
  test(`a fine-tuning module whose ${what} does not come is told in words, and searching goes on`, async ({ page, complaints }) => {
    const { run, work, query, cards } = await openJudged(page);
    await page.route(address, (route) => route.fulfill({ status: 404, body: "" }));
    await run.click();
    await expect(work).toHaveText(/did not work: .*\(part-failed\)/);
    await query.fill("snow");
    await expect(cards).toHaveCount(10);
    await page.unroute(address);
    await run.click();
    await expect(work).toContainText("the loss is 0");
    complaints.length = 0;
  });
}

test("fetching is shown, and can be stopped and taken up again", async ({ page }) => {
  const release = await held(page, ENCODERS);
  const { run, stop, work } = await openJudged(page);
  await run.click();
  await expect(work).toContainText("Fetching");
  await stop.click();
  await expect(work).toHaveText("Stopped.");
  release();
  await run.click();
  await expect(work).toContainText("the loss is 0");
});

test("an engine that stops takes nothing with it: after Retry it has its fine-tuning", async ({ page }) => {
  const { notices, before } = await openTuned(page);
  const tuned = await list(page);
  await page.evaluate(() => {
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (...message: unknown[]) {
      Worker.prototype.postMessage = post;
      this.dispatchEvent(new ErrorEvent("error", { message: "out of luck" }));
      Reflect.apply(post, this, message);
    };
  });
  const { retry, number } = parts(page);
  await number.fill("0.4");
  await retry.click();
  await number.fill("0.5");
  await expect(notices).toContainText("Your earlier fine-tuning of this model is in use");
  await expect.poll(() => list(page)).toEqual(tuned);
  expect(tuned).not.toEqual(before);
});

test("the fine-tuned model is saved as a file, and the page tells what rounding it cost", async ({ page }) => {
  const { save, work } = await openTuned(page);
  const [file] = await Promise.all([page.waitForEvent("download"), save.click()]);
  expect(file.suggestedFilename()).toBe("smooth-clir-model.safetensors");
  const bytes = await readFile(await file.path());
  const length = Number(bytes.readBigUInt64LE(0));
  const header = JSON.parse(bytes.subarray(8, 8 + length).toString());
  expect(Object.keys(header)).toContain("document.sw.embedding");
  expect(Object.keys(header)).toContain("document.fr.embedding");
  await expect(work).toContainText(/^Saved\. Its weights are rounded .*: by at most 0\.\d+, 0\.\d+ on average/);
});

for (const scheme of ["light", "dark"] as const) {
  for (const width of [1280, 390]) {
    test(`axe finds nothing in ${scheme} colours at ${width} px after fine-tuning`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      await page.setViewportSize({ width, height: 900 });
      await openTuned(page);
      await page.getByText("The losses as numbers").click();
      await expectAccessible(page);
    });
  }
}

test("at 320 px nothing scrolls sideways, and what a finger presses is at least 44 px high", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const { section } = await openTuned(page);
  await page.getByText("The losses as numbers").click();
  await expectFits(page);
  const inner = await section.evaluate((one) => one.scrollWidth - one.clientWidth);
  expect(inner).toBeLessThanOrEqual(0);
  await expectRoomForFingers(page.locator("#finetune button:visible, #hits button:visible, #finetune summary:visible, #finetune-link"));
});
