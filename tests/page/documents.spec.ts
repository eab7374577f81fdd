import { mkdir, readFile, writeFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expectAccessible, expectFits, expectRoomForFingers } from "./everyone";
import { expect, parts, test } from "./page";

const TEXT = `La pluie tombe sur la montagne et dans la forêt.

On fait le pain avec de la farine, du sel et de l’eau.

zzyzx qwrtp`;

/** The view, as a person would name its parts. */
const view = (page: Page) => {
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  return {
    pasted: page.getByRole("textbox", { name: "Or paste text" }),
    language: page.getByRole("combobox", { name: "Language of the documents" }),
    format: page.getByRole("combobox", { name: "Read it as" }),
    files: page.getByLabel("Choose files").and(page.locator("input")),
    folder: page.getByLabel("Choose a folder").and(page.locator("input")),
    add: button("Add what is pasted"),
    stop: button("Stop"),
    save: button("Save"),
    remove: button("Remove all"),
    message: page.locator("#documents-message"),
    problem: page.locator(".documents-problems"),
    rows: page.getByRole("table", { name: "Your documents" }).locator("tbody").getByRole("row"),
    here: page.getByRole("region", { name: "What is here" }),
  };
};

async function openView(page: Page, more = "") {
  await page.goto(`./#view=documents&q=rain${more}`);
  const found = view(page);
  await expect(found.language.getByRole("option")).toHaveCount(4);
  return found;
}

async function openWith(page: Page, text = TEXT) {
  const found = await openView(page);
  await found.pasted.fill(text);
  await found.add.click();
  await expect(found.message).toContainText("Added");
  return found;
}

/** The titles of a search's documents. */
async function search(page: Page, query: string): Promise<string[]> {
  const { query: box, cards, titles } = parts(page);
  await page.getByRole("link", { name: "Search", exact: true }).click();
  // An empty query leaves no words and no hits of the query before.
  await box.fill("");
  await expect(cards).toHaveCount(0);
  await box.fill(query);
  await expect(page.getByRole("group", { name: "The words of your search" }).getByRole("button").first()).toBeVisible();
  await expect(cards).toHaveCount(10);
  return titles.allTextContents();
}

const file = (name: string, content: string | Buffer) => ({
  name,
  mimeType: "application/octet-stream",
  buffer: Buffer.from(content),
});

test("by keyboard alone a text is pasted, counted and found beside the others", async ({ page }) => {
  const { pasted, message, rows, here } = await openView(page);
  const tabTo = async (name: string | RegExp) => {
    for (let at = 0; at < 40; at++) {
      await page.keyboard.press("Tab");
      const focused = page.locator(":focus");
      if ((await focused.getByText(name).count()) > 0 || (await focused.and(pasted).count()) > 0) return;
    }
    throw new Error(`no way to ${name}`);
  };
  await tabTo("(paste)");
  await page.keyboard.insertText(TEXT);
  await tabTo("Add what is pasted");
  await page.keyboard.press("Enter");
  await expect(pasted).toHaveValue("");
  await expect(message).toContainText(/^Added 3 documents in French\. Of 26 words the model knows 24\.$/);
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0).getByRole("rowheader")).toHaveText("La pluie tombe sur la montagne et dans la forêt.");
  await expect(rows.nth(2).getByRole("cell")).toHaveText(["0", "2", "French"]);
  await expect(here).toContainText("One of them has no word that the model knows: no search finds it.");
  await tabTo("Search them");
  await page.keyboard.press("Enter");
  await expect(parts(page).query).toBeFocused();
  await expect(parts(page).language("French")).toBeChecked();
  await expect(parts(page).titles.filter({ hasText: "La pluie tombe" })).toHaveCount(1);
  await expect(page.locator("#count-status")).toContainText("2,435 documents");
});

test("once the words of a language are here, adding documents makes no request at all", async ({ page }) => {
  const requested: { path: string; body: string | null }[] = [];
  page.on("request", (request) => requested.push({ path: new URL(request.url()).pathname, body: request.postData() }));
  const { pasted, add, message, rows, files } = await openView(page);
  const before = requested.length;
  await pasted.fill(TEXT);
  await add.click();
  await expect(rows).toHaveCount(3);
  // All texts come too, if they have not yet: no name may be given twice.
  const first = requested.slice(before).filter(({ path }) => !path.includes("/texts."));
  expect(first.filter(({ path }) => path.endsWith(".safetensors")).map(({ path }) => path.replace(/.*\//, ""))).toEqual([
    "document.fr.safetensors",
  ]);
  expect(first.filter(({ body }) => body !== null)).toEqual([]);
  const after = requested.length;
  await pasted.fill(TEXT);
  await add.click();
  await expect(rows).toHaveCount(6);
  await files.setInputFiles([file("snow.txt", "La neige est froide."), file("more.jsonl", '{"text":"Le sel."}')]);
  await expect(rows).toHaveCount(8);
  await expect(message).toContainText("Added 2 documents");
  expect(requested.slice(after)).toEqual([]);
});

test("each kind of file is read, and a folder with all that is in it", async ({ page }, info) => {
  const { rows, folder, message, language } = await openView(page);
  await language.selectOption("Italian");
  const path = info.outputPath("texts");
  await mkdir(`${path}/inner`, { recursive: true });
  await writeFile(`${path}/a plain one.txt`, "La pioggia cade.\n\nAncora.");
  await writeFile(`${path}/inner/three.tsv`, "i1\tThe lake\tIl lago è freddo.\r\ni2\tBread\tIl pane.\n");
  await writeFile(`${path}/inner/two.tsv`, "Snow\tLa neve.");
  await writeFile(`${path}/inner/list.json`, '[{"id":7,"title":"Salt","text":"Il sale."},\n{"text":"Il mare."}]');
  await writeFile(`${path}/inner/lines.json`, '{"text":"Il sole."}\n\n{"text":"La luna."}\n');
  await writeFile(`${path}/.hidden`, "Nascosto.");
  await folder.setInputFiles(path);
  await expect(message).toContainText("Added 8 documents in Italian");
  await expect(rows.getByRole("rowheader")).toHaveText(
    ["a plain one", "Il sole.", "La luna.", "Salt", "Il mare.", "The lake", "Bread", "Snow"],
  );
});

test("files that are dropped are added", async ({ page }) => {
  const { rows } = await openView(page);
  const dataTransfer = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["La pluie tombe."], "rain.txt"));
    return transfer;
  });
  await page.locator(".documents-drop").dispatchEvent("drop", { dataTransfer });
  await expect(rows.getByRole("rowheader")).toHaveText(["rain"]);
});

test("what was saved is found again after it was removed, with the same scores", async ({ page }) => {
  const { save, remove, files, rows, message } = await openWith(page);
  const [saved] = await Promise.all([page.waitForEvent("download"), save.click()]);
  expect(saved.suggestedFilename()).toBe("my-documents.safetensors");
  const bytes = await readFile(await saved.path());
  const found = await search(page, "rain in the forest");
  expect(found).toContain("La pluie tombe sur la montagne et dans la forêt.");
  const scores = await page.locator("#hits .score-value").allTextContents();
  await page.getByRole("link", { name: "Your documents" }).click();
  await remove.click();
  await expect(rows).toHaveCount(0);
  expect(await search(page, "rain in the forest")).not.toEqual(found);
  await page.getByRole("link", { name: "Your documents" }).click();
  await files.setInputFiles(file("my-documents.safetensors", bytes));
  await expect(message).toContainText("Added 3 documents");
  expect(await search(page, "rain in the forest")).toEqual(found);
  expect(await page.locator("#hits .score-value").allTextContents()).toEqual(scores);
});

test("the model is fine-tuned from feedback on an own document, and compared with the model as loaded", async ({ page }) => {
  await openWith(page);
  await search(page, "bread with salt");
  await parts(page).language("French").check();
  const card = parts(page).cards.filter({ hasText: "On fait le pain" });
  await card.getByRole("button", { name: /^Not relevant / }).click();
  await page.getByRole("button", { name: "Step", exact: true }).click();
  await expect(page.locator("#finetune-work")).toContainText("Step 1: loss 0.");
  const before = page.locator("#before-after-rows tr > :nth-child(2)");
  await expect(before.filter({ hasText: "On fait le pain" })).toHaveCount(1);
});

for (const [what, given, problem] of [
  ["an empty file", file("a.txt", ""), "a.txt: it is empty"],
  ["an empty table", file("a.tsv", "\n\n"), "a.tsv: it is empty"],
  ["broken UTF-8", file("a.tsv", Buffer.from([...Buffer.from("t\tbon\nt\tcaf"), 0xe9, 10])), "a.tsv, line 2: this is not UTF-8"],
  ["broken UTF-8 in a text", file("a.txt", Buffer.from([104, 10, 0xff, 10])), "a.txt, line 2: this is not UTF-8"],
  ["a picture", file("a.png", Buffer.from([137, 80, 78, 71, 0, 0, 1])), "a.png: this is no text"],
  ["four columns", file("a.tsv", "a\tb\tc\td"), "a.tsv, line 1: 4 columns between tabs, expected 2 (title, text) or 3"],
  ["one column", file("a.tsv", "no tabs"), "a.tsv, line 1: 1 column between tabs"],
  ["columns that change", file("a.tsv", "1\ta\tla pluie\n2\tle pain"), "a.tsv, line 2: 2 columns between tabs, but 3 in the first line"],
  ["no text", file("a.tsv", "title\t "), "a.tsv, line 1: the text is empty"],
  ["an id twice", file("a.tsv", "1\ta\tla pluie\n1\tb\tle pain"), "a.tsv, line 2: there is already a document with the id “1”"],
  ["an id of the documents that were here", file("a.json", '{"id":"bat.fr","text":"x"}'), "item 1: there is already a document with the id “bat.fr”"],
  ["JSON that is none", file("a.json", "[{]"), "a.json: not JSON:"],
  ["JSON without a text", file("a.json", '[{"text":"x"},{"body":"x"}]'), "a.json, item 2: it has no text, only: body"],
  ["a text that is a number", file("a.jsonl", '{"text":"x"}\n{"text":1}'), "a.jsonl, line 2: its text is a number, expected a string"],
  ["a list in a list", file("a.json", "[[1]]"), "a.json, item 1: found an array, expected an object"],
  ["a line of 2,000,000 letters", file("a.tsv", `t\tx\nt\t${"x".repeat(2_000_000)}`), "a.tsv, line 2: longer than 1,000,000 characters"],
  ["commas", file("a.csv", "a,b"), "save the table as TSV"],
  ["a model in place of an index", file("a.safetensors", "nothing of the kind"), "a.safetensors: "],
] as const) {
  test(`${what} is refused in words, and another file is added all the same`, async ({ page }) => {
    const { files, problem: notice, rows } = await openView(page);
    await files.setInputFiles([given, file("good.txt", "La pluie tombe.")]);
    await expect(notice.getByRole("alert")).toContainText("One file was not added:");
    await expect(notice).toContainText(problem);
    await expect(rows.getByRole("rowheader")).toHaveText(["good"]);
  });
}

test("100,000 documents can be stopped, and are added while the page answers", async ({ page }) => {
  test.slow();
  const { files, stop, message, here, rows } = await openView(page);
  const words = ["la pluie", "le pain", "du sel", "la neige", "un lac"];
  const lines = Array.from({ length: 100_000 }, (_, at) => `${at}\ttitle ${at}\t${words[at % 5]} ${words[(at * 7) % 5]} ${at}`);
  const table = file("many.tsv", lines.join("\n"));
  await files.setInputFiles(table);
  await stop.click();
  await expect(message).toHaveText("Stopped: nothing was added.");
  await expect(rows).toHaveCount(0);
  // Whatever else the page does while it reads; encoding is done elsewhere.
  await page.evaluate(() => {
    const turns = { reading: 0 };
    Object.assign(window, { turns });
    setInterval(() => {
      if (document.querySelector("#documents-message")?.textContent?.startsWith("Reading")) turns.reading += 1;
    });
  });
  await files.setInputFiles(table);
  await expect(message).toContainText("Added 100,000 documents");
  await expect(here).toContainText("And 99,800 more");
  const { reading } = await page.evaluate(() => (window as unknown as { turns: { reading: number } }).turns);
  expect(reading).toBeGreaterThan(3);
});

test("a pinned document's rank is looked for among 5,000, and said to be of more where there are more", async ({ page }) => {
  const { files, message } = await openView(page);
  const add = async (from: number, count: number) => {
    const lines = Array.from({ length: count }, (_, at) => `${from + at}\tsalt ${from + at}\tdu sel`);
    await files.setInputFiles(file("many.tsv", lines.join("\n")));
    await expect(message).toContainText("Added");
  };
  await add(0, 2568);
  await search(page, "rain over the mountains");
  await parts(page).cards.first().getByRole("button", { name: "Pin" }).click();
  const rank = page.getByRole("region", { name: "Pinned document" }).locator(".rank");
  await expect(rank).toHaveText("1st of 5,000");
  await page.getByRole("link", { name: "Your documents" }).click();
  await add(2568, 1);
  await page.getByRole("link", { name: "Search", exact: true }).click();
  await expect(rank).toHaveText("1st of 5,000+");
});

test("the link holds the language and the format, and no document", async ({ page }) => {
  const { language, format, pasted } = await openView(page, "&dl=sw&df=tsv");
  await expect(language).toHaveValue("sw");
  await expect(format).toHaveValue("tsv");
  await pasted.fill("secret\tsiri");
  await language.selectOption("it");
  await format.selectOption("json");
  await expect(page).toHaveURL(/dl=it&df=json$/);
  expect(page.url()).not.toContain("secret");
  await page.goto("./#view=documents&dl=xx&df=csv");
  await page.reload();
  await expect(language).toHaveValue("fr");
  await expect(format).toHaveValue("paragraphs");
});

test("an engine that stops takes the documents with it, and the page says so", async ({ page }) => {
  const { problem, rows } = await openWith(page);
  await page.evaluate(() => {
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (...message: unknown[]) {
      Worker.prototype.postMessage = post;
      this.dispatchEvent(new ErrorEvent("error", { message: "out of luck" }));
      Reflect.apply(post, this, message);
    };
  });
  await page.getByRole("link", { name: "Search", exact: true }).click();
  await parts(page).query.fill("snow");
  await parts(page).retry.click();
  await expect(parts(page).cards).toHaveCount(10);
  await page.getByRole("link", { name: "Your documents" }).click();
  await expect(problem).toContainText("add them again");
  await expect(rows).toHaveCount(0);
});

for (const [scheme, width] of [
  ["light", 320],
  ["dark", 1280],
] as const) {
  test(`axe finds nothing in ${scheme} colours at ${width} px, and nothing scrolls sideways`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 900 });
    const { files, problem } = await openWith(page);
    await files.setInputFiles([file("a.tsv", "no tabs"), file("good.txt", "La pluie tombe.")]);
    await expect(problem).toContainText("a.tsv");
    await expectAccessible(page);
    await expectFits(page);
    await expectRoomForFingers(page.locator(".view-documents :is(button, select, textarea):visible"));
  });
}
