/** In English. */
export const en = {
  heading: "How long each result stays, and how firmly",
  lead: (count: string) =>
    `The order depends on epsilon only through q·d / (|d| + ε), so the range of epsilon in which a result is among the first ${count} ends exactly at swap points.`,
  title: (count: string) => `The range of epsilon in which each result is among the first ${count}`,
  axis: "epsilon (logarithmic; the left edge is 0)",
  now: (epsilon: string) => `epsilon ${epsilon}`,
  row: (rank: string, name: string) => `${rank}. ${name}`,
  range: (from: string, to: string) => `from ${from} to ${to}`,
  rangeOf: (name: string, range: string) => `${name}: ${range}`,
  summary: (all: number, of: number, most: string) =>
    `${all} of the ${of} results ${all === 1 ? "is" : "are"} among the first ${of} at every epsilon from 0 to ${most}.`,
  shortest: (name: string, ranges: string) => `The shortest stay is that of ${name}: ${ranges}.`,
  everyone: (count: string, of: string) => `Over the whole range ${count} documents are among the first ${of} somewhere.`,
  and: " and ",
  radiusHeading: "How far the query may move",
  radiusLead: (epsilon: string, norm: string) =>
    `At epsilon ${epsilon}, how far the query’s vector, ${norm} long, may move in any direction before the result can change places with another document. It follows from what is known of each pair: they change places only where the query crosses the plane at right angles to d₁ / (|d₁| + ε) − d₂ / (|d₂| + ε).`,
  radius: (rank: string, name: string, radius: string, share: string, rival: string) =>
    `${name} keeps rank ${rank} within ${radius}, ${share} of the query’s length; nearest rival: ${rival}.`,
  alone: (name: string) => `${name} has no rival.`,
  tied: (name: string, rival: string) => `${name} has the score of ${rival}: the least move can change their order.`,
  document: (place: string) => `document ${place}`,
  lipschitz: (most: string) =>
    `The Lipschitz constant of the score alone, 1/ε, certifies less: at most ${most} for these results.`,
  columns: { rank: "rank", name: "result", from: "from epsilon", to: "to epsilon", radius: "certified move", lipschitz: "by the Lipschitz constant" },
  caption: "Each range of epsilon in which a result is among the first, and how far the query may move at this one",
  failed: (message: string, code: string) => `The ranges could not be computed: ${message} (${code}).`,
};
