import { MODELS, type ModelName } from "./models";

/** The methods that a search is compared with, beside the models that the page searches with. */
export const METHODS = ["lsi", "opca", "cca", "cdl"] as const;
export type MethodName = (typeof METHODS)[number];

/** All models and methods that can be compared. */
export const RANKERS = [...MODELS, ...METHODS] as const;
export type RankerName = (typeof RANKERS)[number];

/** The bytes of each method's model and documents, by language and method; known when the page is built. */
declare const METHOD_BYTES: Readonly<Record<string, Readonly<Record<string, number>>>>;

export const isMethod = (name: RankerName): name is MethodName => !(MODELS as readonly ModelName[]).includes(name as ModelName);

/** Whether the page was built with methods. */
export const hasMethods = Object.keys(METHOD_BYTES).length > 0;

/** The bytes of a method in a language; undefined where there is none. */
export const bytesOf = (method: MethodName, language: string): number | undefined => METHOD_BYTES[language]?.[method];
