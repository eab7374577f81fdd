import type { Page } from "@playwright/test";
import { expectAccessible, expectFits, expectRoomForFingers } from "./everyone";
import { expect, test } from "./page";

/** The view, as a person would name its parts. */
async function openMaps(page: Page, fields = "") {
  await page.goto(`./#view=maps${fields}`);
  const figure = (name: string | RegExp) => page.getByRole("figure").filter({ has: page.getByRole("heading", { name }) });
  const found = {
    main: figure(/, epsilon/),
    small: figure("The same map at five epsilons"),
    bounds: figure("How long can the gradient be?"),
    zero: figure("At zero"),
    q: page.getByRole("slider", { name: "Query vector q" }),
    d: page.getByRole("slider", { name: "Document vector d" }),
    show: (name: string) => page.getByRole("radio", { name }),
    row: (name: string | RegExp) => page.locator(".maps-reading").getByRole("row", { name }).getByRole("cell"),
    documents: page.locator(".maps-found tbody tr"),
  };
  await expect(found.q).toBeVisible();
  return found;
}

/** The pixels of a map's canvas at some places, each from 0 to 1 rightwards and downwards. */
const pixels = (page: Page, selector: string, places: readonly (readonly [number, number])[]) =>
  page.locator(selector).evaluate((element, places) => {
    const canvas = element as HTMLCanvasElement;
    const context = canvas.getContext("2d")!;
    const at = (share: number) => Math.round(share * (canvas.width - 1));
    return places.map(([x, y]) => [...context.getImageData(at(x), at(y), 1, 1).data]);
  }, places);

/** The light theme's colours of a slope: of 255 shades, logarithmic beyond 0.01, the ends at -10 and 10. */
function slopeColour(slope: number): number[] {
  const [orange, ground, blue] = [[0xd9, 0x66, 0x0a], [0xef, 0xec, 0xe6], [0x0b, 0x5f, 0x9e]] as const;
  const place = Math.min(Math.log(1 + Math.abs(slope) / 0.01) / Math.log(1001), 1);
  const share = Math.round(127 * place) / 127;
  const end = slope < 0 ? orange : blue;
  return ground.map((channel, at) => Math.round((1 - share) * channel + share * end[at]!));
}

test("the centres of Figure 1 read 13.66, 3.10 and 1.04 (the paper prints 1.05), and cosine has none", async ({ page }) => {
  const { small, main, bounds } = await openMaps(page, "&eps=0.5");
  await expect(small).toContainText("undefined at ε = 0, 13.66 at ε = 0.05, 3.10 at ε = 0.2, 1.04 at ε = 0.5");
  await expect(main).toContainText("1.04 at the centre, the largest");
  // sqrt 2 / ((sqrt 2 + 0.5) 0.5)
  await expect(bounds).toContainText("2/ε = 4.00");
  await expect(bounds).toContainText("1/ε = 2.00");
  await expect(bounds).toContainText("= 1.48, reached at q = 0. The longest gradient on the map (the dot) is 1.48.");
});

for (const epsilon of [0.05, 0.2, 0.5]) {
  test(`the map at epsilon ${epsilon} has the colours of paper 1's gradient`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: "light" });
    await openMaps(page, `&eps=${epsilon}`);
    // (d / G - r e) / n along x1, d = (1, 1); at the origin d / (G eps).
    const slope = (x1: number, x2: number): number => {
      const [norm, grown] = [Math.hypot(x1, x2), Math.SQRT2 + epsilon];
      if (norm === 0) return 1 / (grown * epsilon);
      const score = (x1 + x2) / ((norm + epsilon) * grown);
      return (1 / grown - (score * x1) / norm) / (norm + epsilon);
    };
    const points = [[0, 0], [1, 0], [0, 1], [-1.5, 0.5], [0.1, -0.1], [0.5, 1.75], [-0.25, -1], [2, 2]] as const;
    const seen = await pixels(page, ".plane-axes canvas", points.map(([x1, x2]) => [(x1 + 2) / 4, (2 - x2) / 4]));
    for (const [at, [x1, x2]] of points.entries()) {
      const expected = slopeColour(slope(x1, x2));
      // Rounding may fall into the next shade.
      for (const channel of [0, 1, 2]) {
        expect(Math.abs(seen[at]![channel]! - expected[channel]!), `(${x1}, ${x2})`).toBeLessThanOrEqual(2);
      }
    }
    if (epsilon === 0.05) expect(seen[0]).toEqual([0x0b, 0x5f, 0x9e, 255]);
  });
}

test("every map and legend changes its colours with the theme", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await openMaps(page, "&eps=0.05");
  // The slope at the centre, 13.66, has the colour of the scale's end, as a legend's last pixel has.
  const shown = () =>
    Promise.all([
      pixels(page, ".plane-axes canvas", [[0.5, 0.5]]),
      pixels(page, ".maps-legend canvas", [[1, 0]]),
      pixels(page, ".maps-smalls > :nth-child(2) canvas", [[0.5, 0.5]]),
    ]);
  const all = (pixel: readonly number[]) => [[pixel], [pixel], [pixel]];
  expect(await shown()).toEqual(all([0x0b, 0x5f, 0x9e, 255]));
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(shown).toEqual(all([0x4f, 0xa8, 0xe2, 255]));

  const front = () => Promise.all(["#map", "#legend"].map((id, at) => pixels(page, id, [at === 0 ? [0.5, 0.5] : [1, 0]])));
  await page.goto("./#eps=0.05");
  await page.locator("#map").scrollIntoViewIfNeeded();
  await expect(page.locator("#map-largest")).toContainText("13.66");
  expect(await front()).toEqual(all([0x4f, 0xa8, 0xe2, 255]).slice(1));
  await page.emulateMedia({ colorScheme: "light" });
  await expect.poll(front).toEqual(all([0x0b, 0x5f, 0x9e, 255]).slice(1));

  const legend = () => pixels(page, ".descent-key canvas", [[0, 0], [1, 0]]);
  await page.goto("./#view=descent&eps=0.05");
  await expect(page.locator(".descent-key canvas")).toBeVisible();
  expect(await legend()).toEqual([[0xef, 0xec, 0xe6, 255], [0x0b, 0x5f, 0x9e, 255]]);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect.poll(legend).toEqual([[0x27, 0x2c, 0x31, 255], [0x4f, 0xa8, 0xe2, 255]]);
});

test("cosine is undefined at the centre alone, and says so", async ({ page }) => {
  const { main, bounds } = await openMaps(page, "&eps=0");
  const seen = await pixels(page, ".plane-axes canvas", [[0.5, 0.5], [0.5, 0.49], [0.52, 0.5]]);
  expect(seen.map((pixel) => pixel[3])).toEqual([0, 255, 255]);
  await expect(main).toContainText("undefined at the centre, marked ○");
  await expect(bounds).toContainText("At ε = 0 nothing bounds the gradient");
});

test("by keyboard alone: a quantity, then q to zero, where the gradient reaches its bound", async ({ page }) => {
  const { q, row, main, show } = await openMaps(page, "&eps=0.5");
  const tabTo = async (target: typeof q) => {
    while (!(await target.evaluate((element) => element === document.activeElement))) await page.keyboard.press("Tab");
  };
  await page.locator("#views a[aria-current]").focus();
  await tabTo(show("Slope x₁"));
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expect(show("Length")).toBeChecked();
  await tabTo(q);
  await expect(q).toHaveAttribute("aria-valuetext", /^\(−0\.50, 1\.00\), gradient’s length at q: /);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Shift+ArrowUp");
  await expect(q).toHaveAttribute("aria-valuetext", /^\(−0\.45, 1\.50\)/);
  await page.keyboard.press("Home");
  await expect(q).toHaveAttribute("aria-valuetext", "(0.00, 0.00), gradient’s length at q: 1.48");
  await expect(row("Its length")).toHaveText("1.48");
  await expect(row(/for this d$|for this d /)).toHaveText("1.48");
  await expect(page.locator(".maps-reading")).toContainText("100%");
  await expect(main).toContainText("1.48 at the centre, the largest");
});

test("the radial part is 0 for cosine and a c eps / n² for smooth cosine", async ({ page }) => {
  // q = (3, 4), d = (0, 5): c = 4/5, a = 5/7, n = 7 at epsilon 2.
  const { row } = await openMaps(page, "&eps=2&mq=3,4&md=0,5&mr=8");
  await expect(row("Its radial part")).toHaveText("0.023");
  await page.getByRole("spinbutton", { name: "Epsilon as a number" }).fill("0");
  await expect(row("Its radial part")).toHaveText(/^−?(0\.00|\d\.\de−\d+)$/);
});

test("the curvature at zero depends on the way there, the gradient does not", async ({ page }) => {
  // |d| = 1, epsilon 1: a = 1/2; the gradient a / eps, the curvature 2a / eps² or a / eps².
  const { zero } = await openMaps(page, "&eps=1&md=1,0");
  const cells = (name: string) => zero.getByRole("row", { name }).first().getByRole("cell");
  await expect(cells("along d")).toHaveText(["0.50", "1.00"]);
  await expect(cells("at a right angle to d")).toHaveText(["0.50", "0.50"]);
});

test("the link holds what is shown, and whoever opens it sees the same", async ({ page, context }) => {
  const { q, d, show } = await openMaps(page, "&eps=0.2");
  await show("Score").check();
  await page.getByRole("checkbox", { name: "Arrows" }).uncheck();
  await page.getByLabel("Plane").selectOption("4");
  await q.press("ArrowLeft");
  await d.press("Shift+ArrowDown");
  await expect(page).toHaveURL(/mx=score&mq=-0\.55%2C1&md=1%2C0\.5&mr=4&ml=contours$/);
  const other = await context.newPage();
  await other.goto(page.url());
  const twin = { q: other.getByRole("slider", { name: "Query" }), d: other.getByRole("slider", { name: "Document" }) };
  await expect(twin.q).toHaveAttribute("aria-valuetext", (await q.getAttribute("aria-valuetext"))!);
  await expect(twin.d).toHaveAttribute("aria-valuetext", (await d.getAttribute("aria-valuetext"))!);
  await expect(other.getByRole("radio", { name: "Score" })).toBeChecked();
  await expect(other.getByRole("checkbox", { name: "Arrows" })).not.toBeChecked();
});

test("a link with nonsense is put right", async ({ page }) => {
  const { q, d } = await openMaps(page, "&mq=1,x&md=99,-1e9&mx=none&mr=3&ml=,,");
  await expect(q).toHaveAttribute("aria-valuetext", /^\(−0\.50, 1\.00\)/);
  await expect(d).toHaveAttribute("aria-valuetext", /^\(8\.00, −8\.00\)/);
  await expect(page.getByLabel("Plane")).toHaveValue("2");
});

test("a pointer drags both vectors, and a click brings q", async ({ page }) => {
  const { q, d, main } = await openMaps(page);
  for (const handle of [q, d]) {
    const before = await handle.getAttribute("aria-valuenow");
    await handle.hover();
    await page.mouse.down();
    const { x, y, width, height } = (await handle.boundingBox())!;
    await page.mouse.move(x + width / 2 - 60, y + height / 2 + 30, { steps: 3 });
    await page.mouse.up();
    expect(Number(await handle.getAttribute("aria-valuenow"))).toBeLessThan(Number(before) - 0.2);
  }
  const canvas = main.locator(".plane-axes canvas");
  const { width, height } = (await canvas.boundingBox())!;
  await canvas.click({ position: { x: width * 0.75, y: height * 0.875 } });
  expect(Number(await q.getAttribute("aria-valuenow"))).toBeCloseTo(1, 1);
  await expect(q).toHaveAttribute("aria-valuetext", /−1\.5\d?/);
});

test("a real document's length and angle give its real score", async ({ page }) => {
  const { documents, row } = await openMaps(page, "&q=rain&mr=8&ml=documents");
  await expect(documents).toHaveCount(10);
  await expect(page.locator(".maps-found")).toContainText("This is a projection");
  await expect(page.locator(".document-dot")).not.toHaveCount(0);
  for (const at of [0, 7]) {
    const score = await documents.nth(at).getByRole("cell").last().textContent();
    await documents.nth(at).getByRole("button").click();
    await expect(row("Score")).toHaveText(Number(score).toFixed(2));
  }
});

for (const [width, colorScheme] of [[320, "light"], [1280, "dark"]] as const) {
  test(`axe finds nothing, nothing scrolls sideways and fingers find their targets at ${width} px, ${colorScheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 800 });
    const { main, documents } = await openMaps(page, "&q=rain&ml=contours,arrows,documents");
    await expect(documents).toHaveCount(10);
    await main.getByText("The numbers").click();
    await expectAccessible(page);
    await expectFits(page);
    const targets = page.locator(".view-maps").locator("button, input, select, summary, .chip, [role=slider]");
    await expectRoomForFingers(targets);
  });
}

test("the map is saved as a picture with its colours, and as numbers", async ({ page }) => {
  const { main } = await openMaps(page);
  const saved = async (kind: string) => {
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      main.getByRole("button", { name: kind, exact: true }).click(),
    ]);
    const chunks: Buffer[] = [];
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  };
  const svg = await saved("SVG");
  expect(svg).toContain('href="data:image/png;base64,');
  expect(svg).toMatch(/<path[^>]* d="M/);
  expect((await saved("CSV")).split("\r\n")[0]).toBe("x₂ \\ x₁,-2,-1.5,-1,-0.5,0,0.5,1,1.5,2");
});
