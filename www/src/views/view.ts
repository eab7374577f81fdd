import type { SmoothClir } from "smooth-clir";
import type { Lab } from "smooth-clir/lab";
import type { Store } from "../state/state";

/** The parts of the page that a view uses. */
export interface Context {
  readonly store: Store;
  /** The mathematics: every call is immediate. */
  readonly lab: Lab;
  /** The epsilon in use. */
  epsilon(): number;
  /** The model's own epsilon. */
  ownEpsilon(): number;
  /** The engine with its model and documents; undefined while there is none. */
  engine(): SmoothClir | undefined;
  /** The engine of the demo model, which ranks by vectors alone; undefined while there is none. */
  demo(): SmoothClir | undefined;
  /** The engine has other documents now: the rest of the page is brought up to date. */
  documentsChanged(): void;
}

/** A view of the laboratory. */
export interface View {
  /** Brings it up to date. Called when it is shown and, while it is, whenever the state or the engine changes. */
  update(): void;
  /** The page has another engine, or none. Called whether or not it is shown. */
  engineChanged?(): void;
  /** It is shown no more: whatever moves by itself stops. */
  leave?(): void;
}

/** Builds a view in an empty element. */
export type Mount = (root: HTMLElement, context: Context) => View;
