import type { Page } from "@playwright/test";
import { expectAccessible, expectFits, expectRoomForFingers } from "./everyone";
import { expect, generated, modelMetadata, parts, test } from "./page";

const NAMES = ["P_mr@1", "P_mr@5", "P_r@5", "NDCG@5", "MAP", "MRR_mr", "MRR_r"];

async function openMetrics(page: Page, fields = ""): Promise<void> {
  await page.goto(`./#view=metrics${fields}`);
  await expect(table(page, "Means over").getByRole("columnheader", { name: "as loaded" })).toBeVisible();
}

const metricChoice = (page: Page) => page.getByRole("combobox", { name: "Metric" });

const table = (page: Page, caption: string) => page.getByRole("table", { name: caption }).first();

/** A column's numbers in the table of the seven metrics. */
const column = (page: Page, caption: string, at: number) =>
  table(page, caption).locator(`tbody tr td:nth-child(${at + 1})`);

/** The trainer's test figures in the model file. */
async function provenance(): Promise<Record<string, { queries: number; metrics: Record<string, number> }>> {
  const { provenance } = await modelMetadata();
  return JSON.parse(provenance!).test;
}

test("at the model's own epsilon the metrics as tested are those that the trainer wrote into the model", async ({ page }) => {
  await openMetrics(page);
  const languages = await provenance();
  for (const [language, { metrics }] of Object.entries(languages)) {
    await page.getByLabel("Documents in").selectOption(language);
    const expected = NAMES.map((name) => metrics[name]!.toFixed(4));
    await expect(column(page, "Means over", 1), language).toHaveText(expected);
  }
  // The page shows a count by the name of a count.
  const shown = await metricChoice(page).locator("option").allTextContents();
  expect(shown).toEqual(NAMES.map((name) => (name === "P_mr@5" ? "Hits@5" : name)));
  await page.getByLabel("Documents in").selectOption("all languages");
  const all = Object.values(languages);
  const queries = all.reduce((sum, one) => sum + one.queries, 0);
  const mean = (name: string) => all.reduce((sum, one) => sum + one.queries * one.metrics[name]!, 0) / queries;
  await expect(column(page, "Means over", 1).nth(4)).toHaveText(mean("MAP").toFixed(4));
  await expect(page.getByText(`Means over ${queries} pairs`)).toBeVisible();
});

test("at another epsilon the metrics are those of the order by the formula", async ({ page }) => {
  const file = JSON.parse((await generated("evaluation.json")).toString("utf8"));
  const { norms, judged } = file.collections.find((one: { language: string }) => one.language === "fr");
  for (const epsilon of [0, 0.02, 50]) {
    const places = judged.map((one: { norm: number; documents: number[]; grades: number[]; dots: number[] }) => {
      const score = (at: number) => one.dots[at]! / ((one.norm + epsilon) * (norms[one.documents[at]!] + epsilon));
      const relevant = one.grades.indexOf(2);
      return 1 + one.dots.filter((_, at) => score(at) > score(relevant)).length;
    });
    const first = places.filter((place: number) => place === 1).length / places.length;
    const reciprocal = places.reduce((sum: number, place: number) => sum + 1 / place, 0) / places.length;
    await openMetrics(page, `&mg=fr&eps=${epsilon}`);
    await expect.poll(() => column(page, "Means over", 1).allTextContents().then((values) => [values[0], values[5]])).toEqual([
      first.toFixed(4),
      reciprocal.toFixed(4),
    ]);
  }
});

test("grades by thresholds are shown at the model's own epsilon only, and why", async ({ page }) => {
  await openMetrics(page);
  const grades = table(page, "Documents by grade");
  await expect(grades).toBeVisible();
  const counts = (await grades.locator("td").allTextContents()).map((text) => Number(text.replaceAll(",", "")));
  const file = JSON.parse((await generated("evaluation.json")).toString("utf8"));
  const judged = file.collections.flatMap((one: { judged: { grades: number[] }[] }) => one.judged);
  const all = judged.flatMap(({ grades }: { grades: number[] }) => grades);
  const of = (grade: number) => all.filter((one: number) => one === grade).length;
  const rows = [0, 1, 2].map((row) => counts.slice(3 * row, 3 * row + 3).reduce((sum, count) => sum + count, 0));
  expect(rows).toEqual([of(0), of(1), of(2)]);
  await page.getByRole("spinbutton", { name: "Epsilon as a number" }).fill("0.1");
  await expect(grades).toBeHidden();
  await expect(page.getByText("Not shown at epsilon 0.1.")).toBeVisible();
});

test("beside the curves stands what the trainer measured where it trained again", async ({ page }) => {
  await openMetrics(page, "&mm=P_mr%401");
  const figure = page.getByRole("figure").filter({ hasText: "where each epsilon has a training of its own" });
  await expect(figure).toContainText("highest at epsilon 0.25 (0.8100), among all documents at epsilon 0.1 (0.2650)");
  await figure.getByText("The numbers").click();
  await expect(figure.getByRole("row", { name: "0.5 0.786 0.769 0.803 0.212 0.197 0.226" })).toBeVisible();
  const negatives = page.getByRole("figure").filter({ hasText: "where each number has a training of its own" });
  await expect(negatives).toContainText("highest at 100 negatives (0.7190)");
});

test("figures of another model are not passed off as this one's", async ({ page }) => {
  await openMetrics(page);
  const notice = page.getByText("The figures “as tested” are the demo model’s.");
  await expect(notice).toBeHidden();
  await expect(page.getByText("as loaded here: trained on these queries too").first()).toBeVisible();
  // What was not trained on comes first, and each column says which it is.
  const heads = table(page, "Means over").getByRole("columnheader");
  await expect(heads).toHaveText(["metric", "as tested, held out", "as loaded, trained on these queries"]);
  const file = JSON.parse((await generated("evaluation.json")).toString("utf8"));
  await page.route("**/generated/evaluation.json", (route) => route.fulfill({ json: { ...file, model: "another" } }));
  await page.reload();
  await expect(notice).toBeVisible();
  await expect(page.getByText("as loaded here", { exact: true }).first()).toBeVisible();
  await expect(page.getByText("trained on these queries too")).toHaveCount(0);
  await expect(page.getByText("overfitting")).toBeHidden();
  await expect(heads.last()).toHaveText("as loaded, another model");
});

test("fewer negatives are easier, and all of them give the curve's own figure", async ({ page }) => {
  await openMetrics(page, "&mm=P_mr%401");
  const figure = page.getByRole("figure").filter({ hasText: "against the number of negatives" });
  await figure.getByText("The numbers").click();
  const values = (await figure.locator("tbody tr td:nth-child(2)").allTextContents()).map(Number);
  expect(values.length).toBeGreaterThan(5);
  for (const [at, value] of values.slice(1).entries()) expect(value).toBeLessThanOrEqual(values[at]!);
  await expect(column(page, "Means over", 1).first()).toHaveText(values.at(-1)!.toFixed(4));
});

test("a link holds the view, and everything is done by keyboard", async ({ page }) => {
  await openMetrics(page, "&mm=MRR_mr&mg=sw");
  await expect(metricChoice(page)).toHaveValue("MRR_mr");
  await expect(page.getByLabel("Documents in")).toHaveValue("sw");
  await page.keyboard.press("Tab");
  while (!(await metricChoice(page).evaluate((select) => select === document.activeElement))) {
    await page.keyboard.press("Tab");
  }
  await page.keyboard.press("ArrowDown");
  await expect(page).toHaveURL(/mm=MRR_r&mg=sw/);
  await expect(page.getByRole("heading", { name: "MRR_r against epsilon at test time" })).toBeVisible();
  await openMetrics(page, "&mm=bogus&mg=xx");
  await expect(metricChoice(page)).toHaveValue("MAP");
  await expect(page.getByLabel("Documents in")).toHaveValue("");
});

test("a file of test queries that does not come, or is damaged, is named, and Try again fetches it", async ({ page }) => {
  let answer: { status: number; body: string } = { status: 404, body: "" };
  await page.route("**/generated/evaluation.json", (route) => (answer.status === 0 ? route.continue() : route.fulfill(answer)));
  await page.goto("./#view=metrics");
  await expect(page.getByText("the server answered 404 for evaluation.json (http-status)")).toBeVisible();
  const file = JSON.parse((await generated("evaluation.json")).toString("utf8"));
  file.collections[1].judged[2].dots.pop();
  answer = { status: 200, body: JSON.stringify(file) };
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("“collections/1/judged/2/dots” is missing or has a wrong form")).toBeVisible();
  answer = { status: 0, body: "" };
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(table(page, "Means over")).toBeVisible();
});

const file = (name: string, content: string | Buffer) => ({ name, mimeType: "text/plain", buffer: Buffer.from(content) });
// In one query the partly relevant document is first; in the other equal scores, which the name decides: x before d.
const QRELS = file("judged.txt", "q1 0 a 2\nq1 0 b 1\nq1 0 c 0\nq2 0 d 2\nq3 0 e 1\n");
const ONE = file("one.txt", "q1 Q0 b 9 3.0 t\nq1 Q0 a 1 2.0 t\nq1 Q0 c 2 1.0 t\nq2 Q0 d 1 0.5 t\nq2\tQ0\tx\t2\t5e-1\tt\r\n");
const TWO = file("two.txt", "q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\nq9 Q0 b 2 1 t");

test("TREC files dropped on the page give the metrics worked by hand, and two runs their differences", async ({ page }) => {
  await openMetrics(page);
  await page.getByLabel("Judgements (qrels)").setInputFiles(QRELS);
  await page.getByLabel("Runs, one or two").setInputFiles([ONE, TWO]);
  // NDCG@5 of q1: (1 + 2/log2 3) / (2 + 1/log2 3) = 0.8597; of q2: 1/log2 3 = 0.6309. q3, of grade 1 alone, is in no run: it
  // counts as 0 where grades above 0 count, and not where grade 2 is looked for.
  await expect(column(page, "Means over 3 queries", 1)).toHaveText(["0.0000", "1.0000", "0.2000", "0.4969", "0.5000", "0.5000", "0.5000"]);
  await expect(column(page, "Means over 3 queries", 2)).toHaveText(["0.5000", "0.5000", "0.1333", "0.3333", "0.3333", "0.5000", "0.3333"]);
  await expect(page.getByText("2 queries are not in two.txt: counted as having found nothing.")).toBeVisible();
  await expect(page.getByText("1 query of two.txt without judgements: left out.")).toBeVisible();
  await expect(page.getByText("1 query has no document of grade 2: left out of P_mr@1, Hits@5 and MRR_mr, counted in the others.")).toBeVisible();
  const figure = page.getByRole("figure").filter({ hasText: "the second run less the first" });
  await expect(figure).toContainText("better for 0 queries, worse for 1, the same for 2. It differs most for “q2”: by −0.5000.");
  await figure.getByText("The numbers").click();
  await expect(figure.getByRole("row").nth(1)).toHaveText("q20.50000.0000−0.5000");

  await page.getByRole("button", { name: "Clear" }).click();
  await expect(page.getByText("No files yet.")).toBeVisible();
  const dropped = [QRELS, ONE].map(({ name, buffer }) => ({ name, content: buffer.toString() }));
  const transfer = await page.evaluateHandle((files) => {
    const transfer = new DataTransfer();
    for (const { name, content } of files) transfer.items.add(new File([content], name));
    return transfer;
  }, dropped);
  await page.locator(".trec").dispatchEvent("drop", { dataTransfer: transfer });
  await expect(column(page, "Means over 3 queries", 1).nth(3)).toHaveText("0.4969");
});

test("binary judgements are read: grade 1 is relevant then", async ({ page }) => {
  await openMetrics(page);
  const binary = file("binary.txt", "q1 0 a 1\nq1 0 b 0\nq1 0 c 1\nq2 0 d 1\nq3 0 e 0\n");
  await page.getByLabel("Judgements (qrels)").setInputFiles(binary);
  await page.getByLabel("Runs, one or two").setInputFiles(file("run.txt", "q1 Q0 b 1 3 t\nq1 Q0 a 2 2 t\nq1 Q0 c 3 1 t\nq2 Q0 d 1 1 t\n"));
  // q1: relevant at 2 and 3. NDCG@5 (1/log2 3 + 1/2) / (1 + 1/log2 3) = 0.6934, AP (1/2 + 2/3)/2 = 0.5833. q2: all 1.
  await expect(column(page, "Means over 2 queries", 1)).toHaveText(["0.5000", "1.5000", "0.3000", "0.8467", "0.7917", "0.7500", "0.7500"]);
  await expect(page.getByText("The judgements have no grade above 1: grade 1 counts as relevant in every metric.")).toBeVisible();
  await expect(page.getByText("1 query without a document of a grade above 0: left out.")).toBeVisible();
});

test("a TREC file that is broken is refused with its name and line, and what was there stays", async ({ page }) => {
  await openMetrics(page);
  const runs = page.getByLabel("Runs, one or two");
  await page.getByLabel("Judgements (qrels)").setInputFiles(QRELS);
  await runs.setInputFiles(ONE);
  for (const [content, message] of [
    ["", "there is nothing in it"],
    ["q1 Q0 a 1 2 t\nq1 Q0 a 2 t", "line 2: 5 columns, expected 6: query, Q0, document, rank, score, tag"],
    ["q1 Q0 a 1 high t", "line 1: score “high”, expected a finite number"],
    ["q1 Q0 a 1 1e39 t", "line 1: score “1e39”, expected a finite number"],
    ["q1 Q0 a 1 2 t\n\nq1 Q0 a 2 1 t", "line 3: query “q1” has document “a” twice"],
    [Buffer.from([0x71, 0x20, 0xff, 0x0a]), "line 1: not UTF-8"],
    ["q1 Q0 a 1 2 t\nq" + "x".repeat(70_000), "line 2: longer than 65536 bytes"],
  ] as const) {
    await runs.setInputFiles(file("bad.txt", content as string));
    await expect(page.locator(".trec").getByRole("alert")).toHaveText(new RegExp(`^bad\\.txt: ${message.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`));
  }
  for (const [content, message] of [
    ["q1 0 a two", "line 1: grade “two”, expected a whole number"],
    ["q1 0 a 256", "line 1: grade 256 is over 255"],
    ["q1 0 a 2\nq1 0 a 2", "line 2: document “a” is graded twice for query “q1”"],
    ["q1 0 a 0", "no query of the judgements has a document of a grade above 0"],
  ] as const) {
    await page.getByLabel("Judgements (qrels)").setInputFiles(file("bad.txt", content));
    await expect(page.locator(".trec").getByRole("alert")).toContainText(`bad.txt: ${message}`);
  }
  await expect(page.getByText("Run: one.txt, 2 queries.")).toBeVisible();
  await expect(column(page, "Means over 3 queries", 1).nth(3)).toHaveText("0.4969");
});

for (const [colorScheme, width] of [["light", 320], ["dark", 1280]] as const) {
  test(`axe finds nothing in ${colorScheme} colours at ${width} px, nothing scrolls sideways, fingers have room`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 900 });
    await openMetrics(page);
    await page.getByLabel("Judgements (qrels)").setInputFiles(QRELS);
    await page.getByLabel("Runs, one or two").setInputFiles([ONE, TWO]);
    await page.getByText("The numbers").nth(1).click();
    await expectAccessible(page);
    await expectFits(page);
    await expectRoomForFingers(page.locator(".lab :is(button, input, select, summary):visible"));
  });
}

test("the search is as it was after a visit", async ({ page }) => {
  await openMetrics(page, "&q=rain");
  await page.getByRole("link", { name: "Search", exact: true }).click();
  await expect(parts(page).cards).toHaveCount(10);
});
