/** In English. */
export const en = {
  heading: "Watch a model train",
  introduction:
    "A model is trained from nothing, here in this tab, on the built-in corpus: English descriptions as queries, the same entries in another language as documents. Its words begin as random vectors. Each step takes 128 pairs of a query and a document and moves their words’ vectors so that relevant documents score above the upper threshold, partly relevant ones between the two, irrelevant ones below the lower.",
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
  reproducible:
    "On the processor the same seed gives the same numbers on every machine; a graphics card rounds a little differently.",

  lossTitle: "The loss",
  step1: "step",
  loss: "mean loss of the step’s pairs",
  smooth: "mean of the last 20 steps",
  lossSummary: (first: string, last: string, steps: string) =>
    `The loss of each step, before it is taken: from ${first} at the first to ${last} over the last 20 of ${steps} steps.`,
  noSteps: "No step has been taken yet.",

  metricsTitle: "How it ranks queries that it is not trained on",
  metric: "metric",
  metricsSummary: (queries: string, mrr: string, map: string) =>
    `On the ${queries} pairs of the validation queries, each ranking its graded documents and 40 sampled negatives: MRR of the relevant document ${mrr}, mean average precision ${map}. These queries never move a word; their words may be unknown to the model.`,

  trainTitle: "Scores by grade, of queries that it is trained on",
  validationTitle: "Scores by grade, of queries that it is not trained on",
  score: "smooth cosine similarity",
  density: "density",
  grades: ["not relevant", "partly relevant", "relevant"],
  threshold: (value: string) => `threshold ${value}`,
  densitySummary: (means: readonly string[]) =>
    `On average ${means[0]} where not relevant, ${means[1]} where partly, ${means[2]} where relevant. Upright lines are the thresholds.`,
};
