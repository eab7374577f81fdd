import type { SmoothClir } from "smooth-clir";
import { DocumentEncoders } from "../model/document-encoders";
import { isHybrid } from "../model/models";
import { QUERY_LANGUAGE } from "../state/documents";

/** The languages in which an engine reads queries: the demo model reads English only. */
export const readableLanguages = (engine: SmoothClir | undefined): string[] => [
  QUERY_LANGUAGE,
  ...(engine && isHybrid(engine) ? DocumentEncoders.of(engine).languages : []),
];

/** The language to read a query in: the chosen one, if the engine reads it; undefined leaves it to the query's words. */
export const readable = (engine: SmoothClir, asked: string | undefined): string | undefined =>
  asked !== undefined && readableLanguages(engine).includes(asked) ? asked : undefined;
