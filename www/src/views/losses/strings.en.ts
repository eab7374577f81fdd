import type { LossName } from "smooth-clir/lab";

/** The texts of this view, in English. */
export const en = {
  title: "Losses",
  lead: "A document of each grade has a place among the scores r: below t₁ if it is not relevant (NR), between t₁ and t₂ if it is partly relevant (SR), above t₂ if it is relevant (MR). A loss is what a score costs. Drag a threshold in a picture, or move its slider.",

  names: {
    sosl: "SOSL",
    "three-part": "Three-part",
    mse: "MSE",
    "proportional-odds": "Proportional odds",
    "proportional-odds-paper": "Proportional odds, as released",
  } as Record<LossName, string>,
  shown: "Losses",
  curves: { value: "Loss", slope: "Slope" },
  curve: "What is drawn",
  lower: "Threshold t₁",
  upper: "Threshold t₂",
  score: "Read at r",
  reset: (lower: string, upper: string) => `thresholds: model’s own (${lower}, ${upper})`,
  thresholds: ["t₁", "t₂"] as const,

  grades: [
    { name: "Not relevant (NR)", short: "NR" },
    { name: "Partly relevant (SR)", short: "SR" },
    { name: "Relevant (MR)", short: "MR" },
  ] as readonly { name: string; short: string }[],
  scoreLabel: "score r",
  lossLabel: "loss",
  slopeLabel: "slope of the loss",
  wanted: [
    (lower: string, _: string) => `A score of ${lower} or below costs nothing with SOSL.`,
    (lower: string, upper: string) => `A score from ${lower} to ${upper} costs nothing with SOSL.`,
    (_: string, upper: string) => `A score of ${upper} or above costs nothing with SOSL.`,
  ] as const,
  atScore: { value: (score: string, parts: string) => `At r = ${score} the loss is: ${parts}.`, slope: (score: string, parts: string) => `At r = ${score} the slope is: ${parts}.` },
  ofLoss: (name: string, value: string) => `${name} ${value}`,
  noLoss: "No loss is chosen.",
  lossCaption: { value: (grade: string) => `${grade}: the loss of a score`, slope: (grade: string) => `${grade}: the slope of the loss at a score` },
  beyond: "A line that leaves the picture goes on; the table has its numbers.",

  notes: "What to see",
  noted: [
    "SOSL is the squared distance to the grade’s interval: nothing inside it, and no target in its middle. Its slope is never more than 2 (1 + t₂) or 2 (1 − t₁), whichever is larger: 3.4 for 0.2 and 0.7.",
    "SOSL pulls a score as far as the edge of its interval and no further, ever more weakly. So trained scores gather just short of a threshold, and the table gives them the grade before it: lower t₂ a little and see.",
    "Three-part, here with t₁ and t₂, is SOSL without the pull that lifts SR above t₁; for NR and MR the two are one line. Paper 1 compares it with thresholds of its own, 0.2, 0.55 and 0.9.",
    "MSE pulls every score to the middle of its interval, also those that lie well in it already.",
    "Paper 1 does not say which proportional odds it means. “Proportional odds” here is McCullagh’s likelihood at scale 10. The form that its authors released has its minimum in the middle of each interval, so it learns about what MSE learns.",
  ],

  density: "How the model’s scores lie",
  densityLabel: "density",
  densitySummary: (pairs: string, epsilon: string, parts: string) =>
    `${pairs} test pairs of a query and a document, at epsilon ${epsilon}. Scores lie closest at: ${parts}.`,
  ofGrade: (grade: string, value: string) => `${grade} ${value}`,
  densityCaption: "Density of the scores of each grade",
  model: "Whose scores",
  models: { loaded: "the model as loaded here", tested: "the model as tested" },
  refit:
    "The model that is loaded was trained once more on all queries, these too: what it shows here is overfitting. The model as tested had not seen them.",
  otherModel:
    "“The model as tested” is not the loaded model. Whether the loaded model was trained on these queries is unknown.",
  noThresholds: (epsilon: string, own: string) =>
    `A score’s size depends on epsilon, so thresholds hold only at the epsilon that the model was trained with, ${own}. At ${epsilon} its scores are drawn; grades, and the table of them, are not given.`,

  confusion: "Which grade these thresholds give",
  rows: "judged",
  columns: "by the thresholds",
  confusionSummary: (right: string, all: string, share: string) =>
    `${right} of ${all} test pairs (${share}) have a score in the interval of their grade.`,
  confusionCaption: "How many test pairs of each grade, in rows, the thresholds give each grade, in columns",
  judgedGrade: (grade: string) => `judged ${grade}`,
  givenGrade: (grade: string) => `given ${grade}`,
  mostly: "Most pairs are NR, so giving NR to all would be right for most: read row by row.",

  fetching: "Fetching the test queries…",
  noModel: "The scores of the model come when it is loaded.",
  retry: "Try again",
  failed: (message: string, code: string) => `The test queries could not be fetched: ${message} (${code}). The losses do not need them.`,
};
