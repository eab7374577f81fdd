import type { LossName } from "smooth-clir/lab";

/** In English. */
export const en = {
  heading: "Watch a model train",
  losses: {
    none: "no other loss",
    sosl: "SOSL",
    "three-part": "Three-part",
    mse: "MSE",
    "proportional-odds": "Proportional odds",
    "proportional-odds-paper": "Proportional odds, as released",
  } as Record<LossName | "none", string>,
  other: "SOSL beside",
  gradeCount: "Grades",
  introduction:
    "A model is trained from nothing, here in this tab, on the built-in corpus: English descriptions as queries, the same entries in another language as documents. Its words begin as random vectors. Each step takes 128 pairs of a query and a document and moves their words’ vectors so that relevant documents score above the upper threshold, partly relevant ones between the two, irrelevant ones below the lower. A second training with another loss takes the same steps: the same seed, so the same vectors at the start and the same pairs in the same order.",
  language: "Documents in",
  seed: "Seed",
  speed: "Steps at a time",
  play: "Play",
  pause: "Pause",
  step: "One step",
  restart: "Start again",
  fetching: "Fetching the corpus and the training module…",
  ready: (epsilon: string) => `Ready: random vectors, epsilon ${epsilon}.`,
  at: (step: string, epoch: string, loss: string) => `Step ${step}, in epoch ${epoch}: the loss is ${loss}.`,
  failed: (message: string, code: string) => `The training stopped: ${message} (${code}).`,
  epsilonFixed: (epsilon: string) =>
    `This training has epsilon ${epsilon}. The slider’s new epsilon is for the next one: press “Start again”.`,
  gradesMade: {
    own: "The corpus has three grades: a query’s own entry is relevant, entries that link to it are partly relevant, all others are not.",
    two: "With two grades only a query’s own entry is relevant; entries that link to it are not, like all others. The one threshold is the middle of the model’s own.",
    more: (grades: string, furthest: string, thresholds: string) =>
      `The corpus is judged in three grades; ${grades} are made by links. A query’s own entry has the highest grade, an entry that links to it the next, and each further link takes one off: entries ${furthest} links away or more have grade 0. The 40 sampled documents of a query are shared equally among the grades that are not judged. The thresholds, ${thresholds}, are at equal distances between the model’s own.`,
  },
  threePart: "Three-part L2 has three grades, so it is trained beside SOSL only with three.",
  compared: (steps: string, parts: string) =>
    `After ${steps} ${steps === "1" ? "step" : "steps"}, so many of the pairs score between the thresholds of their grade, on average over the grades: ${parts}.`,
  share: (loss: string, train: string, validation: string) => `${loss} ${train} of queries that it is trained on, ${validation} of others`,
  reproducible:
    "On the processor the same seed gives the same numbers on every machine; a graphics card rounds a little differently.",

  lossTitle: "The loss",
  step1: "step",
  loss: "mean loss of the step’s pairs",
  lossOf: (loss: string) => `${loss}: mean loss of the step’s pairs`,
  smoothOf: (loss: string) => `${loss}: mean of the last 20 steps`,
  lossSummary: (first: string, last: string, steps: string) =>
    `The loss of each step, before it is taken: from ${first} at the first to ${last} over the last 20 of ${steps} steps.`,
  lossOther: (loss: string, first: string, last: string) =>
    `${loss}: from ${first} to ${last}. Two losses measure different things: compare their courses, not their heights.`,
  noSteps: "No step has been taken yet.",

  metricsTitle: "How it ranks queries that it is not trained on",
  metric: "metric",
  metricOf: (loss: string, metric: string) => `${loss}: ${metric}`,
  metricsSummary: (queries: string, mrr: string, map: string) =>
    `On the ${queries} pairs of the validation queries, each ranking its graded documents and 40 sampled negatives: MRR of the relevant document ${mrr}, mean average precision ${map}. These queries never move a word; their words may be unknown to the model.`,

  metricsOther: (loss: string, mrr: string, map: string) => `With ${loss}: ${mrr} and ${map}.`,

  trainTitle: (loss: string) => `${loss}: scores by grade, of queries that it is trained on`,
  validationTitle: (loss: string) => `${loss}: scores by grade, of queries that it is not trained on`,
  score: "smooth cosine similarity",
  density: "density",
  grades: ["not relevant", "partly relevant", "relevant"],
  byLinks: { own: "own entry", one: "1 link away", away: (links: string) => `${links} links away`, further: (links: string) => `${links} links away or more`, rest: "all others" },
  threshold: (value: string) => `threshold ${value}`,
  densitySummary: (means: readonly string[]) =>
    `On average ${means[0]} where not relevant, ${means[1]} where partly, ${means[2]} where relevant. Upright lines are the thresholds.`,
  densityMeans: (parts: string) => `Mean scores: ${parts}. Upright lines are the thresholds.`,
  densityMean: (grade: string, mean: string) => `${grade} ${mean}`,
};
