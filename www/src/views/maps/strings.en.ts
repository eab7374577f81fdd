import type { Quantity } from "smooth-clir/lab";
import type { Layer } from "../../state/maps";

const names: Record<Quantity, string> = {
  x1: "slope along x₁",
  x2: "slope along x₂",
  length: "gradient’s length",
  radial: "radial part",
  score: "score",
  curvature: "curvature",
};

/** The texts of this view, in English. */
export const en = {
  locale: "en-GB",
  title: "How steep is the similarity?",
  introduction:
    "Each point of the plane is a query vector q; the document vector d is fixed. Drag both, and move epsilon: near zero cosine’s gradient grows without end, smooth cosine’s stays below 1/ε.",

  quantityLegend: "Show",
  quantities: {
    x1: "Slope along x₁",
    x2: "Slope along x₂",
    length: "Gradient’s length",
    radial: "Radial part",
    score: "Score",
    curvature: "Curvature",
  } satisfies Record<Quantity, string>,
  chips: {
    x1: "Slope x₁",
    x2: "Slope x₂",
    length: "Length",
    radial: "Radial part",
    score: "Score",
    curvature: "Curvature",
  } satisfies Record<Quantity, string>,
  meanings: {
    x1: "The partial derivative in x₁: how fast the score grows as q moves to the right. Figure 1 of the paper shows it for d = (1, 1).",
    x2: "The partial derivative in x₂: how fast the score grows as q moves up.",
    length: "How fast the score grows in its steepest direction.",
    radial: "How fast the score grows as q gets longer and keeps its direction: for cosine 0 everywhere; at the centre, where q can set off anywhere, the whole gradient.",
    score: "The smooth cosine similarity of q and d itself, from −1 to 1.",
    curvature: "How fast the gradient turns: the spectral norm of the Hessian; at the centre the largest that it tends to.",
  } satisfies Record<Quantity, string>,
  layerLegend: "With",
  layers: { contours: "Contours", arrows: "Arrows", documents: "Documents" } satisfies Record<Layer, string>,
  reachLabel: "Plane",
  reach: (reach: string) => `−${reach} to ${reach}`,
  reset: "As in Figure 1",
  symmetric: "The similarity is symmetric: with q and d exchanged every map is the same.",

  vectors: {
    q: "Query vector q: arrow keys move it, Shift farther, Home to zero",
    d: "Document vector d: arrow keys move it, Shift farther, Home to zero",
  },
  point: (x1: string, x2: string) => `(${x1}, ${x2})`,
  valueAt: (at: string, value: string) => `${at}: ${value}`,
  handleValue: (at: string, quantity: Quantity, value: string) => `${at}, ${names[quantity]} at q: ${value}`,
  epsilon: (epsilon: string) => `ε = ${epsilon}`,
  undefinedValue: "undefined",
  unbounded: "unbounded",

  mapTitle: (quantity: Quantity, epsilon: string) => `${en.quantities[quantity]}, epsilon ${epsilon}`,
  mapSummary: (quantity: Quantity, d: string, epsilon: string, centre: string) =>
    `${en.meanings[quantity]} With d = ${d} and ε = ${epsilon} it is ${centre}.`,
  atCentre: (value: string) => `${value} at the centre`,
  atCentreLargest: (value: string) => `${value} at the centre, the largest`,
  largestAt: (centre: string, value: string, at: string) => `${centre} at the centre; the largest is ${value}, at ${at}`,
  noCentre: (centre: string, value: string) => `${centre} at the centre, marked ○; the largest value drawn is ${value}`,
  scale: (limit: string, quantity: Quantity) =>
    `One colour scale for every epsilon${quantity === "score" || quantity === "curvature" ? "" : " and all slopes"}: logarithmic on both sides of 0, from −${limit} to ${limit}; what lies beyond has the colour of its end. Arrows are as long as the gradient is far along the scale of slopes.`,
  mapCaption: (quantity: Quantity, epsilon: string) => `The ${names[quantity]} at some points, epsilon ${epsilon}`,
  corner: "x₂ \\ x₁",

  reading: {
    title: (at: string) => `At q = ${at}`,
    beyond: "This point lies beyond the plane that is drawn; it is marked at the edge.",
    score: "Score",
    gradient: "Gradient",
    length: "Its length",
    radial: "Its radial part",
    curvature: "Curvature",
    bounds: "No gradient is longer than",
    printed: "2/ε, as the paper prints",
    tight: "1/ε, for any d",
    exact: "|d| / ((|d| + ε) ε), for this d",
    sentence: (share: string) => `The gradient here has ${share} of the greatest length for this d, which is reached at q = 0.`,
    noBound: "At ε = 0 there is no bound: the closer q comes to zero, the longer the gradient, unless q lies along d.",
  },

  small: {
    title: "The same map at five epsilons",
    name: (epsilon: string, kind: "cosine" | "figure" | "slider") =>
      kind === "cosine" ? "cosine, ε = 0" : kind === "slider" ? `yours, ε = ${epsilon}` : `ε = ${epsilon}`,
    centre: (value: string) => `centre ${value}`,
    summary: (quantity: Quantity, centres: string, figure1: boolean) =>
      `At the centre the ${names[quantity]} is ${centres}.${figure1 ? " Figure 1 of the paper prints 13.66, 3.10 and 1.05 for 0.05, 0.2 and 0.5; the last is 1.0448, so 1.04." : ""}`,
    each: (value: string, epsilon: string) => `${value} at ε = ${epsilon}`,
    caption: (quantity: Quantity) => `The ${names[quantity]} at the centre, and the largest on the map`,
    columns: ["epsilon", "at the centre", "largest", "at x₁", "at x₂"],
  },

  bounds: {
    title: "How long can the gradient be?",
    epsilon: "epsilon",
    length: "length",
    printed: "2/ε, printed in the paper",
    tight: "1/ε, tight over all d",
    exact: "exact for this d",
    rule: (epsilon: string) => `epsilon ${epsilon}`,
    longest: (value: string) => `longest on the map: ${value}`,
    summary: (epsilon: string, printed: string, tight: string, exact: string, longest: string) =>
      `At ε = ${epsilon} the paper’s bound is 2/ε = ${printed}. It holds, and is twice too large: 1/ε = ${tight} is enough for every d, and is approached as d grows. For this d it is |d| / ((|d| + ε) ε) = ${exact}, reached at q = 0. The longest gradient on the map (the dot) is ${longest}.`,
    none: (longest: string) =>
      `At ε = 0 nothing bounds the gradient. The longest of a grid of points on the map is ${longest}, and a finer grid would find a longer one.`,
    caption: "Bounds on the gradient’s length",
  },

  zero: {
    title: "At zero: one gradient, many curvatures",
    explanation: (along: string, across: string) =>
      `For ε above 0 the gradient is continuous at q = 0: whichever way q comes, it tends to d / ((|d| + ε) ε). The curvature does not: it tends to ${along} when q comes along d, and to ${across}, half of that, when q comes at a right angle. So the similarity has one derivative at zero, not two.`,
    cosine: "At ε = 0 the gradient has no limit at q = 0 either: it depends on the direction, and grows without end.",
    caption: "A ten-millionth from zero",
    columns: ["q comes", "gradient’s length", "curvature"],
    along: "along d",
    across: "at a right angle to d",
    against: "from behind, along −d",
  },

  documents: {
    title: "Real documents",
    noQuery: "Search for something on the page’s first view, and its documents can be shown here.",
    noEngine: "The documents are shown as soon as the model is loaded.",
    noneFound: (query: string) => `The search for “${query}” found nothing.`,
    failed: (message: string, code: string) => `The documents could not be placed: ${message} (${code}).`,
    explanation: (query: string, shown: number, all: number, dimensions: string) =>
      `The dots are the first ${all} documents for “${query}”${shown < all ? `; ${all - shown} lie beyond the plane that is drawn` : ""}. This is a projection: vectors of ${dimensions} dimensions do not fit in a plane. True are each document’s length and its angle to the query; how documents lie to each other is not, and all are drawn on one side of q.`,
    caption: "Choose one, and q and d take its and the query’s own lengths and their angle.",
    columns: ["document", "length", "angle to q", "score"],
    degrees: (value: string) => `${value}°`,
  },
};
