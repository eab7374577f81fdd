import { choice, codec } from "./codec";

/** The formats of a pasted text. */
export const FORMATS = ["paragraphs", "whole", "tsv", "json"] as const;
export type Format = (typeof FORMATS)[number];

/** The settings of this view. The documents themselves are no part of it. */
export interface DocumentsState {
  /** The language of what is added; where the model has no encoder for it, its first. */
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
