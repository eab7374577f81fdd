import { make } from "../../ui/dom";
import { strings } from "../../i18n/strings";
import { glossedParts } from "./words";
import "./interlinear.css";

/** A text with the gloss of each word below it. */
export function interlinear(text: string, language: string, glosses: readonly (string | undefined)[]): HTMLElement {
  const line = make("p", "interlinear");
  line.lang = language;
  line.dir = "auto";
  for (const { text: part, gloss } of glossedParts(text, glosses)) {
    if (gloss === undefined) {
      line.append(part);
      continue;
    }
    const ruby = make("ruby", "", part);
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
