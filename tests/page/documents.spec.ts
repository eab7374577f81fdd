import { mkdir, readFile, writeFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expectAccessible, expectFits, expectRoomForFingers } from "./everyone";
import { docx, docxParts, file, pdf, zip } from "./files";
import { expect, held, parts, test } from "./page";

const TEXT = `La pluie tombe sur la montagne et dans la forêt.

On fait le pain avec de la farine, du sel et de l’eau.

zzyzx qwrtp`;
const RAIN = "La pluie tombe sur la montagne et dans la forêt, et le vent souffle sur la mer.";

/** The view, as a person would name its parts. */
const view = (page: Page) => {
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  return {
    paste: page.getByText("Paste text instead"),
    pasted: page.getByRole("textbox", { name: "Text to add" }),
    language: page.getByRole("combobox", { name: "Language of what you add" }),
    format: page.getByRole("combobox", { name: "Read it as" }),
    files: page.getByLabel("Choose files").and(page.locator("input")),
    folder: page.getByLabel("Choose a folder").and(page.locator("input")),
    add: button("Add the text"),
    cancel: page.locator(".view-documents").getByRole("button", { name: "Cancel", exact: true }),
    undo: page.locator(".view-documents").getByRole("button", { name: "Undo", exact: true }),
    save: button("Save as an index file"),
    search: button("Search only these"),
    removeAll: button("Delete all my documents"),
    message: page.locator("#documents-message"),
    problem: page.locator(".documents-problems"),
    rows: page.getByRole("table", { name: "Your files" }).locator("tbody").getByRole("row"),
    names: page.getByRole("table", { name: "Your files" }).locator("tbody").getByRole("rowheader"),
    here: page.getByRole("region", { name: "What is here" }),
  };
};

async function openView(page: Page, more = "") {
  await page.goto(`./#view=documents&q=rain${more}`);
  const found = view(page);
  await expect(found.language.getByRole("option")).toHaveCount(6);
  return found;
}

async function openWith(page: Page, text = TEXT) {
  const found = await openView(page);
  await paste(found, text);
  return found;
}

async function paste(found: ReturnType<typeof view>, text: string): Promise<void> {
  if (!(await found.pasted.isVisible())) await found.paste.click();
  await found.pasted.fill(text);
  await found.add.click();
  await expect(found.message).toContainText("Added");
}

/** The titles of a search's documents. */
async function search(page: Page, query: string, count = 10): Promise<string[]> {
  const { query: box, cards, titles } = parts(page);
  await page.getByRole("link", { name: "Search", exact: true }).click();
  // An empty query leaves no words and no hits of the query before.
  await box.fill("");
  await expect(cards).toHaveCount(0);
  await box.fill(query);
  await expect(page.getByRole("group", { name: "The words of your search" }).getByRole("button").first()).toBeVisible();
  await expect(cards).toHaveCount(count);
  return titles.allTextContents();
}

const mine = (page: Page) => page.getByRole("checkbox", { name: "Only my documents" });
const back = (page: Page) => page.getByRole("link", { name: "Your documents" }).click();

test("by keyboard alone a text is pasted, counted and found", async ({ page }) => {
  const { pasted, message, rows, here } = await openView(page);
  const tabTo = async (name: string | RegExp) => {
    for (let at = 0; at < 40; at++) {
      await page.keyboard.press("Tab");
      const focused = page.locator(":focus");
      if ((await focused.getByText(name).count()) > 0 || (await focused.and(pasted).count()) > 0) return;
    }
    throw new Error(`no way to ${name}`);
  };
  await tabTo("Paste text instead");
  await page.keyboard.press("Enter");
  await tabTo("(the field)");
  await page.keyboard.insertText(TEXT);
  await tabTo("Add the text");
  await page.keyboard.press("Enter");
  await expect(pasted).toHaveValue("");
  await expect(message).toContainText(/^Added 3 documents of 1 file in French\. The model knows 24 of their 26 words\.$/);
  await expect(rows).toHaveCount(1);
  await expect(rows.getByRole("cell")).toContainText(["3", "92%", "1 kB"]);
  await expect(here).toContainText("One of them has no word that the model knows: no search finds it.");
  await tabTo("Search only these");
  await page.keyboard.press("Enter");
  await expect(parts(page).query).toBeFocused();
  await expect(mine(page)).toBeChecked();
  await expect(parts(page).titles).toHaveText(["La pluie tombe sur la montagne et dans la forêt.", "On fait le pain avec de la farine, du sel et de l’eau."]);
  await expect(parts(page).count).toContainText("3 documents");
  await mine(page).uncheck();
  await expect(parts(page).cards).toHaveCount(10);
  await expect(parts(page).count).toContainText("2,435 documents");
});

test("once the readers and a language’s words are here, adding documents makes no request", async ({ page }) => {
  const requested: { path: string; body: string | null }[] = [];
  page.on("request", (request) => requested.push({ path: new URL(request.url()).pathname, body: request.postData() }));
  const { files, message, rows } = await openView(page);
  const before = requested.length;
  await files.setInputFiles([file("rain.txt", RAIN)]);
  await expect(rows).toHaveCount(1);
  const first = requested.slice(before);
  const models = first.filter(({ path }) => path.endsWith(".safetensors") && !path.includes("/texts."));
  expect(models.map(({ path }) => path.replace(/.*\//, ""))).toEqual(["document.fr.safetensors"]);
  expect(first.filter(({ body }) => body !== null)).toEqual([]);
  // Libraries of other kinds of files stay where they are.
  expect(first.filter(({ path }) => /later-(pdf|docx)/.test(path))).toEqual([]);
  // Each batch of files has a worker of its own, whose scripts the browser has.
  const after = requested.length;
  await files.setInputFiles([file("snow.txt", "La neige est froide."), file("more.jsonl", '{"text":"Le sel."}')]);
  await expect(rows).toHaveCount(3);
  await expect(message).toContainText("Added 2 documents of 2 files");
  const later = requested.slice(after).filter(({ path }) => !path.includes("/assets/"));
  expect(later).toEqual([]);
});

test("each kind of file is read, and a folder with all that is in it", async ({ page }, info) => {
  const { rows, names, folder, message, problem } = await openView(page);
  const path = info.outputPath("texts");
  await mkdir(`${path}/inner`, { recursive: true });
  await writeFile(`${path}/a.txt`, "La pioggia cade sulla montagna e nella foresta.\n\nAncora la pioggia.");
  await writeFile(`${path}/inner/b.tsv`, "i1\tThe lake\tIl lago è freddo e la neve cade.\r\ni2\tBread\tIl pane è sulla tavola.\n");
  await writeFile(`${path}/inner/c.csv`, "titolo;text;lang\nSale;\"Il sale; il mare\";it\nVuoto;;it\n");
  await writeFile(`${path}/inner/d.json`, '[{"id":7,"title":"Salt","text":"Il sale è bianco."},\n{"text":"Il mare è grande e profondo."}]');
  await writeFile(`${path}/inner/e.jsonl`, '{"text":"Il sole è caldo."}\n\n{"text":"La luna è bianca nella notte."}\n');
  await writeFile(`${path}/inner/f.md`, "# La pioggia\n\nLa pioggia cade sul mare e sulla montagna.");
  await writeFile(`${path}/inner/g.html`, "<html lang=it><title>Il vento</title><p>Il vento soffia.<script>x</script></html>");
  await writeFile(`${path}/inner/h.pdf`, pdf([["La pioggia cade sulla monta-", "gna e nella foresta."], []], { title: "Pioggia" }));
  await writeFile(`${path}/inner/i.docx`, docx("Il pane", ["Il pane si fa con la farina, il sale e l’acqua."]));
  await writeFile(`${path}/.hidden`, "Nascosto.");
  await writeFile(`${path}/inner/picture.png`, "x");
  await writeFile(`${path}/inner/style.css`, "x");
  await folder.setInputFiles(path);
  await expect(message).toContainText("Added 12 documents of 9 files in Italian");
  await expect(message).toContainText("One record without a text was left out. One page without text, such as a scanned one, was left out.");
  await expect(message).toContainText("2 files of other types (.css, .png) were passed over.");
  await expect(problem).toBeEmpty();
  await expect(names).toHaveText(["a.txt", ...["b.tsv", "c.csv", "d.json", "e.jsonl", "f.md", "g.html", "h.pdf", "i.docx"].map((name) => `inner/${name}`)].map((name) => `texts/${name}`));
  await expect(rows.nth(7).getByRole("combobox")).toHaveValue("it");
  const titles = await search(page, "rain in the forest", 10);
  expect(titles.slice(0, 3)).toContain("Pioggia, p. 1");
  await expect(parts(page).cards.filter({ hasText: "Pioggia, p. 1" })).toContainText("montagna e nella foresta");
});

test("files that are dropped are added", async ({ page }) => {
  const { names } = await openView(page);
  const dataTransfer = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["La pluie tombe."], "rain.txt"));
    return transfer;
  });
  await page.locator(".documents-drop").dispatchEvent("drop", { dataTransfer });
  await expect(names).toHaveText(["rain.txt"]);
});

test("the language of a file is told by its words, and corrected", async ({ page }) => {
  const { files, rows, message, problem, language } = await openView(page);
  await files.setInputFiles([
    file("en.txt", "The rain falls over the mountains and the wind blows through the forest."),
    file("fr.txt", RAIN),
    file("it.txt", "La pioggia cade sulla montagna e nella foresta, e il vento soffia sul mare."),
    file("mixed.tsv", `a\t${RAIN}\nb\tLa pioggia cade sulla montagna e nella foresta, e il vento soffia.\n`),
    file("sw.txt", "Mvua inanyesha juu ya milima na msitu, na upepo unavuma kutoka baharini."),
    file("tl.txt", "Bumabagsak ang ulan sa mga bundok at sa gubat, at umiihip ang hangin sa dagat."),
  ]);
  await expect(message).toContainText("Added 7 documents of 6 files in English, French, Italian, Swahili and Tagalog");
  const values = () => rows.getByRole("combobox").evaluateAll((all) => all.map((one) => (one as HTMLSelectElement).value));
  expect(await values()).toEqual(["en", "fr", "it", "", "sw", "tl"]);
  await expect(rows.nth(3).getByRole("combobox")).toContainText("French and Italian");
  await rows.nth(1).getByRole("combobox").selectOption("Italian");
  await expect(message).toContainText("fr.txt is now in Italian.");
  await expect(rows.filter({ hasText: "fr.txt" }).getByRole("combobox")).toHaveValue("it");
  const german = "Der Regen fällt auf die Berge und in den Wald, und der Wind weht über das Meer. Der Schnee ist kalt, und das Brot wird aus Mehl, Salz und Wasser gemacht. Am Abend gehen die Kinder nach Hause und lesen ein Buch.";
  await files.setInputFiles([file("de.txt", german), file("page.html", "<html lang=de><p>Regen</html>")]);
  await expect(problem).toContainText("de.txt: it is in German, which the demo model does not know and the full model does");
  await expect(problem).toContainText("page.html: it is in German");
  const polish = "Deszcz pada na góry i w lesie, a wiatr wieje nad morzem. Śnieg jest zimny, a chleb robi się z mąki, soli i wody. Wieczorem dzieci idą do domu i czytają książkę, a potem słuchają długiej opowieści o starym królu, który mieszkał za siedmioma górami.";
  await files.setInputFiles(file("pl.txt", polish));
  await expect(problem).toContainText("pl.txt: it is in Polish, which this model does not know");
  await language.selectOption("English");
  await files.setInputFiles(file("de.txt", german));
  await expect(message).toContainText("Added 1 document of 1 file in English");
});

test("English documents are found", async ({ page }) => {
  const { files, message } = await openView(page);
  await files.setInputFiles([
    file("rain.txt", "The rain falls over the mountains and in the forest."),
    file("bread.txt", "Bread is made of flour, salt and water. People eat it every day."),
  ]);
  await expect(message).toContainText("in English");
  expect(await search(page, "rain", 2)).toEqual(["rain", "bread"]);
  expect(await search(page, "salt and flour", 2)).toEqual(["bread", "rain"]);
});

test("documents are kept for the next visit, and deleted with one press, which can be taken back", async ({ page }) => {
  const { files, rows, here } = await openView(page);
  await files.setInputFiles([file("rain.txt", RAIN), file("snow.txt", "La neige est froide sur la montagne.")]);
  await expect(rows).toHaveCount(2);
  await expect(here).toContainText("keeps them for your next visit: 1 kB of text");
  // The search finds them, without the view being opened.
  await page.goto("./#q=rain&mine=1");
  await page.reload();
  await expect(parts(page).titles).toHaveText(["rain", "snow"]);
  await back(page);
  await expect(rows).toHaveCount(2);
  const { removeAll, undo, message, names } = view(page);
  await removeAll.click();
  await expect(message).toHaveText("Deleted 2 documents of 2 files, also from this browser’s storage.");
  await expect(rows).toHaveCount(0);
  await expect(undo).toBeFocused();
  await undo.click();
  await expect(message).toHaveText("2 documents of 2 files can be searched again.");
  await page.getByRole("button", { name: "Delete rain.txt" }).click();
  await expect(message).toHaveText("Deleted rain.txt.");
  await page.reload();
  await expect(names).toHaveText(["snow.txt"]);
  await removeAll.click();
  await expect(rows).toHaveCount(0);
  await page.reload();
  await expect(here).toContainText("None of your documents is here yet.");
  expect(await page.evaluate(() => localStorage.getItem("smooth-clir documents"))).toBeNull();
});

test("a file that is added again replaces the one before", async ({ page }) => {
  const { files, rows, message } = await openView(page);
  await files.setInputFiles(file("a.txt", RAIN));
  await expect(message).toContainText("Added 1 document");
  await files.setInputFiles(file("a.txt", "Le pain est fait de farine, de sel et d’eau."));
  await expect(message).toContainText("Added 1 document of 1 file");
  await expect(rows).toHaveCount(1);
  await search(page, "bread", 1);
  await expect(parts(page).cards).toContainText("Le pain est fait");
});

test("a replacement that fails leaves all documents where they can be found", async ({ page }) => {
  const { files, rows, message, problem } = await openView(page);
  await files.setInputFiles([file("a.txt", RAIN), file("b.txt", "Le pain est fait de farine, de sel et d’eau.")]);
  await expect(message).toContainText("Added 2 documents");
  await page.route("**/document.it.safetensors*", (route) => route.fulfill({ status: 404, body: "" }));
  await rows.nth(0).getByRole("combobox").selectOption("Italian");
  await expect(problem).toContainText("404");
  await page.getByRole("button", { name: "Search only these" }).click();
  await parts(page).query.fill("bread and rain");
  await expect(parts(page).cards).toHaveCount(2);
});

test.describe("the full model", () => {
  test.use({ model: "" });
  test("may come while documents are added, which it then has too", async ({ page }) => {
    const release = await held(page, "**/generated/models/query.safetensors*");
    const { files, rows, message } = await openView(page);
    const lines = Array.from({ length: 50_000 }, (_, at) => `${at}\ttitle ${at}\tla pluie et le pain ${at}`);
    await files.setInputFiles(file("many.tsv", lines.join("\n")));
    await expect(message).toContainText("Encoding");
    release();
    await expect(message).toContainText("50,000 documents of 1 file can be searched again.");
    await expect(rows).toHaveCount(1);
  });
});

test("where the storage is full, documents are searched all the same, and the page says so", async ({ page }) => {
  await page.addInitScript(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  const { files, rows, here } = await openView(page);
  await files.setInputFiles(file("rain.txt", RAIN));
  await expect(rows).toHaveCount(1);
  await expect(here).toContainText("This browser does not keep them: its storage is full or blocked.");
  expect(await search(page, "rain", 1)).toEqual(["rain"]);
});

test("what was saved is found again after it was deleted, with the same scores", async ({ page }) => {
  const { save, removeAll, files, rows, message } = await openWith(page);
  const [saved] = await Promise.all([page.waitForEvent("download"), save.click()]);
  expect(saved.suggestedFilename()).toBe("my-documents.safetensors");
  const bytes = await readFile(await saved.path());
  const found = await search(page, "rain in the forest", 2);
  const scores = await page.locator("#hits .score-value").allTextContents();
  await back(page);
  await removeAll.click();
  await expect(rows).toHaveCount(0);
  expect(await search(page, "rain in the forest")).not.toEqual(found);
  await back(page);
  await files.setInputFiles(file("my-documents.safetensors", bytes));
  await expect(message).toContainText("Added 3 documents");
  expect(await search(page, "rain in the forest", 2)).toEqual(found);
  expect(await page.locator("#hits .score-value").allTextContents()).toEqual(scores);
});

test("the model is fine-tuned from feedback on an own document, and compared with the model as loaded", async ({ page }) => {
  await openWith(page);
  await search(page, "bread with salt", 2);
  const card = parts(page).cards.filter({ hasText: "On fait le pain" });
  await card.getByRole("button", { name: /^Not relevant / }).click();
  await page.getByRole("button", { name: "Step", exact: true }).click();
  await expect(page.locator("#finetune-work")).toContainText("Step 1: loss 0.");
  const before = page.locator("#before-after-rows tr > :nth-child(2)");
  await expect(before.filter({ hasText: "On fait le pain" })).toHaveCount(1);
});

const bomb = docxParts("x", ["y"]);
for (const [what, given, problem] of [
  ["an empty file", file("a.txt", ""), "a.txt: there is no text in it"],
  ["an empty table", file("a.tsv", "\n\n"), "a.tsv: there is no text in it"],
  ["broken UTF-8", file("a.tsv", Buffer.from([...Buffer.from("t\tbon\nt\tcaf"), 0xe9, 10])), "a.tsv, line 2: this is not UTF-8"],
  ["broken UTF-8 in a text", file("a.txt", Buffer.from([104, 10, 0xff, 10])), "a.txt, line 2: this is not UTF-8"],
  ["UTF-16", file("a.txt", Buffer.from("\ufeffpluie", "utf16le")), "a.txt: this is UTF-16"],
  ["a picture", file("a.png", Buffer.from([137, 80, 78, 71, 0, 0, 1])), "a.png: files of this type are not read"],
  ["a picture in a text’s name", file("a.txt", Buffer.from([137, 80, 78, 71, 0, 0, 1])), "a.txt: this is no text"],
  ["four columns", file("a.tsv", "a\tb\tc\td"), "a.tsv, line 1: 4 columns without a header"],
  ["columns that change", file("a.tsv", "1\ta\tla pluie\n2\tle pain"), "a.tsv, line 2: 2 columns, but 3 in the first line"],
  ["no text", file("a.tsv", "title\t "), "a.tsv: there is no text in it"],
  ["JSON that is none", file("a.json", "[{]"), "a.json, line 1: not JSON: key must be a string"],
  ["JSON without a text", file("a.json", '[{"body":"x"}]'), "a.json: there is no text in it"],
  ["a text that is a list", file("a.jsonl", '{"text":"x"}\n{"text":[]}'), "a.jsonl, record 2: “text” is neither a string nor a number"],
  ["a list in a list", file("a.json", "[[1]]"), "a.json, record 1: found a list, expected an object"],
  ["a model in place of an index", file("a.safetensors", "nothing of the kind"), "a.safetensors: "],
  ["a PDF without text", file("a.pdf", pdf([[], []])), "a.pdf: none of its 2 pages has text, as of a scan"],
  ["an encrypted PDF", file("a.pdf", pdf([["La pluie"]], { encrypted: true })), "a.pdf: it is encrypted"],
  ["a PDF that is none", file("a.pdf", "nothing of the kind"), "a.pdf: the PDF is broken"],
  ["a DOCX that is none", file("a.docx", "nothing of the kind"), "a.docx: the DOCX is broken"],
  ["another archive", file("a.docx", zip([{ name: "a.xml", content: Buffer.from("<a/>") }])), "a.docx: this is no Word document"],
  ["an old Word file", file("a.docx", Buffer.from("d0cf11e0a1b11ae1", "hex")), "a.docx: this is an old or an encrypted Word file"],
  [
    "a DOCX that becomes too large",
    file("a.docx", zip([...bomb, { name: "word/bomb.xml", content: Buffer.alloc(65_000_000) }])),
    "a.docx: decompressed it has 65,000,896 bytes or entries, more than 64,000,000",
  ],
  [
    "a DOCX that lies about its size",
    file("a.docx", zip([...bomb, { name: "word/bomb.xml", content: Buffer.alloc(65_000_000), says: 1000 }])),
    "bytes or entries, more than 1,000",
  ],
] as const) {
  test(`${what} is refused in words, and another file is added all the same`, async ({ page }) => {
    const { files, problem: notice, names } = await openView(page);
    await files.setInputFiles([given, file("good.txt", "La pluie tombe.")]);
    await expect(notice.getByRole("alert")).toContainText("One file was not added:");
    await expect(notice).toContainText(problem);
    await expect(names).toHaveText(["good.txt"]);
  });
}

test("a PDF of 300 pages is read with progress, and its passages name their pages", async ({ page }) => {
  const { files, message } = await openView(page);
  await page.evaluate(() => {
    const seen = new Set<string>();
    Object.assign(window, { seen });
    const look = () => {
      seen.add(document.querySelector("#documents-message")?.textContent ?? "");
      requestAnimationFrame(look);
    };
    look();
  });
  const pages = Array.from({ length: 300 }, (_, at) =>
    Array.from({ length: 40 }, (_, line) => `La pluie tombe sur la montagne, page ${at + 1}, ligne ${line + 1}.`),
  );
  await files.setInputFiles(file("long.pdf", pdf(pages)));
  // A page of 40 lines of 10 words makes two passages.
  await expect(message).toContainText("Added 600 documents of 1 file in French");
  const seen = await page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen]);
  expect(seen.some((text) => /^Reading long\.pdf: page \d+ of 300…$/.test(text))).toBe(true);
  await search(page, "rain");
  await expect(parts(page).titles.first()).toHaveText(/^long, p\. \d+$/);
});

test("100,000 documents can be cancelled, and are added while the page answers", async ({ page }) => {
  test.slow();
  const { files, cancel, message, rows } = await openView(page);
  const words = ["la pluie", "le pain", "du sel", "la neige", "un lac"];
  const lines = Array.from({ length: 100_000 }, (_, at) => `${at}\ttitle ${at}\t${words[at % 5]} ${words[(at * 7) % 5]} ${at}`);
  const table = file("many.tsv", lines.join("\n"));
  await files.setInputFiles(table);
  await cancel.click();
  await expect(message).toHaveText("Cancelled: nothing was added.");
  await expect(rows).toHaveCount(0);
  // Whatever else the page does while it reads; reading and encoding are done elsewhere.
  await page.evaluate(() => {
    const turns = { count: 0, longest: 0, last: performance.now() };
    Object.assign(window, { turns });
    setInterval(() => {
      const now = performance.now();
      turns.count += 1;
      turns.longest = Math.max(turns.longest, now - turns.last);
      turns.last = now;
    });
  });
  await files.setInputFiles(table);
  await expect(message).toContainText("Added 100,000 documents");
  const { count } = await page.evaluate(() => (window as unknown as { turns: { count: number } }).turns);
  expect(count).toBeGreaterThan(50);
});

test("a pinned document’s rank is looked for among 5,000, and said to be of more where there are more", async ({ page }) => {
  const { files, message } = await openView(page);
  const add = async (name: string, count: number) => {
    const lines = Array.from({ length: count }, (_, at) => `${at}\tsalt ${at}\tdu sel`);
    await files.setInputFiles(file(name, lines.join("\n")));
    await expect(message).toContainText("Added");
  };
  await add("one.tsv", 2568);
  await search(page, "rain over the mountains");
  await mine(page).uncheck();
  await expect(parts(page).titles.first()).not.toContainText("salt");
  await parts(page).cards.first().getByRole("button", { name: "Pin" }).click();
  const rank = page.getByRole("region", { name: "Pinned document" }).locator(".rank");
  await expect(rank).toHaveText("1st of 5,000");
  await back(page);
  await add("two.tsv", 1);
  await page.getByRole("link", { name: "Search", exact: true }).click();
  await mine(page).uncheck();
  await expect(rank).toHaveText("1st of 5,000+");
});

test("the link holds the language and the format, and no document", async ({ page }) => {
  const { language, format, pasted, paste } = await openView(page, "&dl=sw&df=tsv");
  await paste.click();
  await expect(language).toHaveValue("sw");
  await expect(format).toHaveValue("tsv");
  await pasted.fill("secret\tsiri");
  await language.selectOption("it");
  await format.selectOption("json");
  await expect(page).toHaveURL(/dl=it&df=json$/);
  expect(page.url()).not.toContain("secret");
  await page.goto("./#view=documents&dl=xx&df=csv");
  await page.reload();
  await expect(language).toHaveValue("");
  await paste.click();
  await expect(format).toHaveValue("paragraphs");
});

test("an engine that stops does not take the documents with it", async ({ page }) => {
  const { message, rows } = await openWith(page);
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
  await expect(parts(page).cards).not.toHaveCount(0);
  await back(page);
  await expect(message).toContainText("3 documents of 1 file can be searched again.");
  await expect(rows).toHaveCount(1);
});

for (const [scheme, width] of [
  ["light", 320],
  ["dark", 1280],
] as const) {
  test(`axe finds nothing in ${scheme} colours at ${width} px, and nothing scrolls sideways`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 900 });
    const { files, problem } = await openWith(page);
    await files.setInputFiles([file("a.tsv", "a\tb\tc\td"), file("good.txt", "La pluie tombe.")]);
    await expect(problem).toContainText("a.tsv");
    await expectAccessible(page);
    await expectFits(page);
    await expectRoomForFingers(page.locator(".view-documents :is(button, select, textarea):visible"));
  });
}
