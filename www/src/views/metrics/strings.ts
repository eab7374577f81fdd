/** What this view says. */
export const text = {
  noEvaluation: (status: number) => `the server answered ${status} for evaluation.json`,
  wrongEvaluation: (place: string) => `evaluation.json: “${place}” is missing or has a wrong form`,
  noDocument: (id: string, language: string) => `the loaded documents have no “${id}” in ${language}, which the tests rank`,
};
