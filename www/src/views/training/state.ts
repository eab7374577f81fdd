import { codec } from "../../codec";

/** What a person can set in this view. */
export interface TrainingState {}

export const training = codec<TrainingState>({});
