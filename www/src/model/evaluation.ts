import { SmoothClirError, type SmoothClir } from "smooth-clir";
import type { Judged, Lab } from "smooth-clir/lab";
import { strings } from "../i18n/strings";

const PLACE = new URL("./generated/evaluation.json", document.baseURI);
const FORMAT = "smooth-clir-evaluation";
const VERSION = 1;

/**
 * The test of a model: queries, the documents that each ranks, and the figures of the model at the time of the test. Where
 * `refit`, the model that is loaded was trained once more, on these queries too.
 */
export interface Evaluation {
  /** The space of the model that it stands beside. */
  model: string;
  epsilon: number;
  thresholds: readonly number[];
  refit: boolean;
  queries: readonly { id: string; text: string }[];
  collections: readonly Collection[];
}

/** Documents of one language, and what was judged of them. */
export interface Collection {
  language: string;
  documents: readonly string[];
  /** The documents' norms in the model that was tested. */
  norms: readonly number[];
  judged: readonly JudgedQuery[];
}

interface JudgedQuery {
  /** Its place among the queries. */
  query: number;
  /** The query's norm and its dot products in the model that was tested. */
  norm: number;
  dots: readonly number[];
  /** Places among the collection's documents, in their order. */
  documents: readonly number[];
  grades: readonly number[];
}

/** A query with its documents, by the numbers of one model. */
export interface Candidates {
  language: string;
  queryNorm: number;
  dots: Float32Array;
  norms: Float32Array;
  grades: Uint8Array;
}

/** Fetches what the trainer wrote beside the model, and checks all of it. */
export async function loadEvaluation(): Promise<Evaluation> {
  const response = await fetch(PLACE).catch((error: unknown) => {
    throw new SmoothClirError("network", error instanceof Error ? error.message : String(error));
  });
  if (!response.ok) throw new SmoothClirError("http-status", strings.evaluation.missing(response.status));
  const value: unknown = await response.json().catch(() => {
    throw wrong("JSON");
  });
  return check(value);
}

/** Whether the model that is loaded is another than the one that it stands beside. */
export const isOfAnother = ({ model }: Evaluation, engine: SmoothClir | undefined): boolean =>
  engine !== undefined && engine.description.space !== model;

/** The test queries by the model as it was tested, before it was trained on everything. */
export function candidatesHeldOut({ collections }: Evaluation): Candidates[] {
  return collections.flatMap(({ language, norms, judged }) =>
    judged.map(({ norm, documents, dots, grades }) => ({
      language,
      queryNorm: norm,
      dots: Float32Array.from(dots),
      norms: Float32Array.from(documents, (place) => norms[place]!),
      grades: Uint8Array.from(grades),
    })),
  );
}

/** The test queries by the loaded model, fine-tuning included. */
export async function candidatesBy(engine: SmoothClir, evaluation: Evaluation): Promise<Candidates[]> {
  await engine.fetchTexts();
  const { ids, languages, norms } = await engine.documents();
  const places = new Map(ids.map((id, place) => [`${languages[place]} ${id}`, place]));
  const loaded = evaluation.collections.map(({ language, documents }) =>
    documents.map((id) => {
      const place = places.get(`${language} ${id}`);
      if (place === undefined) throw new SmoothClirError("mismatch", strings.evaluation.noDocument(id, language));
      return place;
    }),
  );
  const answers = new Map<string, Awaited<ReturnType<SmoothClir["dots"]>>>();
  for (const query of evaluation.queries) {
    if (!answers.has(query.text)) answers.set(query.text, await engine.dots(query.text));
  }
  return evaluation.collections.flatMap(({ language, judged }, collection) =>
    judged.map(({ query, documents, grades }) => {
      const { queryNorm, dots } = answers.get(evaluation.queries[query]!.text)!;
      const at = documents.map((document) => loaded[collection]![document]!);
      return {
        language,
        queryNorm,
        dots: Float32Array.from(at, (place) => dots[place]!),
        norms: Float32Array.from(at, (place) => norms[place]!),
        grades: Uint8Array.from(grades),
      };
    }),
  );
}

/** The mathematics' form of them. Whoever asks for it frees it. */
export function judge(lab: Lab, candidates: readonly Candidates[]): Judged {
  const judged = lab.judged();
  for (const { queryNorm, dots, norms, grades } of candidates) judged.add(queryNorm, dots, norms, grades);
  return judged;
}

function check(value: unknown): Evaluation {
  const file = object(value, "");
  if (file["format"] !== FORMAT || file["version"] !== VERSION) throw wrong("version");
  if (typeof file["refit"] !== "boolean") throw wrong("refit");
  const queries = list(file["queries"], "queries").map((value, at) => {
    const query = object(value, `queries/${at}`);
    return { id: string(query["id"], `queries/${at}/id`), text: string(query["text"], `queries/${at}/text`) };
  });
  const collections = list(file["collections"], "collections");
  return {
    model: string(file["model"], "model"),
    epsilon: number(file["epsilon"], "epsilon"),
    thresholds: numbers(file["thresholds"], "thresholds"),
    refit: file["refit"],
    queries,
    collections: collections.map((value, at) => checkCollection(value, `collections/${at}`, queries.length)),
  };
}

function checkCollection(value: unknown, place: string, queries: number): Collection {
  const collection = object(value, place);
  const ids = list(collection["documents"], `${place}/documents`);
  const documents = ids.map((id, at) => string(id, `${place}/documents/${at}`));
  const judged = list(collection["judged"], `${place}/judged`);
  return {
    language: string(collection["language"], `${place}/language`),
    documents,
    norms: numbers(collection["norms"], `${place}/norms`, documents.length),
    judged: judged.map((value, at) => checkJudged(value, `${place}/judged/${at}`, queries, documents.length)),
  };
}

function checkJudged(value: unknown, place: string, queries: number, count: number): JudgedQuery {
  const judged = object(value, place);
  const documents = wholes(judged["documents"], `${place}/documents`, count);
  return {
    query: whole(judged["query"], `${place}/query`, queries),
    norm: number(judged["norm"], `${place}/norm`),
    documents,
    grades: wholes(judged["grades"], `${place}/grades`, 256, documents.length),
    dots: numbers(judged["dots"], `${place}/dots`, documents.length),
  };
}

const wrong = (place: string) => new SmoothClirError("not-an-evaluation", strings.evaluation.malformed(place));

function object(value: unknown, place: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw wrong(place);
  return value as Record<string, unknown>;
}

function list(value: unknown, place: string, length?: number): unknown[] {
  if (!Array.isArray(value) || (length !== undefined && value.length !== length)) throw wrong(place);
  return value;
}

function string(value: unknown, place: string): string {
  if (typeof value !== "string") throw wrong(place);
  return value;
}

function number(value: unknown, place: string): number {
  if (typeof value !== "number") throw wrong(place);
  return value;
}

function whole(value: unknown, place: string, below: number): number {
  const found = number(value, place);
  if (!Number.isInteger(found) || found < 0 || found >= below) throw wrong(place);
  return found;
}

const numbers = (value: unknown, place: string, length?: number) =>
  list(value, place, length).map((one, at) => number(one, `${place}/${at}`));

const wholes = (value: unknown, place: string, below: number, length?: number) =>
  list(value, place, length).map((one, at) => whole(one, `${place}/${at}`, below));
