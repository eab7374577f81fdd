import { codec } from "../../codec";

/** What a person can set in this view. */
export interface DocumentsState {}

export const documents = codec<DocumentsState>({});
