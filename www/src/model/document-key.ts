/** Names a document: indexes of two languages may use the same ids. */
export const keyOf = ({ language, id }: { language: string; id: string }): string => `${language} ${id}`;

/** A document's name as a link may give it; undefined for what cannot be one. */
export const toKey = (text: string): string | undefined =>
  /^[a-z]{2,8}(-[a-z0-9]{1,8})* [^,]{1,200}$/i.test(text) ? text : undefined;
