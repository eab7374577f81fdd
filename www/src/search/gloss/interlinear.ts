import { make } from "../../ui/dom";
import { strings } from "../../i18n/strings";
import type { Answer } from "./excerpt";
import { glossedParts } from "./words";
import "./interlinear.css";

/** A text with the gloss of each word below it, and the words that answer the query marked: `answers`, in order. */
export function interlinear(
  text: string,
  language: string,
  glosses: readonly (string | undefined)[],
  answers: readonly Answer[],
): HTMLElement {
  const line = make("p", "interlinear");
  line.lang = language;
  line.dir = "auto";
  let end = 0;
  let next = 0;
  for (const { text: part, gloss } of glossedParts(text, glosses)) {
    end += part.length;
    const first = next;
    while (next < answers.length && answers[next]![0] < end) next++;
    // The first where a part has two: an elided article may stand before the word that answers, as in l'eau.
    const answer = first < next ? answers[first]![1] : undefined;
    if (gloss === undefined) {
      line.append(part);
      continue;
    }
    const ruby = make("ruby", "", part);
    if (answer !== undefined) {
      ruby.classList.add("answer");
      ruby.dataset["word"] = answer;
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
