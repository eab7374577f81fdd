import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expectAccessible, expectFits, expectRoomForFingers } from "./everyone";
import { expect, openPage, test } from "./page";

const HEADINGS = {
  explosion: "Why cosine explodes near zero",
  bound: "What epsilon does",
  cost: "What epsilon costs",
  order: "How rankings move",
  loss: "What a loss does to scores",
  training: "Training, step by step",
};

/** A section of the argument, as a reader would name its parts. */
const sectionOf = (page: Page, name: keyof typeof HEADINGS) => {
  const root = page.getByRole("region", { name: HEADINGS[name], exact: true });
  return {
    root,
    prediction: root.locator(".prediction").getByRole("slider"),
    show: root.getByRole("button", { name: "Show the answer" }),
    again: root.getByRole("button", { name: "Predict again" }),
    outcome: root.locator(".learn-outcome"),
    sentence: root.locator(".figure-summary"),
    slider: (label: string) => root.getByRole("slider", { name: label, exact: true }),
    picture: root.getByRole("img").first(),
    line: (series: number) => root.locator(`.figure-plot > .line-chart .chart > svg .line.series-${series}`),
  };
};

/** Numbers of a sentence, in their order. */
const numbers = (sentence: string) => [...sentence.matchAll(/−?\d[\d,]*(\.\d+)?/g)].map(([text]) => Number(text.replaceAll(",", "").replace("−", "-")));

/** Smooth cosine similarity of two vectors that point the same way. */
const aligned = (q: number, d: number, epsilon: number) => (q * d) / ((q + epsilon) * (d + epsilon));

async function open(page: Page, hash = "") {
  await page.emulateMedia({ reducedMotion: "reduce" });
  return openPage(page, `#view=learn${hash}`);
}

test("the argument has six figures in order, and each asks before it shows", async ({ page }) => {
  await open(page);
  const view = page.locator(".view-learn");
  await expect(view.locator(".learn-heading")).toHaveText(Object.values(HEADINGS));
  await expect(view.getByRole("button", { name: "Show the answer" })).toHaveCount(6);
  await expect(view.locator(".learn-outcome:visible")).toHaveCount(0);
  await expect(view.locator(".learn-controls:visible")).toHaveCount(0);
});

test("near zero cosine's first step is rate / |q|, and the prediction's distance from it is said", async ({ page }) => {
  await open(page);
  const { prediction, show, again, outcome, sentence, slider, line } = sectionOf(page, "explosion");
  const step = 0.1 / 0.001;
  await prediction.focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  const said = Number(await prediction.getAttribute("aria-valuetext"));
  const before = await line(1).getAttribute("d");
  await show.press("Enter");
  const [predicted, truth, factor] = numbers((await outcome.textContent())!);
  expect([predicted, truth]).toEqual([said, step]);
  expect(Math.abs(factor! / (step / said) - 1)).toBeLessThan(0.02);
  await expect(line(1)).not.toHaveAttribute("d", before!);
  await slider("Length of q").fill("-20");
  expect(numbers((await sentence.textContent())!).slice(0, 3)).toEqual([0.01, 1 / 0.01, 0.1 / 0.01]);
  await again.press("Enter");
  await expect(outcome).toBeHidden();
  await expect(line(1)).toHaveAttribute("d", before!);
});

test("the longest gradient is |d| / ((|d| + ε) ε), below 1/ε, at every ε of the slider", async ({ page }) => {
  await open(page);
  const { show, outcome, sentence, slider } = sectionOf(page, "bound");
  const exact = (epsilon: number) => 1 / ((1 + epsilon) * epsilon);
  await expect(sentence).toContainText(exact(0.5).toFixed(2));
  await show.click();
  expect(numbers((await outcome.textContent())!)[0]).toBeCloseTo(exact(0.05), 1);
  for (const place of ["-40", "-20", "0"]) {
    await slider("Epsilon").fill(place);
    const epsilon = Number(await slider("Epsilon").getAttribute("aria-valuetext"));
    const told = numbers((await sentence.textContent())!);
    expect(told[0]).toBe(epsilon);
    for (const [value, expected] of [[told[1]!, exact(epsilon)], [told.at(-1)!, 1 / epsilon]] as const) {
      expect(Math.abs(value / expected - 1)).toBeLessThan(0.005);
    }
  }
});

test("a document with cosine 1 scores a quarter at ε = 1, and a longer one more", async ({ page }) => {
  await open(page);
  const { prediction, show, outcome, sentence, slider } = sectionOf(page, "cost");
  await prediction.fill("0.8");
  await show.click();
  const truth = aligned(1, 1, 1);
  await expect(outcome).toHaveText(`You predicted 0.80. It is ${truth}: your prediction was ${(0.8 - truth).toFixed(2)} too high.`);
  await slider("Epsilon").fill("2");
  await slider("Length of the second document").fill("4");
  await expect(sentence).toContainText(`scores ${aligned(1, 1, 2).toFixed(2)}`);
  await expect(sentence).toContainText(`scores ${aligned(1, 4, 2).toFixed(2)}`);
});

test("a point of the chart is the prediction too: it follows the pointer", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await open(page);
  const { root, prediction, show, outcome } = sectionOf(page, "cost");
  const chart = root.locator(".chart").first();
  await chart.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await chart.boundingBox())!;
  await page.mouse.move(x + width / 2, y + height / 4);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + height / 2);
  await page.mouse.up();
  const said = Number(await prediction.inputValue());
  expect(said).toBeGreaterThan(0.4);
  expect(said).toBeLessThan(0.8);
  await show.click();
  await expect(outcome).toContainText(`You predicted ${said.toFixed(2)}.`);
  // What is told is no prediction any more.
  await page.mouse.click(x + width / 2, y + height / 3);
  await expect(outcome).toContainText(`You predicted ${said.toFixed(2)}.`);
});

test("a finger drags the point alone, and scrolls the page elsewhere", async ({ browser, baseURL }) => {
  const context = await browser.newContext({ hasTouch: true, viewport: { width: 390, height: 800 } });
  const page = await context.newPage();
  await page.goto(`${baseURL}#view=learn`);
  const { root, prediction } = sectionOf(page, "cost");
  const handle = root.locator(".dot-handle");
  await expect(handle).toHaveCSS("touch-action", "none");
  expect((await handle.boundingBox())!.height).toBeGreaterThanOrEqual(44);
  const before = await prediction.inputValue();
  const chart = root.locator(".chart").first();
  await chart.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await chart.boundingBox())!;
  await page.touchscreen.tap(x + 0.8 * width, y + height / 2);
  expect(await prediction.inputValue()).toBe(before);
  await context.close();
});

test("documents of the page's query are ranked by q·d / (|d| + ε), and change places at their swap points", async ({ page }) => {
  await open(page, "&q=rain+over+the+mountains");
  const { root, show, outcome, sentence, slider } = sectionOf(page, "order");
  await expect(root).toContainText("rain over the mountains");
  const choices = root.getByRole("radio");
  await expect(choices.first()).toBeVisible();
  const names = await root.locator(".prediction .chip").allTextContents();
  await choices.last().check();
  await show.click();
  await expect(outcome).toContainText(names.at(-1)!);
  const listed = root.getByRole("list").filter({ hasText: "(" }).locator("li");
  const order = async () => (await root.locator(".learn-order li").allTextContents()).map((one) => one.replace(/ [\d.e−]+$/, ""));
  await expect(listed.first()).toBeVisible();
  expect((await order()).toSorted()).toEqual(names.toSorted());
  await expect(sentence).toContainText(`${(await order())[0]} is first`);
  // Each swap point names itself; on both of its sides the two documents stand in opposite orders.
  const swaps = (await root.locator(".chart .dot title").allTextContents()).map((title) => /^ε = ([\d.]+): (.+) passes (.+)$/.exec(title)!);
  expect(swaps.length).toBeGreaterThan(0);
  await expect(sentence).toContainText(swaps.length === 1 ? "1 swap point," : `${swaps.length} swap points`);
  const place = (epsilon: number) => String(Math.round(16 * Math.log10(epsilon)));
  for (const [, at, rising, falling] of swaps) {
    for (const [factor, first, second] of [[0.8, falling, rising], [1.25, rising, falling]] as const) {
      await slider("Epsilon").fill(place(Number(at) * factor));
      const now = await order();
      expect(now.indexOf(first!)).toBeLessThan(now.indexOf(second!));
    }
  }
});

test("without a model the figures of the plane are there, and the one of documents says what it waits for", async ({ page }) => {
  await page.route("**/generated/query.safetensors*", (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto("./#view=learn");
  await expect(sectionOf(page, "bound").picture).toBeVisible();
  await expect(sectionOf(page, "order").root).toContainText("It comes as soon as the model is loaded");
  await expect(sectionOf(page, "order").show).toBeHidden();
  await sectionOf(page, "training").show.click();
  await expect(sectionOf(page, "training").root).toContainText("as soon as the model is loaded");
});

test("mean square error pulls a score to its interval's middle, SOSL only up to the threshold", async ({ page }) => {
  await open(page);
  const { prediction, show, outcome, sentence, slider } = sectionOf(page, "loss");
  // Gradient descent on (r - middle)², and on the squared distance to the interval.
  const [threshold, middle, rate, steps] = [0.7, (0.7 + 1) / 2, 0.1, 30];
  const after = (start: number, slope: (r: number) => number) => {
    let score = start;
    for (let step = 0; step < steps; step++) score -= rate * slope(score);
    return score.toFixed(2);
  };
  const mse = (start: number) => after(start, (r) => 2 * (r - middle));
  const sosl = (start: number) => after(start, (r) => 2 * Math.min(r - threshold, 0));
  await prediction.fill("0.86");
  await show.click();
  await expect(outcome).toHaveText(`You predicted 0.86. It is ${mse(0.95)}: very close.`);
  await expect(sentence).toContainText(`SOSL leaves the score at ${sosl(0.95)}`);
  await slider("Score at the start").fill("0.1");
  await expect(sentence).toContainText(`SOSL raises the score to ${sosl(0.1)}`);
  await expect(sentence).toContainText(`pulls on to ${mse(0.1)}`);
});

test("the training is a real one, and its scores part", async ({ page }) => {
  await open(page);
  const { root, show, outcome, sentence, slider } = sectionOf(page, "training");
  await expect(sentence).toContainText("Nothing is trained yet");
  await show.click();
  await expect(outcome).toBeVisible();
  const [steps, seen, unseen, irrelevant] = numbers((await sentence.textContent())!);
  expect(steps).toBe(400);
  expect(seen!).toBeGreaterThan(unseen!);
  expect(unseen!).toBeGreaterThan(irrelevant!);
  expect(numbers((await outcome.textContent())!)[0]).toBe(seen);
  await slider("Steps shown").fill("0");
  // Random vectors.
  const [, ...first] = numbers((await sentence.textContent())!);
  for (const mean of first) expect(Math.abs(mean)).toBeLessThan(0.05);
  await expect(root.getByRole("alert")).toHaveCount(0);
});

/** Goes to a view by the menu, and where an entry has several by the menu below it. */
async function goTo(page: Page, entry: string, view?: string) {
  await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: entry, exact: true }).click();
  if (view) await page.getByRole("navigation", { name: entry, exact: true }).getByRole("link", { name: view, exact: true }).click();
}

test("a training here leaves that of the training view as it is", async ({ page }) => {
  await open(page);
  const { show, outcome } = sectionOf(page, "training");
  await goTo(page, "Lab", "Training");
  const status = page.locator(".training-status");
  const one = page.getByRole("button", { name: "One step" });
  await one.click();
  await expect(status).toContainText("Step 1,");
  await goTo(page, "Learn");
  await show.click();
  await expect(outcome).toBeVisible();
  // The menu leads back to where the lab was left.
  await goTo(page, "Lab");
  await one.click();
  await expect(status).toContainText("Step 2,");
});

test("a figure leads to its view in the lab, with its settings", async ({ page }) => {
  const { number } = await open(page, "&told=bound&kb=0.2");
  await sectionOf(page, "bound").root.getByRole("link", { name: "Go further in the lab: Gradients" }).click();
  await expect(page.locator(".view-maps")).toBeVisible();
  await expect(number).toHaveValue("0.2");
  await expect(page.getByRole("radio", { name: "Length" })).toBeChecked();
});

test("numbers and pictures of a figure can be saved", async ({ page }) => {
  await open(page, "&told=cost");
  const { root } = sectionOf(page, "cost");
  const download = page.waitForEvent("download");
  await root.getByRole("button", { name: "CSV" }).click();
  const [, ...rows] = (await readFile(await (await download).path(), "utf8")).trim().split("\r\n");
  for (const [epsilon, one, three] of rows.map((row) => row.split(",").map(Number))) {
    expect(one).toBeCloseTo(aligned(1, 1, epsilon!), 5);
    expect(three).toBeCloseTo(aligned(1, 3, epsilon!), 5);
  }
  for (const kind of ["SVG", "PNG"]) {
    const saved = page.waitForEvent("download");
    await root.getByRole("button", { name: kind }).click();
    expect((await saved).suggestedFilename()).toBe(`learn-cost.${kind.toLowerCase()}`);
  }
});

test.describe("for a class", () => {
  test("presenting by keyboard: one figure a screen, Enter shows the answer, arrows go on, Escape leaves", async ({ page }) => {
    await page.addInitScript(() => {
      const request = Element.prototype.requestFullscreen;
      Element.prototype.requestFullscreen = function (...given) {
        document.documentElement.dataset["asked"] = "fullscreen";
        return request.apply(this, given);
      };
    });
    await open(page);
    const present = page.getByRole("button", { name: "Present the figures" });
    await present.press("Enter");
    await expect(page.locator("html")).toHaveAttribute("data-asked", "fullscreen");
    const bar = page.getByRole("navigation", { name: "Presentation" });
    const shown = page.locator(".learn-section:visible");
    await expect(shown).toHaveCount(1);
    await expect(bar).toContainText("1 of 6");
    await expect(page.getByRole("heading", { level: 1 })).toBeHidden();
    await expect(page.getByRole("navigation", { name: "Views" })).toBeHidden();
    await expect(page.getByRole("contentinfo")).toBeHidden();
    await expect(sectionOf(page, "explosion").show).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(sectionOf(page, "explosion").outcome).toHaveText("It is 100.");
    await page.keyboard.press("ArrowRight");
    await expect(bar).toContainText("2 of 6");
    await expect(sectionOf(page, "bound").show).toBeFocused();
    await page.keyboard.press("Space");
    await expect(sectionOf(page, "bound").outcome).toBeVisible();
    await expect(page).toHaveURL(/present=2/);
    // In a slider arrows move the slider.
    const { slider } = sectionOf(page, "bound");
    await slider("Epsilon").focus();
    const before = await slider("Epsilon").inputValue();
    await page.keyboard.press("ArrowRight");
    expect(await slider("Epsilon").inputValue()).not.toBe(before);
    await expect(bar).toContainText("2 of 6");
    await bar.getByRole("button", { name: "Next" }).focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await expect(bar).toContainText("1 of 6");
    await page.keyboard.press("Escape");
    await expect(bar).toBeHidden();
    await expect(page.getByRole("navigation", { name: "Views" })).toBeVisible();
    await expect(present).toBeFocused();
    await expect(page).not.toHaveURL(/present=/);
  });

  test("Back leaves a presentation for the view before", async ({ page }) => {
    const { cards } = await openPage(page, "#q=rain");
    await expect(cards).toHaveCount(10);
    await page.getByRole("link", { name: "Learn" }).click();
    await page.getByRole("button", { name: "Present the figures" }).click();
    await expect(sectionOf(page, "explosion").root).toBeVisible();
    await page.goBack();
    await expect(page.getByRole("searchbox")).toBeVisible();
    await expect(cards).toHaveCount(10);
    await expect(page.getByRole("navigation", { name: "Views" })).toBeVisible();
    await page.goForward();
    await expect(sectionOf(page, "explosion").root).toBeVisible();
  });

  test("a link presents a figure, and no sentence of it is below the screen", async ({ page }) => {
    await page.setViewportSize({ width: 1280, height: 720 });
    for (const [at, name] of Object.keys(HEADINGS).entries()) {
      await page.goto("about:blank");
      await open(page, `&present=${at + 1}`);
      const { root, show, outcome, sentence } = sectionOf(page, name as keyof typeof HEADINGS);
      await show.click();
      await expect(outcome).toBeVisible();
      const bar = (await root.getByRole("navigation").boundingBox())!;
      const { y, height } = (await sentence.boundingBox())!;
      expect(y + height, name).toBeLessThanOrEqual(bar.y);
      // Large type.
      expect(await sentence.evaluate((one) => Number.parseFloat(getComputedStyle(one).fontSize)), name).toBeGreaterThan(18);
    }
  });

  test("a swipe changes the figure", async ({ browser, baseURL }) => {
    const context = await browser.newContext({ hasTouch: true, viewport: { width: 390, height: 800 } });
    const page = await context.newPage();
    await page.goto(`${baseURL}#view=learn&present=2`);
    const bar = page.getByRole("navigation", { name: "Presentation" });
    await expect(bar).toContainText("2 of 6");
    const swipe = (from: number, to: number) =>
      page.evaluate(([from, to]) => {
        const target = document.querySelector(".learn-section:not(.left-out) .learn-heading")!;
        const touch = (clientX: number) => new Touch({ identifier: 1, target, clientX, clientY: 100 });
        target.dispatchEvent(new TouchEvent("touchstart", { bubbles: true, touches: [touch(from!)], changedTouches: [touch(from!)] }));
        target.dispatchEvent(new TouchEvent("touchend", { bubbles: true, changedTouches: [touch(to!)] }));
      }, [from, to]);
    await swipe(300, 100);
    await expect(bar).toContainText("3 of 6");
    await swipe(100, 300);
    await expect(bar).toContainText("2 of 6");
    await swipe(100, 120);
    await expect(bar).toContainText("2 of 6");
    await context.close();
  });

  test("the code that embeds a figure is copied with one press, and shows it without menu, head and foot", async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await open(page, "&told=cost&kc=2");
    const { root } = sectionOf(page, "cost");
    await root.getByRole("button", { name: "Embed this figure" }).click();
    const code = root.getByRole("textbox", { name: /^Code that embeds/ });
    await expect(code).toHaveAttribute("readonly");
    await root.getByRole("button", { name: "Copy the code" }).click();
    await expect(root).toContainText("Copied.");
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toBe(await code.inputValue());
    const [, source] = /^<iframe src="([^"]+)" title="What epsilon costs" /.exec(copied)!;
    await page.goto("about:blank");
    await page.goto(source!.replaceAll("&amp;", "&"));
    await expect(page.locator(".learn-section:visible")).toHaveCount(1);
    await expect(sectionOf(page, "cost").sentence).toContainText("At ε = 2");
    for (const other of [page.getByRole("navigation"), page.getByRole("contentinfo"), page.getByRole("banner"), page.getByRole("heading", { level: 2 })]) {
      await expect(other.and(page.locator(":visible"))).toHaveCount(0);
    }
    await expectFits(page);
    // Whoever wants more gets the page itself, beside the one that embeds it.
    const link = page.getByRole("link", { name: "Open in smooth-clir" });
    await expect(link).toHaveAttribute("target", "_blank");
    expect(await link.getAttribute("href")).not.toContain("embed");
  });

  test("a figure's link is copied with one press, and brings its figure into view as it was", async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await open(page, "&told=loss&ks=0.1");
    const { root } = sectionOf(page, "loss");
    await root.getByRole("button", { name: "Copy link" }).click();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await page.goto("about:blank");
    await page.goto(link);
    await expect(sectionOf(page, "loss").root.getByRole("heading").first()).toBeInViewport();
    await expect(sectionOf(page, "loss").sentence).toContainText("SOSL raises the score");
    await expect(sectionOf(page, "cost").outcome).toBeHidden();
  });

  test("where the browser does not let the page copy, the text is selected", async ({ page }) => {
    await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
    await open(page);
    const { root } = sectionOf(page, "bound");
    await root.getByRole("button", { name: "Copy link" }).click();
    await expect(root).toContainText("Select the text and copy it yourself");
    const chosen = await root.getByRole("textbox").evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart, area.selectionEnd));
    expect(chosen).toMatch(/#view=learn.*figure=bound/);
  });
});

test("a term opens its explanation by keyboard, and Escape closes it", async ({ page }) => {
  await open(page);
  const term = page.locator(".view-learn").getByRole("button", { name: "gradient", exact: true });
  await term.press("Enter");
  const explanation = page.locator(".term-explanation:popover-open");
  await expect(explanation).toContainText("points where a function rises fastest");
  await expect(explanation).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("Escape");
  await expect(explanation).toHaveCount(0);
  await expect(term).toBeFocused();
});

test("the end of the argument leads to the guided lessons", async ({ page }) => {
  await open(page);
  await page.getByRole("link", { name: "To the lessons" }).click();
  await expect(page.getByRole("button", { name: "Begin" })).toHaveCount(5);
});

test("it is fetched when it is shown, and not before", async ({ page }) => {
  const fetched: string[] = [];
  page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
  await openPage(page);
  const own = () => fetched.filter((path) => /\/learn-view-/.test(path)).length;
  expect(own()).toBe(0);
  await goTo(page, "Learn");
  await expect(page.locator(".view-learn h2")).toBeVisible();
  expect(own()).toBeGreaterThan(0);
});

for (const [scheme, width] of [
  ["light", 320],
  ["dark", 1280],
] as const) {
  test(`axe finds nothing in ${scheme} colours at ${width} px, before and after the answers, and all fits`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 800 });
    await open(page);
    await expect(sectionOf(page, "order").show).toBeVisible();
    await expectAccessible(page);
    await expectFits(page);
    const view = page.locator(".view-learn");
    await page.goto("about:blank");
    await open(page, "&told=explosion,bound,cost,order,loss");
    await expect(sectionOf(page, "order").outcome).toBeVisible();
    await view.getByRole("button", { name: "Embed this figure" }).first().click();
    await view.locator("summary").first().click();
    await expectAccessible(page);
    await expectFits(page);
    await expectRoomForFingers(view.locator(":is(button:not(.term), input, summary, .chip, a):visible"));
    await page.goto("about:blank");
    await open(page, "&present=3");
    await expect(sectionOf(page, "cost").show).toBeVisible();
    await expectAccessible(page);
    await expectFits(page);
  });
}
