// The limits of the view; `docs/limits.md` lists them.

/** Characters of all documents that are added at once. */
export const ALL_CHARACTERS = 200_000_000;
/** Bytes of a PDF or a DOCX, which are read whole. */
export const WHOLE_BYTES = 256_000_000;
/** Bytes of the text parts of a DOCX when they are decompressed. */
export const DOCX_BYTES = 64_000_000;
/** Entries of the directory of a DOCX. */
export const DOCX_ENTRIES = 10_000;
