import { choice, codec } from "./codec";
import { keep, recall } from "../ui/kept";

/** The formats of a pasted text. */
export const FORMATS = ["paragraphs", "text", "tsv", "json"] as const;
export type Format = (typeof FORMATS)[number];

/** The language of the query encoder, in which documents can be too. */
export const QUERY_LANGUAGE = "en";

/** The field, with its value, by which a search finds a person's own documents only. */
export const OWN_FIELD = "collection";
export const OWN_VALUE = "own";

const KEPT = "documents";

/** Whether an earlier visit kept documents in this browser. */
export const hasKeptDocuments = (): boolean => recall(KEPT) !== undefined;

/** Notes whether this visit keeps documents. */
export const noteKeptDocuments = (has: boolean): void => keep(KEPT, has ? "kept" : undefined);

/** The settings of this view. The documents themselves are no part of it. */
export interface DocumentsState {
  /** The language of what is added; "" tells it by the words of each document. */
  language: string;
  format: Format;
}

export const documents = codec<DocumentsState>({
  language: {
    name: "dl",
    usual: "",
    parse: (text) => (/^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(text) ? text : undefined),
  },
  format: choice("df", "paragraphs", FORMATS),
});
