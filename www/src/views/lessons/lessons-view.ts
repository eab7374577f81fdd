import { make } from "../../ui/dom";
import * as format from "../../ui/format";
import type { Mount } from "../view";
import { goTo } from "./go";
import { LESSONS } from "../../state/lessons";
import { MINUTES } from "./minutes";
import { STEPS } from "./steps";
import { text } from "./strings";

/** The lessons that there are. */
export const mount: Mount = (root, { store }) => {
  const list = make("ol", "lesson-list");
  list.setAttribute("role", "list");
  for (const name of LESSONS) {
    const { title, about, before, notes } = text.lessons[name];
    const heading = make("h3", "", title);
    heading.id = `lesson-${name}`;
    const begin = make("button", "primary", text.begin);
    begin.type = "button";
    begin.setAttribute("aria-describedby", heading.id);
    begin.addEventListener("click", () => goTo(store, name, 0));
    const teacher = make("details", "lesson-teacher");
    const points = make("ul");
    const said = [text.minutes(format.count(MINUTES[name])), text.before(before), ...notes];
    points.append(...said.map((one) => make("li", "", one)));
    teacher.append(make("summary", "", text.teacher), points);
    const item = make("li", "lesson-card");
    item.append(heading, make("p", "", about), make("p", "lesson-steps", text.steps(format.count(STEPS[name].length))), begin, teacher);
    list.append(item);
  }
  root.append(make("h2", "", text.heading), make("p", "", text.introduction(format.count(LESSONS.length))), list);
  return { update() {} };
};
