import { codec } from "../../codec";

/** What a person can set in this view. */
export interface MetricsState {}

export const metrics = codec<MetricsState>({});
