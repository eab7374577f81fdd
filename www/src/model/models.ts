import type { SmoothClir } from "smooth-clir";
import { keep, recall } from "../ui/kept";

/** The models that the page searches with: the demo model, trained by paper 1's method on the built-in corpus, and the full model. */
export const MODELS = ["demo", "full"] as const;
export type ModelName = (typeof MODELS)[number];

/** The bytes of each model's files, known when the page is built; none of a model that it was built without. */
declare const MODEL_FILES: Record<ModelName, Readonly<Record<string, number>>>;

const FOLDERS: Record<ModelName, string> = { demo: "./generated/", full: "./generated/models/" };
const QUERY = "query.safetensors";
const encoderFile = (language: string) => `document.${language}.safetensors`;
const indexFile = (language: string) => `documents/${language}/index.safetensors`;
const addressOf = (name: ModelName, file: string) => new URL(FOLDERS[name] + file, document.baseURI);

/** Whether the page was built with the full model. */
export const hasFullModel = QUERY in MODEL_FILES.full;

/** The languages of a model's document encoders. */
export const languagesOf = (name: ModelName): string[] =>
  Object.keys(MODEL_FILES[name]).flatMap((file) => /^document\.(.+)\.safetensors$/.exec(file)?.[1] ?? []);

/** The languages that the built-in documents are in. */
export const corpusLanguages = (): string[] => languagesOf("demo");

/** The languages that the full model loads only when they are chosen, for queries and for a person's own documents: its packs. */
export const packLanguages = (): string[] => languagesOf("full").filter((language) => !languagesOf("demo").includes(language));

/** The address of a document encoder. */
export const encoderOf = (name: ModelName, language: string): URL => addressOf(name, encoderFile(language));

/** The bytes of a document encoder. */
export const encoderBytes = (name: ModelName, language: string): number => MODEL_FILES[name][encoderFile(language)] ?? 0;

/** The lengths and digests of the full model's files, by which packs are checked and kept. */
export const MANIFEST = addressOf("full", "manifest.json");

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
 * The files to search with a model. The demo model searches all documents; the full model those of some languages, with document
 * encoders, which hold its translations, of these or of more. What visits fetch is there compressed too, because few hosts compress what
 * they send of such files. `bytes` are those of all.
 */
export function filesOf(name: ModelName, languages: readonly string[] = [], encoders = languages): Files {
  const files = MODEL_FILES[name];
  const sent = (file: string) => ("DecompressionStream" in globalThis && `${file}.gz` in files ? `${file}.gz` : file);
  const isDemo = name === "demo";
  const model = [QUERY, ...(isDemo ? [] : encoders.map(encoderFile))].map(sent);
  const indexes = isDemo ? ["documents/index.safetensors"] : languages.map(indexFile);
  const documents = indexes.map(sent);
  const addresses = (wanted: readonly string[]) => wanted.map((file) => addressOf(name, file));
  const lengths = new Map([...model, ...documents].map((file) => [addressOf(name, file).href, files[file] ?? 0]));
  return { model: addresses(model), documents: addresses(documents), bytes: sumOf(lengths), lengths };
}

/** The address of the full model's card. */
export const MODEL_CARD = addressOf("full", "card.json");

/** Whether scores are hybrid: a lexical score beside the dense one. */
export const isHybrid = (engine: SmoothClir): boolean => engine.description.config?.["calibration"] !== undefined;

const KEPT = "model";

/** The model that was chosen in an earlier visit. */
export function keptChoice(): ModelName | undefined {
  const kept = recall(KEPT);
  return MODELS.find((name) => name === kept);
}

export const keepChoice = (name: ModelName): void => keep(KEPT, name);
