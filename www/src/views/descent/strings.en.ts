import type { WayName } from "./real-run";
import type { RunName } from "./runs";

/** The texts of this view, in English. */
export const en = {
  title: "Exploding gradients",
  lead: "One query vector q is moved towards one document vector d = (0, 1), by gradient descent on 1 − similarity. It starts near zero. Four ways, from the same start, at the same rate: what explodes, and what happens after that?",

  situations: "Situations",
  usual: "Near zero",
  askew: "Near zero, 30° apart",
  far: "Not near zero",
  controls: "Descent",
  play: "Play",
  pause: "Pause",
  back: "Back",
  forth: "Step",
  step: "Steps shown",
  stepValue: (step: number, all: number) => `${step} of ${all}`,
  rate: "Rate",
  norm: "Length at the start",
  angle: "Angle at the start",
  angleValue: (degrees: string) => `${degrees}°`,
  clip: "Clip gradients at",

  names: { cosine: "Cosine", clipped: "Cosine, clipped", smooth: "Smooth cosine", adam: "Cosine, Adam" } as Record<RunName, string>,
  titles: {
    cosine: () => "Cosine",
    clipped: (clip: string) => `Cosine, clipped at ${clip}`,
    smooth: (epsilon: string) => `Smooth cosine, epsilon ${epsilon}`,
    adam: () => "Cosine, Adam",
  } as Record<RunName, (value: string) => string>,

  told: {
    start: (gradient: string) => `At the start the gradient is ${gradient} long.`,
    steps: (gradient: string, lengths: string) => `A gradient ${gradient} long makes the first step ${lengths} long.`,
    firstSteps: (lengths: string) => `The first steps are ${lengths} long.`,
    since: (count: number, longest: string) =>
      count === 1 ? `The step after it is ${longest} long.` : `None of the ${count} steps after it is longer than ${longest}.`,
    now: (norm: string, before: string, cosine: string) =>
      `Now q is ${norm} long; its cosine with d went from ${before} to ${cosine}.`,
    jumpArrived:
      "One jump, then nothing: the jump is at right angles to q, and from this start that happens to be where d points. There the training ends. Other angles are less lucky: try 30°.",
    jumpStalled:
      "One jump, then a stall: the jump is at right angles to q, which is not where d points, and q is now so long that the gradient is too short to turn it.",
    noJump: "There is no jump.",
    arrived: "It points to d: the cosine is almost 1.",
    clipped: (count: number, of: number) =>
      count === 0
        ? "No gradient was long enough to be clipped."
        : `${count} of ${of} ${of === 1 ? "gradient" : "gradients"} clipped: that bounds the step, not where it goes.`,
    bound: (bound: string, step: string) =>
      `No gradient can be longer than |d| / ((|d| + ε) ε) = ${bound}, so no step can be longer than ${step}.`,
    isCosine: "At epsilon 0 this is cosine, which nothing bounds. Move epsilon.",
    hidden: (gradient: string, rate: string) =>
      `Adam’s first step has the size of the rate, ${rate}, in each coordinate, however long the gradient is; here ${gradient}. The jump is hidden.`,
    paid: (step: number, gradient: string, length: string, plain: string) =>
      `It is paid for later: the mean of squares by which Adam divides forgets a thousandth with each step, so the first gradient stays in it. In step ${step} a gradient ${gradient} long moves q by ${length}; without Adam it would be ${plain}.`,
  },

  outside: (norm: string) => `|q| = ${norm}`,
  left: (norm: string) => `The path leaves the plane: the arrow points to where q is, ${norm} from the centre.`,
  scale: "Colours: how long the gradient is at each q, on one logarithmic scale from 0 to 10 and beyond for all four. The line is the path; the large dot is q.",

  lengths: "How long each step is",
  lengthsLabel: "length of the step",
  stepLabel: "step",
  lengthsSummary: (parts: string) => `The longest step of those shown: ${parts}.`,
  ofRun: (name: string, value: string) => `${name} ${value}`,
  none: "none",
  scores: "Where it gets",
  scoresLabel: "similarity to d",
  scoresSummary: (step: number, parts: string) =>
    `The similarity that each run itself makes large, after ${step} ${step === 1 ? "step" : "steps"}: ${parts}. Smooth cosine stays below 1, because length counts in it: compare its course, not its height.`,

  caption: (title: string) => `${title}: each step`,
  columns: { step: "step", x1: "q₁", x2: "q₂", norm: "|q|", length: "length of the step", gradient: "gradient here", score: "similarity", cosine: "cosine" },
  allCaption: { lengths: "The length of each step", scores: "The similarity after each step" },

  happens: "What really happens",
  explained: [
    "Cosine’s gradient is at right angles to q, and sin(q, d) / |q| long. So it is huge near zero; and a step at right angles makes q longer, never shorter. Under plain descent that gives one huge jump and then a stall, not one explosion after another: the longer q is, the shorter the gradient.",
    "Clipping bounds the jump. It does not change where it goes, and its limit is one more number to choose.",
    "Smooth cosine divides by |q| + ε in place of |q|: near zero its gradient is at most |d| / ((|d| + ε) ε). Paper 1 prints the bound 2 / ε; that is true, and twice the best one over all documents, 1 / ε.",
    "Adam hides the jump and pays for it in its second moment. Its decays here are the usual ones, 0.9 and 0.999.",
  ],

  real: {
    title: "In the training of a model",
    lead: "Cosine and smooth cosine, each with clipped gradients and without: a model is trained on the built-in corpus with SOSL and Adam, from the same random vectors and on the same pairs in the same order. The shorter the words’ vectors are at the start, the longer are cosine’s gradients. Language and seed are those of the view “Training”.",
    deviation: "Standard deviation at the start",
    clip: "Clip the gradient of a step at",
    play: "Train",
    pause: "Pause",
    step: "One training step",
    again: "Start again",
    ready: "Nothing is trained yet.",
    fetching: "Fetching the corpus and the training module…",
    at: (step: string, of: string) => `Step ${step} of ${of}.`,
    failed: (message: string, code: string) => `The training stopped: ${message} (${code}).`,
    ways: { cosine: "Cosine", cosineClipped: "Cosine, clipped", smooth: "Smooth cosine", smoothClipped: "Smooth cosine, clipped" } as Record<WayName, string>,
    lengths: "The longest gradient of the score in each step",
    lengthsLabel: "length of the gradient",
    limit: (limit: string) => `1 / ε = ${limit}`,
    longestOf: (way: string) => `${way}: longest`,
    medianOf: (way: string) => `${way}: median`,
    losses: "The loss of each step",
    lossLabel: "mean loss of the step’s pairs",
    lossSummary: (steps: string, parts: string) => `The loss of step ${steps}: ${parts}.`,
    nothing: "Press “Train” to see it.",
    told: (deviation: string, steps: number, parts: string) =>
      `From a standard deviation of ${deviation}, the longest gradient in ${steps} ${steps === 1 ? "step" : "steps"}: ${parts}.`,
    seen: (way: string, most: string, step: string, above: number | undefined, clipped: number | undefined) =>
      [
        `${way} ${most} (step ${step}`,
        ...(above === undefined ? [] : [above === 0 ? "never above 1 / ε" : `${above} ${above === 1 ? "step" : "steps"} above 1 / ε`]),
        ...(clipped === undefined ? [] : [clipped === 0 ? "never clipped" : `${clipped} clipped`]),
      ].join(", ") + ")",
    limitSaid: (epsilon: string, limit: string) => `With epsilon ${epsilon}, no gradient of smooth cosine can be longer than ${limit}.`,
    noLimit: "At epsilon 0 smooth cosine is cosine: nothing bounds its gradients. Move epsilon.",
    notes: [
      "The length is that of the gradient of one pair’s score in the vector of its query or of its document, the longer of the two; the longest of a step is over its pairs whose loss has a slope.",
      "Clipping scales down the gradient of a whole step, over all words: it shortens the step, not the gradients that the step is made of.",
    ],
  },
};
