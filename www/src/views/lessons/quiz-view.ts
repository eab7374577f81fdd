import { make } from "../../ui/dom";
import * as format from "../../ui/format";
import { toNumber, type Quiz } from "./facts";
import { text } from "./strings";

/** A question that is checked: its options or a field for a number, whether the answer is right, and why. */
export function quizView(quiz: Quiz, options: readonly string[] = [], answer: string): HTMLElement {
  const form = make("form", "lesson-quiz");
  const why = make("details", "lesson-answer");
  why.append(make("summary", "", text.answer), make("p", "", answer));
  const result = make("p", "lesson-result");
  result.role = "status";
  const check = make("button", "", text.check);
  check.type = "submit";
  const tell = (right: boolean, words: string) => {
    result.textContent = words;
    result.classList.toggle("lesson-right", right);
    result.classList.toggle("lesson-wrong", !right);
    why.open = true;
    why.scrollIntoView({ block: "nearest" });
  };
  const ask = (words: string) => {
    result.textContent = words;
    result.classList.remove("lesson-right", "lesson-wrong");
  };

  if (quiz.kind === "choice") {
    const group = make("fieldset", "chip-group");
    const radios = options.map((option) => {
      const label = make("label", "lesson-option");
      const radio = make("input");
      radio.type = "radio";
      radio.name = "lesson-option";
      label.append(radio, make("span", "", option));
      group.append(label);
      return radio;
    });
    group.prepend(make("legend", "visually-hidden", text.yourAnswer));
    form.append(group);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const chosen = radios.findIndex(({ checked }) => checked);
      if (chosen < 0) ask(text.nothingChosen);
      else tell(chosen === quiz.right, chosen === quiz.right ? text.right : text.wrong);
    });
  } else {
    const label = make("label", "labelled");
    const field = make("input");
    field.type = "text";
    field.inputMode = "decimal";
    field.autocomplete = "off";
    field.size = 8;
    label.append(make("span", "", text.yourAnswer), field);
    form.append(label);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const value = toNumber(field.value);
      if (value === undefined) return ask(text.noNumber);
      const { expected, tolerance } = quiz;
      const right = Math.abs(value - expected) <= tolerance * Math.abs(expected);
      const shown = format.plain(expected);
      tell(right, right ? text.rightNumber(shown) : text.wrongNumber(shown));
    });
  }
  form.append(check, result, why);
  return form;
}
