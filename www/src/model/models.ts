import type { SmoothClir } from "smooth-clir";
import { keep, recall } from "../ui/kept";

/** The models that the page searches with: the demo model, trained by paper 1's method on the built-in corpus, and the full model. */
export const MODELS = ["demo", "full"] as const;
export type ModelName = (typeof MODELS)[number];

/** The bytes of the files of models and indexes, known when the page is built; none of a model that it was built without. */
declare const MODEL_FILES: Readonly<Record<string, number>>;
/** Tells what is in those files, and in the texts beside them. */
declare const GENERATED_VERSION: string;

const FOLDERS: Record<ModelName, string> = { demo: "", full: "models/" };
const queryFile = (name: ModelName) => `${FOLDERS[name]}query.safetensors`;
const encoderFile = (name: ModelName, language: string) => `${FOLDERS[name]}document.${language}.safetensors`;
/** Both models' indexes of a language lie beside its texts, which they share. */
const indexFile = (name: ModelName, language: string) => `documents/${language}/${name}.safetensors`;
const addressOf = (file: string) => new URL(`./generated/${file}`, document.baseURI);
/** With the version, so that what this device keeps of the same build is taken without asking the server. */
const fixedAddressOf = (file: string) => new URL(`?v=${GENERATED_VERSION}`, addressOf(file));

/** Whether the page was built with the full model. */
export const hasFullModel = queryFile("full") in MODEL_FILES;

/** The languages of a model's document encoders. */
export const languagesOf = (name: ModelName): string[] =>
  Object.keys(MODEL_FILES).flatMap((file) => {
    const language = /document\.(.+)\.safetensors$/.exec(file)?.[1];
    return language !== undefined && file === encoderFile(name, language) ? language : [];
  });

/** The languages that the built-in documents are in. */
export const corpusLanguages = (): string[] => languagesOf("demo");

/** The languages that the full model loads only when they are chosen, for queries and for a person's own documents: its packs. */
export const packLanguages = (): string[] => languagesOf("full").filter((language) => !languagesOf("demo").includes(language));

/** The address of a document encoder. */
export const encoderOf = (name: ModelName, language: string): URL => addressOf(encoderFile(name, language));

/** The bytes of a document encoder. */
export const encoderBytes = (name: ModelName, language: string): number => MODEL_FILES[encoderFile(name, language)] ?? 0;

/** The lengths and digests of the full model's files, by which packs are checked and kept. */
export const MANIFEST = addressOf("models/manifest.json");

/** The bytes of files, by address. */
export type Lengths = ReadonlyMap<string, number>;

/** What a model is loaded from. */
export interface Files {
  model: URL[];
  documents: URL[];
  bytes: number;
  lengths: Lengths;
}

export const sumOf = (lengths: Lengths): number => [...lengths.values()].reduce((sum, bytes) => sum + bytes, 0);

/**
 * The files to search the documents of some languages with a model; the full model's with document encoders, which hold its
 * translations, of these languages or of more. What visits fetch is there compressed too, because few hosts compress what they send
 * of such files. `bytes` are those of all.
 */
export function filesOf(name: ModelName, languages: readonly string[], encoders = languages): Files {
  const sent = (file: string) => ("DecompressionStream" in globalThis && `${file}.gz` in MODEL_FILES ? `${file}.gz` : file);
  const sides = name === "demo" ? [] : encoders.map((language) => encoderFile(name, language));
  const model = [queryFile(name), ...sides].map(sent);
  const documents = languages.map((language) => sent(indexFile(name, language)));
  const lengths = new Map([...model, ...documents].map((file) => [fixedAddressOf(file).href, MODEL_FILES[file] ?? 0]));
  return { model: model.map(fixedAddressOf), documents: documents.map(fixedAddressOf), bytes: sumOf(lengths), lengths };
}

/** The address of the full model's card. */
export const MODEL_CARD = addressOf("models/card.json");

/** Whether scores are hybrid: a lexical score beside the dense one. */
export const isHybrid = (engine: SmoothClir): boolean => engine.description.config?.["calibration"] !== undefined;

const KEPT = "model";

/** The model that was chosen in an earlier visit. */
export function keptChoice(): ModelName | undefined {
  const kept = recall(KEPT);
  return MODELS.find((name) => name === kept);
}

export const keepChoice = (name: ModelName): void => keep(KEPT, name);
