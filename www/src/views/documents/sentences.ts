import * as format from "../../ui/format";
import { languageName } from "../../i18n/strings";
import { packLanguages } from "../../model/models";
import type { Refusal } from "./reading";
import { text } from "./strings";

/** Says why a file is not read. */
export function sentenceOf({ path, problem: { code, line, record, values = [] } }: Refusal): string {
  const place = line !== undefined ? text.places.line(format.count(line)) : record !== undefined ? text.places.record(format.count(record)) : undefined;
  return text.problem(path, place, explanation(code, values));
}

function explanation(code: string, values: readonly string[]): string {
  const [first = "", second = ""] = values;
  const { problems } = text;
  const number = (value: string) => format.count(Number(value));
  switch (code) {
    case "empty":
    case "wrong-type":
    case "binary":
    case "utf16":
    case "old-word":
    case "unreadable":
    case "encrypted":
    case "not-word":
    case "broken-docx":
    case "not-utf8":
      return problems[code];
    case "scanned":
      return problems.scanned(Number(first), number(first));
    case "broken-pdf":
    case "not-json":
      return problems[code](first);
    case "zip-bomb":
      return problems.zipBomb(number(first), number(second));
    case "too-much":
      return problems.tooMuch(number(first));
    case "file-too-long":
    case "page-too-long":
    case "too-long":
      return problems.tooLong(format.megabytes(Number(first)));
    case "other-language":
      // The model at work knows it not: of the page's two, the full one may.
      return problems[packLanguages().includes(first) ? "otherModel" : "otherLanguage"](languageName(first));
    case "columns":
      return problems.columns(number(first));
    case "other-columns":
      return problems.otherColumns(Number(first), number(first), number(second));
    case "no-text-column":
      return problems.noTextColumn(first);
    case "not-object":
      return problems.notObject(problems.kinds[first as keyof typeof problems.kinds] ?? first);
    case "not-text":
      return problems.notText(first);
    default:
      return problems.other(first === "" ? code : first);
  }
}
