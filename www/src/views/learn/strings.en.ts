import type { FigureName } from "../../state/learn";

/** The texts of this view, in English. Terms in double brackets open their explanations: see `ui/glossary`. */
export const en = {
  title: "Why smooth cosine similarity?",
  lead: (figures: string) =>
    `A search engine ranks documents by how similar their vectors are to the vector of the query. [[cosine|Cosine]] is the usual measure, and training with it can explode. These ${figures} figures show why, how one small number prevents it, and what that number costs. Predict first: each figure asks before it shows.`,
  present: "Present the figures",
  classText: "For a class: one figure a screen, in large type. Arrow keys or a swipe change the figure, Enter shows the answer, Escape leaves.",
  presentThis: "Present",

  yourPrediction: "Your prediction",
  show: "Show the answer",
  again: "Predict again",
  compared: {
    only: (truth: string) => `It is ${truth}.`,
    close: (said: string, truth: string) => `You predicted ${said}. It is ${truth}: very close.`,
    factor: (said: string, truth: string, factor: string, low: boolean) =>
      `You predicted ${said}. It is ${truth}: ${factor} times ${low ? "as much" : "less"}.`,
    difference: (said: string, truth: string, difference: string, low: boolean) =>
      `You predicted ${said}. It is ${truth}: your prediction was ${difference} too ${low ? "low" : "high"}.`,
    right: (truth: string) => `You were right: ${truth}.`,
    wrong: (said: string, truth: string) => `You predicted ${said}. It is ${truth}.`,
  },
  times: (factor: number) => (factor < 10 ? Number(factor.toPrecision(2)) : Math.round(factor)).toLocaleString("en-GB"),
  predicted: "your prediction",
  truth: "the answer",

  inLab: (view: string) => `Go further in the lab: ${view}`,
  inSearch: "See these documents in the search",
  copyLink: "Copy link",
  copied: "Copied.",
  notCopied: "The browser does not let the page copy. Select the text and copy it yourself.",
  embed: "Embed this figure",
  embedCode: (title: string) => `Code that embeds “${title}” in another page`,
  copyCode: "Copy the code",
  source: "Open in smooth-clir",

  presenter: {
    name: "Presentation",
    place: (at: string, of: string) => `${at} of ${of}`,
    back: "Back",
    next: "Next",
    leave: "Leave",
  },

  headings: {
    explosion: "Why cosine explodes near zero",
    bound: "What epsilon does",
    cost: "What epsilon costs",
    order: "How rankings move",
    loss: "What a loss does to scores",
    training: "Training, step by step",
  } satisfies Record<FigureName, string>,

  epsilon: "Epsilon",

  explosion: {
    prose: [
      "Every text becomes an [[embedding]]. Here it has two dimensions, so that it can be drawn. Training moves the vector q of a query towards the vector d of a relevant document, along the [[gradient]] of their similarity.",
      "For cosine only the angle between q and d counts. Close to the origin a tiny movement turns q by a large angle. A model’s vectors begin as small random numbers: close to the origin.",
    ],
    question: (norm: string, rate: string) =>
      `q is ${norm} long and at right angles to d, which has length 1. How long is the first step of gradient descent with learning rate ${rate}?`,
    label: "Length of the first step",
    title: "The first step from a short query vector",
    before: (from: string, norm: string) => `The line stops at |q| = ${from}. Drag the point to where you think it is at |q| = ${norm}, or use the slider.`,
    sentence: (norm: string, gradient: string, step: string) =>
      `At |q| = ${norm} cosine’s gradient is ${gradient} long and the first step ${step}: both grow as 1/|q|, without limit.`,
    norm: "Length of q",
    x: "length of q",
    y: "length of the first step",
    line: "cosine",
    gradient: "length of the gradient",
  },

  bound: {
    prose: [
      "[[scs|Smooth cosine similarity]] adds a number, [[epsilon]], to the [[norm]] of both vectors: it is q·d / ((|q| + ε)(|d| + ε)), where q·d is the [[dot]]. At ε = 0 it is cosine.",
      "Each map shows all query vectors q of the plane. The stronger the colour, the longer the gradient there; d is fixed.",
    ],
    question: (start: string, longest: string, factor: string, asked: string) =>
      `At ε = ${start} no gradient is longer than ${longest}. Make ε ${factor} times smaller. How long is the longest gradient at ε = ${asked}?`,
    label: "Longest gradient",
    title: "How long the gradient is, by where q is",
    before: (start: string, longest: string) => `At ε = ${start} the longest gradient is ${longest}, at q = 0; cosine’s gradient has no longest.`,
    sentence: (epsilon: string, exact: string, tight: string) =>
      `At ε = ${epsilon} the longest gradient is |d| / ((|d| + ε) ε) = ${exact}, at q = 0, and below 1/ε = ${tight} for every d; cosine’s has no limit.`,
    cosine: "Cosine, ε = 0",
    smooth: (epsilon: string) => `Smooth cosine, ε = ${epsilon}`,
    scale: "length of the gradient",
    columns: ["ε", "longest gradient", "1/ε"],
    caption: "The longest gradient, and its bound for every document",
  },

  cost: {
    prose: ["A large epsilon keeps gradients short. But it also changes the score, and so what a score means."],
    question: (epsilon: string) =>
      `A document points exactly the way the query does, and both vectors have length 1. Cosine gives it 1. What does it score at ε = ${epsilon}?`,
    label: "Score",
    title: "The score of a document with cosine 1",
    before: (epsilon: string) => `At ε = 0 the score is the cosine, 1. Drag the point to where you think it is at ε = ${epsilon}, or use the slider.`,
    sentence: (epsilon: string, one: string, length: string, other: string) =>
      `At ε = ${epsilon} a document of length 1 scores ${one} and one of length ${length} scores ${other}, both with cosine 1: scores shrink, length counts, and scores at different ε cannot be compared.`,
    length: "Length of the second document",
    x: "epsilon",
    y: "score",
    line: (length: string) => `|d| = ${length}`,
  },

  order: {
    prose: [
      "For one query only q·d / (|d| + ε) decides the order of the documents. A small ε favours the angle, a large one the length.",
      "So two documents change places at most once as ε grows: at their swap point, where their scores are equal.",
    ],
    waiting: "The figure needs the page’s documents. It comes as soon as the model is loaded.",
    failed: (message: string, code: string) => `The documents could not be ranked: ${message} (${code}).`,
    nothing: (query: string) => `The search for “${query}” finds too few documents for this figure. Search for something else first.`,
    question: (query: string, first: string, asked: string) =>
      `For the query “${query}”, cosine ranks ${first} first. Which document is first at ε = ${asked}?`,
    named: (title: string, language: string) => `${title} (${language})`,
    title: (query: string) => `Documents for “${query}”`,
    before: (count: string) => `The lines of these ${count} documents begin at cosine’s order; where they lead is the question.`,
    sentence: (epsilon: string, first: string, swaps: number, count: string) =>
      `At ε = ${epsilon} ${first} is first; these ${count} documents have ${swaps === 1 ? "1 swap point" : `${swaps} swap points`}, where their lines cross.`,
    list: (epsilon: string) => `The order at ε = ${epsilon}`,
    x: "epsilon",
    y: "score, as a share of the first’s",
    swap: (epsilon: string, rising: string, falling: string) => `ε = ${epsilon}: ${rising} passes ${falling}`,
  },

  loss: {
    prose: [
      "Training minimises a [[loss]], computed from scores and from people’s judgements of the documents. Mean square error wants one score for each grade of relevance.",
      "The loss of paper 1, SOSL, wants an interval: a relevant document may have any score above the upper [[threshold]].",
    ],
    question: (score: string, threshold: string, steps: string) =>
      `A relevant document already scores ${score}, above the threshold ${threshold}. What does it score after ${steps} steps with mean square error?`,
    label: "Score after the last step",
    title: "A relevant document’s score during training",
    before: (score: string, steps: string) => `Both begin at ${score}. Drag the point to where mean square error ends after ${steps} steps, or use the slider.`,
    above: (score: string, mse: string, threshold: string) =>
      `SOSL leaves the score at ${score}, which is above the threshold ${threshold}; mean square error pulls it to ${mse}, the middle of its interval.`,
    below: (sosl: string, mse: string, threshold: string) =>
      `SOSL raises the score to ${sosl}, just to the threshold ${threshold}, where its pull ends; mean square error pulls on to ${mse}, the middle of its interval.`,
    score: "Score at the start",
    x: "step",
    y: "score",
    sosl: "SOSL",
    mse: "mean square error",
    threshold: (value: string) => `threshold ${value}`,
  },

  training: {
    prose: [
      "Now all of it together: smooth cosine similarity, SOSL, and a model that knows nothing. Its words have random vectors. It is trained on the built-in corpus, English queries and French documents, here in this tab.",
    ],
    question: (steps: string, threshold: string) =>
      `At first every document scores about 0. Relevant ones should score above ${threshold}. What do they score on average after ${steps} steps, for queries that the model is trained on?`,
    label: "Mean score of relevant documents",
    title: "Mean scores during training",
    before: "Nothing is trained yet: the page fetches the corpus and trains when you ask for the answer.",
    waiting: "The training needs the model’s engine. It starts as soon as the model is loaded.",
    fetching: "Fetching the corpus and the training module…",
    failed: (message: string, code: string) => `The training stopped: ${message} (${code}).`,
    running: (step: string, steps: string) => `Step ${step} of ${steps}.`,
    sentence: (step: string, means: readonly string[], unseen: string) =>
      `After ${step} steps relevant documents score ${means[2]} on average for queries that the model is trained on, but ${unseen} for other queries; documents that are not relevant score ${means[0]}.`,
    steps: "Steps shown",
    x: "step",
    y: "mean score",
    grades: ["not relevant", "partly relevant", "relevant"],
    unseen: "relevant, other queries",
    threshold: (value: string) => `threshold ${value}`,
  },

  lessonsHeading: "Guided lessons",
  lessonsText: "Lessons lead a class through the search and the lab, a few steps each, with questions that are checked and notes for the teacher.",
  lessonsLink: "To the lessons",
};
