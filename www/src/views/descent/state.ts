import { codec } from "../../codec";

/** What a person can set in this view. */
export interface DescentState {}

export const descent = codec<DescentState>({});
