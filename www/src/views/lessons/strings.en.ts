import type { LessonName } from "../../state/lessons";

/** The texts of a step of a lesson. */
export interface LessonStep {
  text: string;
  question: string;
  answer: string;
}

export interface LessonText {
  title: string;
  about: string;
  steps: readonly LessonStep[];
}

/** In English: the texts of this view and of the panel that leads through a lesson. */
export const en = {
  heading: "Lessons",
  introduction:
    "Five short lessons, each a few steps. A step sets the page up, says what to look at and asks a question; everything on the page can be moved meanwhile. A lesson’s place is in the page’s address: send the link, and the class sees what you see.",
  begin: "Begin",
  steps: (count: string) => `${count} steps`,
  panel: "Lesson",
  place: (step: string, of: string) => `Step ${step} of ${of}`,
  answer: "An answer",
  back: "Back",
  next: "Next",
  again: "Set the page up again",
  end: "End the lesson",
  last: "That was the last step.",

  lessons: {
    angle: {
      title: "Angle and length",
      about: "What cosine leaves out, what the dot product lets in, and what lies between.",
      steps: [
        {
          text: "Every text becomes a vector: the mean of its words’ vectors, through tanh. Here epsilon is 0, so the score is the cosine: only the angle between the query’s vector and the document’s counts.",
          question: "Two documents point the same way, one vector three times as long as the other. Which does cosine rank first?",
          answer: "Neither: their cosine is the same. Length is left out altogether.",
        },
        {
          text: "At the slider’s other end epsilon is far larger than any vector is long. The score is then nearly the dot product, divided by the same number for all.",
          question: "Compare |d| of the first few documents with those you saw at epsilon 0. What changed?",
          answer: "Longer vectors have risen: the dot product is the cosine times both lengths, and the query’s is the same for all.",
        },
        {
          text: "Between the ends, smooth cosine similarity divides q·d by (|q|+ε)(|d|+ε). Move the slider slowly and watch single documents.",
          question: "Why do all scores fall as epsilon grows, and why may they not be compared across epsilons?",
          answer: "The denominator grows and the numerator stays. A score of 0.3 at one epsilon and 0.3 at another say different things; only the order at one epsilon means something.",
        },
      ],
    },
    swap: {
      title: "Where two documents change rank",
      about: "Two documents change places at most once, at an epsilon that a formula gives.",
      steps: [
        {
          text: "For one query the order depends on epsilon only through q·d / (|d|+ε). Each tick below the slider is an epsilon at which two of the documents shown change rank. Press one: the two curves cross there.",
          question: "From that expression, derive the epsilon at which documents 1 and 2 have the same score.",
          answer: "q·d₁ (|d₂|+ε) = q·d₂ (|d₁|+ε) gives ε = (q·d₂ |d₁| − q·d₁ |d₂|) / (q·d₁ − q·d₂). It is one number, so they change rank once at most, and only where it is above 0.",
        },
        {
          text: "Move the slider across a tick, slowly, and watch the list.",
          question: "Which of two documents that change rank is ahead on the left of their tick, the one with the shorter or the longer vector?",
          answer: "The shorter: a small epsilon favours angle, a large one length. Had the longer one the better angle too, it would be ahead everywhere, and there would be no tick.",
        },
      ],
    },
    slope: {
      title: "How steep is the similarity?",
      about: "The gradient near the zero vector: unbounded for cosine, at most 1/ε for smooth cosine.",
      steps: [
        {
          text: "Each point is a query vector, the document is fixed at (1, 1), and the colour is the slope in x₁. Training follows such slopes. At epsilon 0.05 the greatest is 13.66, at the centre.",
          question: "A model’s word vectors begin as small random numbers. Where on this map does it begin?",
          answer: "Near the centre, where the map is steepest.",
        },
        {
          text: "At epsilon 0.5 the greatest slope is 1.05. The three lines say what no gradient exceeds: the paper prints 2/ε; 1/ε is tight over all documents; |d| / ((|d|+ε) ε) is exact for this one.",
          question: "At which query is the exact bound reached?",
          answer: "At the zero vector: there the gradient is d / ((|d|+ε) ε). The paper’s 2/ε holds too, but is twice too large.",
        },
        {
          text: "At epsilon 0, plain cosine, the map has no value at the centre and grows without end beside it.",
          question: "Cosine’s gradient has no part that points away from the origin. Why?",
          answer: "Along a ray from the origin the angle, and so the cosine, does not change. Look at the radial part: it is 0 everywhere at epsilon 0, and not for any other.",
        },
      ],
    },
    explosion: {
      title: "The explosion, and what really happens",
      about: "Gradient descent from near zero, four times.",
      steps: [
        {
          text: "Four query vectors begin at the same place, a thousandth long, at right angles to the document. Press Play, or take the steps one by one.",
          question: "With a rate of 0.1, how far does plain cosine’s first step lead?",
          answer: "Its gradient is 1/|q| = 1,000 long, so the step is 100 long: it overshoots the whole plane.",
        },
        {
          text: "After the jump the vector is a hundred long, and its gradient a hundredth of what it would be at 1: nothing moves any more. So the explosion is one jump, and then a stall.",
          question: "Smooth cosine at epsilon 0.5 takes steps of 0.13, 0.08, 0.07. What bounds them?",
          answer: "The rate times 1/ε: 0.2 at most.",
        },
        {
          text: "Clipping shortens the jump; Adam divides it away. Look at Adam’s later steps.",
          question: "What does Adam pay for hiding the jump?",
          answer: "Its second moment remembers the gradient of 1,000 for hundreds of steps, so that those after it are far too short.",
        },
      ],
    },
    losses: {
      title: "What a loss asks for",
      about: "Grades, thresholds, and what different losses do with a score.",
      steps: [
        {
          text: "SOSL gives each grade an interval of scores: nothing is lost inside, the square of the distance outside. Mean square error pulls every score to one number instead.",
          question: "A relevant document has a score above the upper threshold. What does each of the two losses do?",
          answer: "SOSL leaves it alone; mean square error pulls it back to the middle of the interval.",
        },
        {
          text: "Here the same model is judged at every epsilon, on queries that it was not trained on where it says so.",
          question: "Does the best epsilon at test time have to be the one that the model was trained with?",
          answer: "No. But thresholds and grades hold only at its own, since epsilon rescales every score.",
        },
        {
          text: "Now train one from nothing, and watch the scores of the three grades.",
          question: "Why do the curves of queries that it is trained on part, and those of other queries less?",
          answer: "With 608 entries most of a new query’s words are unknown, or seen once. Overfitting does not carry over.",
        },
      ],
    },
  } satisfies Record<LessonName, LessonText>,
};
