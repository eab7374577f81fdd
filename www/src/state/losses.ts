import type { LossName } from "smooth-clir/lab";
import { choice, choices, codec, number, type Field } from "./codec";

/** In the order of their colours. */
export const LOSSES = [
  "sosl",
  "three-part",
  "mse",
  "proportional-odds",
  "proportional-odds-paper",
] as const satisfies readonly LossName[];
export type Shown = (typeof LOSSES)[number];

export const CURVES = ["value", "slope"] as const;

/** The model whose scores are drawn: the one that is loaded, or the one that was tested before that was trained on. */
export const MODELS = ["loaded", "tested"] as const;

/** Between not relevant, partly relevant and relevant. */
export type Thresholds = readonly [number, number];
export const THRESHOLD_MOST = 0.99;
export const THRESHOLD_STEP = 0.01;

const thresholds: Field<Thresholds | undefined> = {
  name: "lt",
  usual: undefined,
  parse: (text) => {
    const [lower = Number.NaN, upper = Number.NaN, ...others] = text.split(",").map((part) => clamp(Number(part)));
    return others.length === 0 && lower < upper ? [lower, upper] : undefined;
  },
  format: (value) => value?.join(",") ?? "",
};

/** The settings of this view. */
export interface LossesState {
  /** Undefined: the model's own. */
  thresholds: Thresholds | undefined;
  shown: readonly Shown[];
  /** Whether the losses are drawn, or their slopes. */
  curve: (typeof CURVES)[number];
  /** The score at which numbers are read. */
  score: number;
  model: (typeof MODELS)[number];
}

export const losses = codec<LossesState>({
  thresholds,
  shown: choices("ll", ["sosl", "three-part", "mse", "proportional-odds"], LOSSES),
  curve: choice("lo", "value", CURVES),
  score: number("lr", 0.5, -1, 1),
  model: choice("lm", "loaded", MODELS),
});

/** Moves one threshold; it stops short of the other. */
export function moved([lower, upper]: Thresholds, which: 0 | 1, to: number): Thresholds {
  return which === 0
    ? [clamp(Math.min(to, upper - THRESHOLD_STEP)), upper]
    : [lower, clamp(Math.max(to, lower + THRESHOLD_STEP))];
}

function clamp(value: number): number {
  return Number(Math.min(Math.max(value, -THRESHOLD_MOST), THRESHOLD_MOST).toFixed(2));
}
