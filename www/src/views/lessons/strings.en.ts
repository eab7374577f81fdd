import * as format from "../../ui/format";
import type { LessonName } from "../../state/lessons";
import type { Facts } from "./facts";

/** The texts of a step of a lesson. */
export interface LessonStep {
  text: string;
  question: string;
  /** Where one of several is right. */
  options?: readonly string[];
  /** Why it is right. */
  answer: string;
}

export interface LessonText {
  title: string;
  about: string;
  /** What the class should know before. */
  before: string;
  /** For the teacher: what the lesson is for, and where classes stumble. */
  notes: readonly string[];
  steps(facts: Facts): readonly LessonStep[];
}

const { measured, plain } = format;

/** In English: the texts of this view and of the panel that leads through a lesson. */
export const en = {
  heading: "Lessons",
  introduction: (count: string) =>
    `${count} short lessons. Each step sets the page up, says what to look at and asks a question that is checked. The place in a lesson is in the page’s address: send the link, and the class sees what you see.`,
  begin: "Begin",
  steps: (count: string) => `${count} steps`,
  teacher: "For the teacher",
  minutes: (count: string) => `Time: ${count} minutes.`,
  before: (what: string) => `Before: ${what}`,
  panel: "Lesson",
  place: (step: string, of: string) => `Step ${step} of ${of}`,
  yourAnswer: "Your answer",
  check: "Check",
  nothingChosen: "Choose an answer first.",
  noNumber: "Type a number first.",
  right: "Right.",
  wrong: "Not right.",
  rightNumber: (expected: string) => `Right: it is ${expected}.`,
  wrongNumber: (expected: string) => `Not right: it is ${expected}.`,
  answer: "Why",
  back: "Back",
  next: "Next",
  again: "Set the page up again",
  end: "End the lesson",
  fold: "Fold the lesson away",
  unfold: "Show the lesson",
  last: "That was the last step.",

  lessons: {
    angle: {
      title: "Angle and length",
      about: "What cosine leaves out, what the dot product lets in, and what lies between.",
      before: "vectors, their length, and the angle between two of them.",
      notes: [
        "The class should leave with one sentence: epsilon weighs the length of a document’s vector against its angle.",
        "Let the class predict the first document before you move the slider. Scores fall as epsilon grows; that is no loss of quality.",
      ],
      steps: ({ twin }) => [
        {
          text: "Every text becomes a vector: the mean of its words’ vectors, through tanh. Here epsilon is 0, so the score is the cosine: only the angle between the query’s vector and the document’s counts.",
          question: "Two documents point the same way, one vector three times as long as the other. Which does cosine rank first?",
          options: ["The longer", "The shorter", "Neither"],
          answer: "Their cosine is the same. Length is left out altogether.",
        },
        {
          text: "At the slider’s other end epsilon is far larger than any vector is long. The score is then nearly the dot product, divided by the same number for all.",
          question: "Compare |d| of the first few documents with those you saw at epsilon 0. What changed?",
          options: ["Longer vectors have risen", "Shorter vectors have risen", "Nothing: only the scores changed"],
          answer: "The dot product is the cosine times both lengths, and the query’s length is the same for all.",
        },
        {
          text: "Between the ends, smooth cosine similarity divides q·d by (|q|+ε)(|d|+ε). Move the slider slowly and watch single documents: every score falls as epsilon grows.",
          question: `A document points exactly where the query does, and both vectors have length ${plain(twin.norm)}. What is its score at ε = ${plain(twin.epsilon)}?`,
          answer: "Its cosine is 1, but the denominator grows and the numerator stays. So a score of one epsilon says nothing about another epsilon; only the order at one epsilon means something.",
        },
      ],
    },
    swap: {
      title: "Where two documents change rank",
      about: "Two documents change places at most once, at an epsilon that a formula gives.",
      before: "the lesson “Angle and length”; solving an equation for one unknown.",
      notes: [
        "The first step is pencil and paper: give the class five minutes for it.",
        "Ask afterwards when there is no swap point: where the formula gives no positive number.",
      ],
      steps: ({ two }) => [
        {
          text: "For one query the order depends on epsilon only through q·d / (|d|+ε). Each tick below the slider is an epsilon at which two of the documents shown change rank. Press one: the two curves cross there.",
          question: `Document 1 has q·d = ${plain(two.dots[0])} and |d| = ${plain(two.norms[0])}, document 2 q·d = ${plain(two.dots[1])} and |d| = ${plain(two.norms[1])}. At which epsilon do they have the same score?`,
          answer: "q·d₁ (|d₂|+ε) = q·d₂ (|d₁|+ε) gives ε = (q·d₂ |d₁| − q·d₁ |d₂|) / (q·d₁ − q·d₂). It is one number, so they change rank once at most, and only where it is above 0.",
        },
        {
          text: "Move the slider across a tick, slowly, and watch the list.",
          question: "Which of two documents that change rank is ahead on the left of their tick?",
          options: ["The one with the shorter vector", "The one with the longer vector", "It depends on the query"],
          answer: "A small epsilon favours angle, a large one length. Had the longer one the better angle too, it would be ahead everywhere, and there would be no tick.",
        },
      ],
    },
    slope: {
      title: "How steep is the similarity?",
      about: "The gradient near the zero vector: unbounded for cosine, at most 1/ε for smooth cosine.",
      before: "partial derivatives; the gradient as the direction of steepest ascent.",
      notes: [
        "Read the colours aloud once: blue rises to the right, orange falls, and the scale is logarithmic.",
        "The paper prints the bound 2/ε. That is true; half of it suffices, and the class can find why.",
      ],
      steps: (facts) => [
        {
          text: `Each point is a query vector, the document is fixed at (1, 1), and the colour is the slope in x₁. Training follows such slopes. At epsilon ${plain(facts.slope(0).epsilon)} the greatest is ${measured(facts.slope(0).steepest)}, at the centre.`,
          question: "A model’s word vectors begin as small random numbers. Where on this map does it begin?",
          options: ["Near the centre", "Near the document", "At the edge"],
          answer: "Small vectors lie near the centre, and there the map is steepest.",
        },
        {
          text: `At epsilon ${plain(facts.slope(1).epsilon)} the greatest slope is ${measured(facts.slope(1).steepest)}. The lines below the map say what no gradient exceeds: the paper prints 2/ε; 1/ε is tight over all documents; |d| / ((|d|+ε) ε) is exact for this one.`,
          question: `How long is the longest gradient at ε = ${plain(facts.slope(1).epsilon)}, for the document (1, 1)?`,
          answer: `It is |d| / ((|d|+ε) ε) with |d| = √2, reached at the zero vector: there the gradient is d / ((|d|+ε) ε). The paper’s 2/ε = ${plain(facts.slope(1).printed)} holds too.`,
        },
        {
          text: "At epsilon 0, plain cosine, the map has no value at the centre and grows without end beside it. Choose “Radial part” above the map.",
          question: "Cosine’s gradient has no part that points away from the origin. Why?",
          options: ["The document is too short", "Along a ray from the origin the cosine is constant", "The gradient is 0 everywhere"],
          answer: "Along a ray the angle, and so the cosine, does not change: the radial part is 0 everywhere at epsilon 0, and not for any other.",
        },
      ],
    },
    explosion: {
      title: "The explosion, and what really happens",
      about: "Gradient descent from near zero, four times.",
      before: "the lesson “How steep is the similarity?”; what gradient descent and a learning rate are.",
      notes: [
        "Many expect an explosion to go on. The point of the second step is that it does not: one jump, then a stall.",
        "Start once more from 30° and compare: the jump leads elsewhere, and the stall is the same.",
      ],
      steps: ({ descent }) => [
        {
          text: `Four query vectors begin at the same place, ${plain(descent.norm)} long, at right angles to the document. Press Play, or take the steps one by one.`,
          question: `With a learning rate of ${plain(descent.rate)}, how long is plain cosine’s first step?`,
          answer: `Its gradient is 1/|q| = ${plain(descent.jump.gradient)} long, times the rate ${plain(descent.rate)}: the step overshoots the whole plane.`,
        },
        {
          text: `After the jump the vector is ${plain(Math.hypot(...descent.jump.point))} long and its gradient only ${format.power(descent.after.gradient)}: nothing moves any more. So the explosion is one jump, and then a stall.`,
          question: `Smooth cosine at epsilon ${plain(descent.epsilon)} takes steps of ${descent.smooth.map(plain).join("; ")}. No step of it can be longer than the rate times 1/ε. How long is that?`,
          answer: `1/ε bounds the gradient for every document; the rate is ${plain(descent.rate)}. For this document the exact bound is a little lower.`,
        },
        {
          text: "Clipping shortens the jump; Adam divides it away. Look at Adam’s later steps.",
          question: "What does Adam pay for hiding the jump?",
          options: ["Nothing", "Its later steps are far too short", "Its later steps are far too long"],
          answer: `Its second moment remembers the gradient of ${plain(descent.jump.gradient)} for hundreds of steps and divides the later steps by it.`,
        },
      ],
    },
    losses: {
      title: "What a loss asks for",
      about: "Grades, thresholds, and what different losses do with a score.",
      before: "what a loss and overfitting are; precision and recall help with the second step.",
      notes: [
        "In the third step let the training run while you talk: the lines part slowly.",
        "The corpus is small on purpose. That it overfits is the lesson, and not a fault of the loss.",
      ],
      steps: () => [
        {
          text: "SOSL gives each grade an interval of scores: nothing is lost inside, the square of the distance outside. Mean square error pulls every score to one number instead.",
          question: "A relevant document has a score above the upper threshold and above its interval’s middle. What do the two losses do?",
          options: ["Both pull it up", "SOSL leaves it alone, mean square error pulls it down", "SOSL pulls it down, mean square error leaves it alone"],
          answer: "SOSL loses nothing inside the interval; mean square error pulls the score back to the middle.",
        },
        {
          text: "Here the same model is judged at every epsilon, on queries that it was not trained on where it says so.",
          question: "Does the best epsilon at test time have to be the one that the model was trained with?",
          options: ["Yes", "No"],
          answer: "The ranking may be better at another epsilon. But thresholds and grades hold only at the model’s own, since epsilon rescales every score.",
        },
        {
          text: "Now train one from nothing, and watch the scores of the three grades.",
          question: "Why do the curves of queries that it is trained on part, and those of other queries less?",
          options: ["Epsilon is too large", "The loss is the wrong one", "Most words of new queries are unknown to it, or rare"],
          answer: "With so small a corpus, most of a new query’s words were never or once seen. The model overfits, and that does not carry over.",
        },
      ],
    },
  } satisfies Record<LessonName, LessonText>,
};
