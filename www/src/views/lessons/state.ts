import { codec } from "../../codec";

/** What a person can set in this view. */
export interface LessonsState {}

export const lessons = codec<LessonsState>({});
