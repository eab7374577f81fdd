import type { Hit, SmoothClir } from "smooth-clir";
import type { Point } from "smooth-clir/lab";

/** The documents of a search, as far as a plane can hold them: each at its own norm and its own angle to the query. */
export interface Found {
  queryNorm: number;
  documents: readonly FoundDocument[];
}

export interface FoundDocument {
  hit: Hit;
  /** Between it and the query, in radians. */
  angle: number;
}

const LIMIT = 10;

export async function find(
  engine: SmoothClir,
  query: string,
  options: { epsilon: number; language: string | undefined },
): Promise<Found> {
  const [hits, { queryNorm }] = await Promise.all([
    engine.search(query, { ...options, dense: 1, limit: LIMIT }),
    engine.dots(query),
  ]);
  const documents = hits.map((hit) => {
    const cosine = hit.dot / (queryNorm * hit.documentNorm);
    return { hit, angle: Math.acos(Math.min(Math.max(cosine, -1), 1)) };
  });
  return { queryNorm, documents };
}

/** The point of a document beside a query: turned towards the document of the map. */
export function placeBeside({ hit, angle }: FoundDocument, query: Point, document: Point): Point {
  const side = query[0] * document[1] - query[1] * document[0] < 0 ? -1 : 1;
  const direction = Math.atan2(query[1], query[0]) + side * angle;
  return [hit.documentNorm * Math.cos(direction), hit.documentNorm * Math.sin(direction)];
}

/** A vector's direction with another length; at the origin there is none, so it points to the right. */
export function withNorm([x1, x2]: Point, norm: number): Point {
  const length = Math.hypot(x1, x2);
  return length === 0 ? [norm, 0] : [(x1 / length) * norm, (x2 / length) * norm];
}
