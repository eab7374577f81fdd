import type { Lab } from "smooth-clir/lab";
import * as format from "../../ui/format";
import { DOCUMENT, type Run } from "./runs";
import type { DescentState } from "../../state/descent";
import { text } from "./strings";

/** A step longer than the document's vector is a jump. */
const JUMP = 1;
/** Steps this much shorter than the first are as good as none. */
const STALLED = 1e-2;
/** The cosine from which q counts as pointing to d. */
const ARRIVED = 0.999;

const { told } = text;
const { plain, score } = format;

/** Describes the shown steps of a run in words. */
export function tell(run: Run, state: DescentState, lab: Lab, extent: number): string {
  return [...course(run, state, lab), ...outcome(run, state), ...beyond(run, state, extent)].join(" ");
}

/** The steps that it took, and what bounds them. */
function course({ name, epsilon, steps, places }: Run, { step, rate, clip }: DescentState, lab: Lab): string[] {
  const taken = steps.slice(0, step);
  const [first, ...others] = taken;
  const gradient = plain(places[0]!.gradient);
  const bounded = () => {
    if (epsilon === 0) return told.isCosine;
    const { exact } = lab.bounds(DOCUMENT, epsilon);
    return told.bound(plain(exact), plain(rate * exact));
  };
  if (!first) return name === "smooth" ? [told.start(gradient), bounded()] : [told.start(gradient)];
  const last = taken.at(-1)!;
  const opening = told.steps(gradient, plain(first.length));
  const since = others.length > 0 ? [told.since(others.length, plain(Math.max(...others.map(({ length }) => length))))] : [];
  switch (name) {
    case "cosine":
      return [opening, ...since];
    case "clipped":
      return [opening, told.clipped(taken.filter((one) => one.gradient > clip).length, taken.length), ...since];
    case "smooth":
      return [told.firstSteps(format.list(taken.slice(0, 3).map(({ length }) => plain(length)))), bounded()];
    case "adam": {
      const paid = () => told.paid(taken.length, plain(last.gradient), plain(last.length), plain(rate * last.gradient));
      return [told.hidden(gradient, plain(rate)), ...(others.length > 0 ? [paid()] : [])];
    }
  }
}

/** Describes the end of the run. */
function outcome({ epsilon, steps, places }: Run, { step }: DescentState): string[] {
  const [first, ...others] = steps.slice(0, step);
  if (!first) return [];
  const { norm, cosine } = places[step] ?? places.at(-1)!;
  const now = told.now(plain(norm), score(places[0]!.cosine), score(cosine));
  const still = others.length > 0 && others.every(({ length }) => length < STALLED * first.length);
  const arrived = cosine > ARRIVED;
  if (first.length > JUMP) return still ? [now, arrived ? told.jumpArrived : told.jumpStalled] : [now];
  // With smooth cosine length counts too, so the direction alone is not enough.
  return arrived && epsilon === 0 ? [now, told.noJump, told.arrived] : [now, told.noJump];
}

/** Says that the path has left the picture. */
function beyond({ places }: Run, { step }: DescentState, extent: number): string[] {
  const { point, norm } = places[step] ?? places.at(-1)!;
  return Math.max(...point.map(Math.abs)) > extent ? [text.left(plain(norm))] : [];
}
