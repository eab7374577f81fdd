import { make } from "../../ui/dom";
import * as format from "../../ui/format";
import type { Mount } from "../view";
import { goTo } from "./go";
import { LESSONS } from "../../state/lessons";
import { text } from "./strings";

/** The lessons that there are. */
export const mount: Mount = (root, { store }) => {
  const list = make("ol", "lesson-list");
  list.setAttribute("role", "list");
  for (const name of LESSONS) {
    const { title, about, steps } = text.lessons[name];
    const heading = make("h3", "", title);
    heading.id = `lesson-${name}`;
    const begin = make("button", "primary", text.begin);
    begin.type = "button";
    begin.setAttribute("aria-describedby", heading.id);
    begin.addEventListener("click", () => goTo(store, name, 0));
    const item = make("li", "lesson-card");
    item.append(heading, make("p", "", about), make("p", "lesson-steps", text.steps(format.count(steps.length))), begin);
    list.append(item);
  }
  root.append(make("h2", "", text.heading), make("p", "", text.introduction), list);
  return { update() {} };
};
