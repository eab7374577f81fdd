/** In English: the terms of the field, each with its name and its meaning. */
export const en = {
  embedding: {
    name: "embedding",
    meaning: "A vector that stands for a word or a text. Texts that mean alike should have vectors that point alike.",
  },
  norm: { name: "norm", meaning: "The length of a vector, |q|: the square root of the sum of its squared coordinates." },
  dot: {
    name: "dot product",
    meaning: "q·d: the coordinates of two vectors multiplied in pairs, and added up. It is the cosine times both lengths.",
  },
  cosine: {
    name: "cosine",
    meaning: "The cosine of the angle between two vectors: 1 where they point the same way, 0 at right angles. Length does not count.",
  },
  scs: {
    name: "smooth cosine similarity",
    meaning: "q·d / ((|q| + ε)(|d| + ε)): cosine with epsilon added to both lengths (paper 1, eq. 1).",
  },
  epsilon: {
    name: "epsilon",
    meaning: "ε: a number added to both lengths in smooth cosine similarity. At 0 the similarity is cosine; a large ε orders documents as the dot product does.",
  },
  gradient: {
    name: "gradient",
    meaning: "The vector that points where a function rises fastest. Its length says how fast. Training takes steps along gradients.",
  },
  loss: { name: "loss", meaning: "The number that training minimises: how far scores are from where they should be." },
  threshold: {
    name: "threshold",
    meaning: "A score between two grades of relevance: documents above it should have the higher grade.",
  },
};

export type Term = keyof typeof en;
