// The readers of documents, as a page and Node call them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { DocumentError, DocumentReader, formatOf } from "smooth-clir/documents";

const reader = await DocumentReader.load();
const utf8 = new TextEncoder();

function read(name, text, options) {
  const documents = [];
  const bytes = typeof text === "string" ? utf8.encode(text) : text;
  const { withoutText } = reader.read({ name, bytes }, (document) => documents.push(document), options);
  return { documents, withoutText };
}

const refusal = (code, fields = {}) => (error) => {
  assert.ok(error instanceof DocumentError);
  assert.deepEqual({ code: error.code, line: error.line, record: error.record, values: error.values }, { line: undefined, record: undefined, values: [], ...fields, code });
  return true;
};

test("the format is told by the name", () => {
  const names = ["a/b.MD", "x.htm", "x.TXT", "x.csv", "x.tab", "x.ndjson", "x.pdf", "x", "x.constructor", "a.md/x"];
  const formats = ["markdown", "html", "text", "csv", "tsv", "json", undefined, undefined, undefined, undefined];
  assert.deepEqual(names.map(formatOf), formats);
});

test("a page of Markdown is cut at headings, as the indexer cuts it", () => {
  const { documents } = read("rain.md", "# La pluie\n\nIl pleut.\n\n## Le vent {#vent}\n\nIl souffle fort.", { words: 5 });
  assert.deepEqual(documents.map(({ id, title, text }) => [id, title, text]), [
    ["rain.md", "La pluie", "La pluie\nIl pleut."],
    ["rain.md#vent", "La pluie", "Le vent\nIl souffle fort."],
  ]);
});

test("a page of HTML has its title and the language that it states", () => {
  const page = "<!doctype html><html lang=fr-CA><head><title>Le sel</title><script>x</script></head><body><nav>menu</nav><p>Du sel.</body>";
  assert.deepEqual(read("a.html", page).documents, [{ id: "a.html", title: "Le sel", section: "", text: "Le sel\nDu sel.", language: "fr" }]);
});

test("a text of any length is read in pieces", () => {
  const paragraph = `${"la pluie tombe ".repeat(20)}\n\n`;
  const text = utf8.encode(paragraph.repeat(60_000));
  assert.ok(text.length > 2 ** 24);
  let [count, most, words] = [0, 0, 0];
  const bytes = {
    length: text.length,
    read(start, end) {
      most = Math.max(most, end - start);
      return text.subarray(start, end);
    },
  };
  reader.read({ name: "long.txt", bytes }, (document) => {
    count += 1;
    words += document.text.split(/\s+/).length;
    assert.equal(document.title, "long");
  });
  assert.ok(most < 2 ** 21, String(most));
  assert.deepEqual([count, words], [60_000 / 3, 60_000 * 60]);
});

test("tables and JSON need no names of columns, and records may state a language", () => {
  const found = (name, text) => read(name, text).documents.map(({ id, title, text, language }) => [id, title, text, language]);
  assert.deepEqual(found("a.csv", "Titre;Texte;Langue\nSel;\"Du sel; fin\";fr\n"), [["a.csv#1", "Sel", "Du sel; fin", "fr"]]);
  assert.deepEqual(found("a.csv", "Sel,Du sel\n"), [["a.csv#1", "Sel", "Du sel", undefined]]);
  assert.deepEqual(found("a.tsv", "7\tSel\tDu sel\n"), [["a.tsv#1 7", "Sel", "Du sel", undefined]]);
  assert.deepEqual(found("a.jsonl", '{"text":"Du sel"}\n{"text":"Du pain","lang":"fr"}'), [
    ["a.jsonl#1", "Du sel", "Du sel", undefined],
    ["a.jsonl#2", "Du pain", "Du pain", "fr"],
  ]);
  assert.equal(read("a.json", '[{"text":"x"},{"title":"x"}]').withoutText, 1);
});

test("a document of another format is cut into passages", () => {
  const documents = [];
  const paragraphs = [{ text: "un deux", fragment: "page=1" }, { text: "trois quatre", fragment: "page=2" }];
  reader.cut({ name: "a/b.pdf", paragraphs }, (document) => documents.push(document), { words: 2 });
  assert.deepEqual(documents.map(({ id, title, text }) => [id, title, text]), [
    ["a/b.pdf", "b", "un deux"],
    ["a/b.pdf#page=2", "b", "trois quatre"],
  ]);
  assert.throws(() => reader.cut({ name: "a.pdf", paragraphs: [] }, () => {}), refusal("empty"));
});

test("a refusal has a code, its place and what was found", () => {
  assert.throws(() => read("a.txt", " \n"), refusal("empty"));
  assert.throws(() => read("a.html", "<p>"), refusal("empty"));
  assert.throws(() => read("a.md", Uint8Array.of(97, 10, 0xff)), refusal("not-utf8", { line: 2 }));
  assert.throws(() => read("a.md", new Uint8Array(2 ** 24 + 1).fill(97)), refusal("page-too-long", { values: ["16777216"] }));
  assert.equal(read("a.md", new Uint8Array(2 ** 24).fill(97)).documents.length, 1);
  assert.throws(() => read("a.csv", "a,b,c,d"), refusal("columns", { line: 1, values: ["4"] }));
  assert.throws(() => read("a.json", "[[]]"), refusal("not-object", { record: 1, values: ["array"] }));
  assert.throws(() => read("a.bin", "x"), refusal("unknown-format"));
  const gone = { length: 9, read: () => assert.fail("gone") };
  assert.throws(() => reader.read({ name: "a.txt", bytes: gone }, () => {}), refusal("unreadable", { values: ["cannot be read: the file changed or is gone"] }));
});

test("what the caller throws ends the reading", () => {
  const error = new Error("enough");
  let calls = 0;
  const take = () => {
    calls += 1;
    throw error;
  };
  assert.throws(() => reader.read({ name: "a.tsv", bytes: utf8.encode("a\tb\nc\td\n") }, take), (thrown) => thrown === error);
  assert.equal(calls, 1);
});
