/** In English. */
export const en = {
  title: "Theory",
  lead: "Theorem 3 of paper 1 bounds how much worse a trained model can do on all pairs than on its training pairs. It follows from two numbers that epsilon keeps finite: L, how fast the loss changes with the weights, and γ, how fast its gradient does. Epsilon is the slider of the page.",
  formula:
    "gap ≤ 2β + (4nβ + M) √(ln(1/δ) / 2n) with probability 1 − δ, where β = (1 + 1/(γc)) / (n − 1) · M (2cL²/M)^(1/(γc + 1)) · T^(γc/(γc + 1))",
  sliders: {
    stepConstant: "Step size c (step t has the size c/t)",
    pairs: "Pairs n",
    steps: "Steps T",
    delta: "Probability δ that the bound fails",
    replaced: "Step whose pair is replaced",
  },
  constants: (given: { epsilon: string; thresholds: string }, found: { largest: string; lipschitz: string; smoothness: string }) =>
    `For SOSL with thresholds ${given.thresholds} and the average encoder at epsilon ${given.epsilon}: the loss is at most M = ${found.largest}, L = ${found.lipschitz} and γ = ${found.smoothness}.`,
  noConstants: "At epsilon 0, cosine, neither L nor γ is finite: the theorem says nothing, for any number of pairs.",
  product: (product: string, converges: boolean, inverse: string) =>
    `γc is ${product}: with as many steps as pairs the bound ${converges ? "falls to 0 as n grows" : `does not fall as n grows; for that, c must be below 1/γ = ${inverse}`}.`,

  byPairs: "The bound, by the number of pairs",
  pairsAxis: "pairs n",
  shareAxis: "bound on the gap, in units of M",
  bound: "bound on the gap / M",
  vacuous: "1: from here up it says nothing",
  here: (pairs: string) => `n = ${pairs}`,
  boundSummary: (
    given: { pairs: string; steps: string; delta: string; share: string; gap: string },
    says: boolean,
    least: string | undefined,
  ) =>
    `With ${given.pairs} pairs, ${given.steps} steps and δ = ${given.delta} the bound on the gap is ${given.gap}, which is ${given.share} times the largest loss: it ${says ? "says something" : "says nothing, for no loss is larger than M"}. ${least === undefined ? "No number of pairs up to 10³⁰ is enough." : `It says something from ${least} pairs on.`}`,

  border: "Where the bound says nothing",
  epsilonAxis: "epsilon",
  borderLine: "least number of pairs for which it says something",
  borderSummary: (epsilon: string, least: string | undefined, end: { epsilon: string; pairs: string } | undefined) =>
    `Below the line, shaded, the bound is at least M and says nothing. At epsilon ${epsilon} the line is at ${least === undefined ? "no number of pairs up to 10³⁰" : `${least} pairs`}${end === undefined ? "" : `, at epsilon ${end.epsilon} at ${end.pairs}`}. Steps, step size and δ are those of the sliders.`,
  notes: [
    "The formula is the paper’s with two misprints corrected: the exponent of T is 1 − 1/(γc + 1), not 1 − 1/(γc), and the gradient’s bound is 1/ε, half of the 2/ε that is printed. With as many steps as pairs the bound falls to 0 if γc is below 1, not 2.",
    "It is for plain stochastic gradient descent, one pair a step, with steps of c/t at most. The models here are trained with Adam at a constant rate, which it does not cover.",
  ],

  live: {
    title: "Two trainings that differ in one pair",
    lead: "Stability, measured: two models are trained on the built-in corpus by the theorem’s own method, from the same vectors and in the same order, one pair a step. In one step the second takes a pair of another grade. How far apart do they grow, and how far may they by the theory?",
    play: "Train",
    pause: "Pause",
    step: "One step",
    again: "Start again",
    ready: "Nothing is trained yet.",
    fetching: "Fetching the corpus and the training module…",
    at: (step: string, of: string) => `Step ${step} of ${of}, each with one pair.`,
    failed: (message: string, code: string) => `The training stopped: ${message} (${code}).`,
    nothing: "Press “Train” to see it.",
    axis: "step",
    weights: "How far apart the weights are",
    weightsLabel: "distance of the weights",
    losses: "How far apart the losses are",
    lossesLabel: "largest change of the loss of a pair",
    seen: "seen",
    growth: "at most, by γ and L",
    reach: "at most: L times the weights’ bound",
    stability: "stability β, on average over the order",
    replacedAt: (step: string) => `step ${step}: the pair is replaced`,
    weightsSummary: (steps: string, seen: string, most: string | undefined) =>
      `After ${steps} ${steps === "1" ? "step" : "steps"} the weights are ${seen} apart; ${most === undefined ? "at epsilon 0 nothing bounds that" : `the theory allows ${most}`}.`,
    lossesSummary: (seen: string, most: { reach: string; stability: string; times: string | undefined } | undefined) =>
      `The loss of no pair looked at has changed by more than ${seen}. ${most === undefined ? "At epsilon 0 nothing bounds that." : `For this replacement the theory allows ${most.reach}; on average over the order, β = ${most.stability}${most.times === undefined ? "" : `, ${most.times} times what is seen`}.`}`,
    notes: [
      "The bound of the weights follows them step by step: a step of size a takes weights at a distance D to (1 + aγ) D at most, and the replaced pair adds 2aL. β is the theorem’s: how much the loss of any pair can change if one is replaced, on average over the order in which pairs are taken.",
      "The losses are those of the pairs of the validation queries and of as many training queries.",
    ],
  },
};
