import { choice, codec } from "./codec";

/** The metrics by the paper's names, in its order. */
export const METRICS = ["P_mr@1", "P_mr@5", "P_r@5", "NDCG@5", "MAP", "MRR_mr", "MRR_r"] as const;
export type MetricName = (typeof METRICS)[number];

/** The name that is shown: `P_mr@5` counts documents, as hits do. */
export const labelOf = (metric: MetricName): string => (metric === "P_mr@5" ? "Hits@5" : metric);

/** The settings of this view. */
export interface MetricsState {
  /** The one that is drawn. */
  metric: MetricName;
  /** Documents of one language only; undefined is all. */
  language: string | undefined;
}

export const metrics = codec<MetricsState>({
  metric: choice<MetricName>("mm", "MAP", METRICS),
  language: {
    name: "mg",
    usual: undefined,
    parse: (text) => (/^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(text) ? text : undefined),
  },
});
