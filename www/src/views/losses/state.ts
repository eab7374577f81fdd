import { codec } from "../../codec";

/** What a person can set in this view. */
export interface LossesState {}

export const losses = codec<LossesState>({});
