/** Searches without feedback: they show the cost of fine-tuning. */
export const OTHER_QUERIES = [
  "a bird that hunts at night",
  "music for a wedding",
  "a boat on the sea",
  "fever and medicine",
  "light in the dark",
  "the children go to school",
  "cloth made of wool",
  "fruit with a thick skin",
] as const;
