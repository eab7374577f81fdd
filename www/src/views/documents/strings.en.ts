/** The texts of this view, in English. */
export const en = {
  title: "Your documents",
  introduction:
    "Add files of your own, in any language of the model, and search them in your language. They are read and encoded here, in this tab.",
  privacy: "Your files never leave this device.",
  proof:
    "Your browser’s network panel shows it: the page fetches readers and the model’s words when they are first needed, and sends nothing.",

  add: "Add",
  drop: "Drop files or a folder here",
  chooseFiles: "Choose files",
  chooseFolder: "Choose a folder",
  kinds: "PDF, DOCX, HTML, Markdown, text, CSV, TSV, JSON and JSON Lines. Long documents are cut into passages of 200 words at most.",
  language: "Language of what you add",
  detect: "Detect it",
  languageNote: (languages: string) =>
    `This model finds documents in ${languages}. The language of each file is told by its words; the list below shows it, and you can correct it there. The model’s words of a language are fetched with its first document.`,
  paste: "Paste text instead",
  pasteHere: "Text to add",
  format: "Read it as",
  formats: {
    paragraphs: "text: each paragraph is a document",
    text: "text: one document",
    tsv: "TSV: (id,) title, text",
    json: "JSON: objects with a text",
  },
  addPasted: "Add the text",
  pasted: (number: string, time: string) => `Pasted text ${number}, ${time}`,
  nothingPasted: "There is nothing to add: paste or type a text first.",
  noEngine: "The model is not loaded yet.",
  noFiles: "There is no file in it.",
  stop: "Cancel",
  undo: "Undo",

  reading: (number: string, files: string) => `Reading file ${number} of ${files}…`,
  readingPages: (file: string, done: string, all: string) => `Reading ${file}: page ${done} of ${all}…`,
  readingBytes: (file: string, done: string, all: string) => `Reading ${file}: ${done} of ${all} MB…`,
  fetching: (language: string, size: string) => `Fetching the model’s words of ${language}: ${size} MB…`,
  encoding: (done: string, all: string) => `Encoding: ${done} of ${all} documents…`,
  counted: (documents: number, shownDocuments: string, files: number, shownFiles: string) =>
    `${documents === 1 ? "1 document" : `${shownDocuments} documents`} of ${files === 1 ? "1 file" : `${shownFiles} files`}`,
  added: (counted: string, languages: string, known: string, words: string) =>
    `Added ${counted} in ${languages}. The model knows ${known} of their ${words} words.`,
  withoutText: (records: number, shown: string) =>
    records === 1 ? "One record without a text was left out." : `${shown} records without a text were left out.`,
  pagesWithoutText: (pages: number, shown: string) =>
    pages === 1 ? "One page without text, such as a scanned one, was left out." : `${shown} pages without text, such as scanned ones, were left out.`,
  otherTypes: (files: number, shown: string, endings: string) =>
    files === 1 ? `One file of another type (${endings}) was passed over.` : `${shown} files of other types (${endings}) were passed over.`,
  noEnding: "no ending",
  broughtBack: (counted: string) => `${counted} can be searched again.`,
  nowIn: (file: string, language: string) => `${file} is now in ${language}.`,
  stopped: "Cancelled: nothing was added.",
  stoppedEncoding: "Cancelled: your documents cannot be searched until you add a file or reload the page.",
  failed: (message: string, code: string) => `Nothing was added: ${message} (${code}).`,
  failedEncoding: (message: string, code: string) => `Your documents cannot be searched: ${message} (${code}). Reload the page to try again.`,
  removedFile: (file: string) => `Deleted ${file}.`,
  removed: (counted: string) => `Deleted ${counted}, also from this browser’s storage.`,
  saved: (size: string) => `Saved as an index file of ${size} MB. It can be dropped here again, and the command line searches it.`,
  refused: (files: number, shown: string) => (files === 1 ? "One file was not added:" : `${shown} files were not added:`),
  refusedMore: (_: number, shown: string) => `and ${shown} more`,

  here: "What is here",
  none: "None of your documents is here yet.",
  summary: (counted: string, languages: string) => `${counted} in ${languages}.`,
  unknown: (documents: number, shown: string) =>
    documents === 1
      ? "One of them has no word that the model knows: no search finds it."
      : `${shown} of them have no word that the model knows: no search finds them.`,
  kept: (size: string) => `This browser keeps them for your next visit: ${size} of text.`,
  notKept: "This browser does not keep them: its storage is full or blocked. They are here until you close this tab.",
  training: "The model knows the words of the texts that it was trained on. It ignores all others.",
  columns: { file: "file", documents: "documents", known: "known words", bytes: "text", language: "language", remove: "delete" },
  caption: "Your files",
  size: (kilobytes: string | undefined, megabytes: string) => (kilobytes === undefined ? `${megabytes} MB` : `${kilobytes} kB`),
  languageOf: (file: string) => `Language of ${file}`,
  removeOne: "Delete",
  removeFile: (file: string) => `Delete ${file}`,
  more: (files: number, shown: string) => (files === 1 ? "And one more file, which is searched as well." : `And ${shown} more files, which are searched as well.`),
  search: "Search only these",
  save: "Save as an index file",
  list: "List as CSV",
  removeAll: "Delete all my documents",

  places: {
    line: (number: string) => `line ${number}`,
    record: (number: string) => `record ${number}`,
  },
  problem: (source: string, where: string | undefined, what: string) =>
    where === undefined ? `${source}: ${what}` : `${source}, ${where}: ${what}`,
  problems: {
    empty: "there is no text in it",
    "wrong-type": "files of this type are not read",
    binary: "this is no text: it has zero bytes",
    utf16: "this is UTF-16: save the file as UTF-8",
    "old-word": "this is an old or an encrypted Word file: save it as DOCX without a password",
    unreadable: "the file cannot be read: it was moved or changed",
    encrypted: "it is encrypted: save it without a password",
    "not-word": "this is no Word document",
    "broken-docx": "the DOCX is broken",
    "not-utf8": "this is not UTF-8: save the file in that encoding",
    scanned: (pages: number, shown: string) =>
      pages === 1 ? "its page has no text, as of a scan: recognise its text first (OCR)" : `none of its ${shown} pages has text, as of a scan: recognise its text first (OCR)`,
    "broken-pdf": (message: string) => `the PDF is broken: ${message}`,
    "not-json": (message: string) => `not JSON: ${message}`,
    zipBomb: (found: string, most: string) => `decompressed it has ${found} bytes or entries, more than ${most}`,
    tooMuch: (most: string) => `with this file there are more than ${most} characters, the most that is added at once`,
    tooLong: (most: string) => `longer than ${most} MB, the most that is read as one`,
    otherModel: (language: string) => `it is in ${language}, which the demo model does not know and the full model does: choose that under the hood of the search`,
    otherLanguage: (language: string) =>
      `it is in ${language}, which this model does not know; choose a language before you add it if that is wrong`,
    columns: (found: string) => `${found} columns without a header: expected text; title, text; or id, title, text; or a header with “text”`,
    otherColumns: (columns: number, found: string, first: string) => `${found} column${columns === 1 ? "" : "s"}, but ${first} in the first line`,
    noTextColumn: (found: string) => `the header names no column “text”, only: ${found}`,
    notObject: (found: string) => `found ${found}, expected an object with a “text”`,
    notText: (name: string) => `“${name}” is neither a string nor a number`,
    other: (message: string) => message,
    kinds: { null: "null", boolean: "a boolean", number: "a number", string: "a string", array: "a list" },
  },
};
