import { codec } from "../../codec";

/** What a person can set in this view. */
export interface MapsState {}

export const maps = codec<MapsState>({});
