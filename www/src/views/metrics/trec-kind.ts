/** The kinds of file that TREC has. */
export type TrecKind = "qrels" | "run";
