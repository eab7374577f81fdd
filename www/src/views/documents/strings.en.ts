/** The texts of this view, in English. */
export const en = {
  title: "Your documents",
  introduction:
    "Add texts of your own: they are encoded here, in this tab, and every search finds them beside the documents that were here before.",
  privacy: "Nothing of this leaves your device.",
  proof:
    "Open your browser’s network panel and see: for the first document of a language the page fetches the model’s words of that language, and for the first of all the part that encodes; adding documents sends nothing.",
  link: "Your documents are no part of the link to this page, and are gone when the tab is closed. Save keeps them as a file.",

  language: "Language of the documents",
  languageNote: (languages: string, query: string) =>
    `This model knows documents in ${languages}. You search in ${query}, but documents in ${query} it cannot encode.`,
  add: "Add",
  drop: "Drop files or a folder here, or",
  chooseFiles: "Choose files",
  chooseFolder: "Choose a folder",
  kinds: "Text: each file is a document. TSV: id, title and text, or title and text. JSON: objects with a text, where wanted an id and a title; in a list, or one on each line. Files that were saved here.",
  paste: "Or paste text",
  format: "Read it as",
  formats: {
    paragraphs: "text: each paragraph is a document",
    whole: "text: one document",
    tsv: "TSV: (id,) title, text",
    json: "JSON: objects with a text",
  },
  addPasted: "Add what is pasted",
  pasted: (number: string) => `Pasted text ${number}`,
  nothingPasted: "There is nothing to add: paste or type a text first.",
  noEngine: "The model is not loaded yet.",
  noFiles: "There is no file in it.",
  stop: "Stop",

  reading: (done: string, files: string) => `Reading file ${done} of ${files}…`,
  readingPasted: "Reading…",
  fetching: (language: string, size: string) => `Fetching the model’s words of ${language}: ${size} MB…`,
  encoding: (done: string, all: string) => `Encoding: ${done} of ${all} documents…`,
  added: (documents: number, shown: string, languages: string, known: string, words: string) =>
    `Added ${countDocuments(documents, shown)} in ${languages}. Of ${words} words the model knows ${known}.`,
  stopped: "Stopped: nothing was added.",
  failed: (message: string, code: string) => `Nothing was added: ${message} (${code}).`,
  removed: "Your documents are removed. Fine-tuning from feedback on them stays in force.",
  saved: (size: string) => `Saved as an index file of ${size} MB. It can be dropped here again, and the command line searches it.`,
  lost: "The search engine was started anew, so your documents are gone from it: add them again.",
  refused: (files: number) => (files === 1 ? "One file was not added:" : `${files} files were not added:`),
  refusedMore: (count: string) => `and ${count} more`,

  here: "What is here",
  none: "None of your documents is here yet.",
  summary: (documents: number, shown: string, languages: string) => `${countDocuments(documents, shown)} in ${languages}.`,
  unknown: (documents: number, shown: string) =>
    documents === 1
      ? "One of them has no word that the model knows: no search finds it."
      : `${shown} of them have no word that the model knows: no search finds them.`,
  training:
    "The model knows the words of the texts that it was trained on, and no other. A word that it does not know counts for nothing.",
  columns: { title: "title", known: "known words", unknown: "unknown words", language: "language" },
  caption: "Your documents, and how many of their words the model knows",
  more: (count: string) => `And ${count} more, which are searched as well.`,
  search: "Search them",
  save: "Save",
  list: "List as CSV",
  remove: "Remove all",

  places: {
    line: (number: string) => `line ${number}`,
    item: (number: string) => `item ${number}`,
    paragraph: (number: string) => `paragraph ${number}`,
  },
  problem: (source: string, where: string | undefined, what: string) =>
    where === undefined ? `${source}: ${what}` : `${source}, ${where}: ${what}`,
  problems: {
    empty: "it is empty",
    noText: "the text is empty",
    notText: "this is no text: it has a zero byte",
    notUtf8: "this is not UTF-8: save the file in that encoding",
    table: "comma-separated values are not read: save the table as TSV, with tabs",
    tooLong: (most: string) => `longer than ${most} characters, the most that is read as one`,
    tooMuch: (most: string) => `with this it has more than ${most} characters, the most that is added at once`,
    columns: (found: string) => `${found} column${found === "1" ? "" : "s"} between tabs, expected 2 (title, text) or 3 (id, title, text)`,
    otherColumns: (found: string, first: string) => `${found} column${found === "1" ? "" : "s"} between tabs, but ${first} in the first line`,
    notJson: (message: string) => `not JSON: ${message}`,
    noObject: (found: string) => `found ${withArticle(found)}, expected an object with a text`,
    noString: (name: string, found: string) => `its ${name} is ${withArticle(found)}, expected a string`,
    noTextKey: (keys: string) => `it has no text, only: ${keys === "" ? "nothing" : keys}`,
    taken: (id: string) => `there is already a document with the id “${id}” in this language`,
    language: (language: string) => `it has documents in ${language}, which this model does not know`,
  },
};

const countDocuments = (count: number, shown: string) => (count === 1 ? "1 document" : `${shown} documents`);

function withArticle(kind: string): string {
  if (kind === "null") return kind;
  return /^[aeiou]/.test(kind) ? `an ${kind}` : `a ${kind}`;
}
