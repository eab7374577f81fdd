import { make } from "../../ui/dom";
import { strings } from "../../i18n/strings";
import { glossedParts } from "./words";
import "./interlinear.css";

/** A text with the gloss of each word below it; `answers` are the query's words, by where the words that answer them begin. */
export function interlinear(
  text: string,
  language: string,
  glosses: readonly (string | undefined)[],
  answers: ReadonlyMap<number, string>,
): HTMLElement {
  const line = make("p", "interlinear");
  line.lang = language;
  line.dir = "auto";
  let end = 0;
  for (const { text: part, gloss } of glossedParts(text, glosses)) {
    // An elided article stands before the word that answers: l'eau.
    const [from] = [...answers.keys()].filter((at) => at >= end && at < end + part.length);
    end += part.length;
    if (gloss === undefined) {
      line.append(part);
      continue;
    }
    const ruby = make("ruby", "", part);
    if (from !== undefined) {
      ruby.classList.add("answer");
      ruby.dataset["word"] = answers.get(from)!;
    }
    const below = make("rt", "", gloss);
    below.lang = "en";
    ruby.append(below);
    line.append(ruby);
  }
  const note = make("p", "gloss-note", strings.gloss.note);
  const whole = make("div");
  whole.append(line, note);
  return whole;
}
