import type { en } from "./strings.en";

/** In French. */
export const fr: typeof en = {
  title: "Pertes",
  lead: "Un document de chaque degré a sa place parmi les scores r : sous t₁ s’il est sans rapport (NR), entre t₁ et t₂ s’il est en partie pertinent (SR), au-dessus de t₂ s’il est pertinent (MR). Une perte est ce que coûte un score. Faites glisser un seuil dans une image, ou déplacez son curseur.",

  names: {
    sosl: "SOSL",
    "three-part": "En trois parties",
    mse: "MSE",
    "proportional-odds": "Cotes proportionnelles",
    "proportional-odds-paper": "Cotes proportionnelles, telles que publiées",
  },
  shown: "Pertes",
  curves: { value: "Perte", slope: "Pente" },
  curve: "Ce qui est dessiné",
  lower: "Seuil t₁",
  upper: "Seuil t₂",
  score: "Lire en r",
  reset: (lower: string, upper: string) => `seuils : ceux du modèle (${lower}, ${upper})`,
  thresholds: ["t₁", "t₂"],

  grades: [
    { name: "Sans rapport (NR)", short: "NR" },
    { name: "En partie pertinent (SR)", short: "SR" },
    { name: "Pertinent (MR)", short: "MR" },
  ],
  scoreLabel: "score r",
  lossLabel: "perte",
  slopeLabel: "pente de la perte",
  wanted: [
    (lower: string, _: string) => `Un score de ${lower} ou moins ne coûte rien avec SOSL.`,
    (lower: string, upper: string) => `Un score de ${lower} à ${upper} ne coûte rien avec SOSL.`,
    (_: string, upper: string) => `Un score de ${upper} ou plus ne coûte rien avec SOSL.`,
  ],
  atScore: { value: (score: string, parts: string) => `En r = ${score}, la perte est : ${parts}.`, slope: (score: string, parts: string) => `En r = ${score}, la pente est : ${parts}.` },
  ofLoss: (name: string, value: string) => `${name} ${value}`,
  noLoss: "Aucune perte n’est choisie.",
  lossCaption: { value: (grade: string) => `${grade} : la perte d’un score`, slope: (grade: string) => `${grade} : la pente de la perte en un score` },
  beyond: "Une courbe qui sort de l’image continue ; le tableau donne ses nombres.",

  notes: "Ce qu’il y a à voir",
  noted: [
    "SOSL est le carré de la distance à l’intervalle du degré : rien à l’intérieur, et pas de cible en son milieu. Sa pente ne dépasse jamais 2 (1 + t₂) ou 2 (1 − t₁), selon ce qui est plus grand : 3,4 pour 0,2 et 0,7.",
    "SOSL tire un score jusqu’au bord de son intervalle et pas plus loin, de plus en plus faiblement. Les scores entraînés s’amassent donc juste avant un seuil, et le tableau leur donne le degré d’avant : abaissez un peu t₂, et voyez.",
    "La perte en trois parties, ici avec t₁ et t₂, est SOSL sans ce qui tire SR au-dessus de t₁ ; pour NR et MR, les deux sont une même courbe. L’article 1 la compare avec des seuils qui lui sont propres : 0,2 ; 0,55 et 0,9.",
    "MSE tire chaque score vers le milieu de son intervalle, même ceux qui y sont déjà bien.",
    "L’article 1 ne dit pas de quelles cotes proportionnelles il parle. « Cotes proportionnelles » est ici la vraisemblance de McCullagh à l’échelle 10. La forme que ses auteurs ont publiée a son minimum au milieu de chaque intervalle : elle apprend donc à peu près ce qu’apprend MSE.",
  ],

  density: "Comment se répartissent les scores du modèle",
  densityLabel: "densité",
  densitySummary: (pairs: string, epsilon: string, parts: string) =>
    `${pairs} paires de test, d’une requête et d’un document, à epsilon ${epsilon}. Les scores sont le plus serrés en : ${parts}.`,
  ofGrade: (grade: string, value: string) => `${grade} ${value}`,
  densityCaption: "Densité des scores de chaque degré",
  model: "Scores de quel modèle",
  models: { loaded: "le modèle tel que chargé ici", tested: "le modèle tel que testé" },
  refit:
    "Le modèle chargé a été entraîné une fois de plus sur toutes les requêtes, celles-ci comprises : ce qu’il montre ici est un surapprentissage. Le modèle tel que testé ne les avait pas vues.",
  otherModel:
    "« Le modèle tel que testé » est un autre que celui qui est chargé ; on ne sait pas ici si celui-ci a été entraîné sur ces requêtes.",
  noThresholds: (epsilon: string, own: string) =>
    `La grandeur d’un score dépend d’epsilon : les seuils ne valent donc qu’à l’epsilon avec lequel le modèle a été entraîné, ${own}. À ${epsilon}, ses scores sont dessinés ; les degrés, et leur tableau, ne sont pas donnés.`,

  confusion: "Quel degré ces seuils donnent",
  rows: "jugé",
  columns: "par les seuils",
  confusionSummary: (right: string, all: string, share: string) =>
    `${right} paires de test sur ${all} (${share}) ont un score dans l’intervalle de leur degré.`,
  confusionCaption: "À combien de paires de test de chaque degré, en lignes, les seuils donnent chaque degré, en colonnes",
  judgedGrade: (grade: string) => `jugé ${grade}`,
  givenGrade: (grade: string) => `${grade} par les seuils`,
  mostly: "La plupart des paires sont NR : donner NR à toutes serait donc juste pour la plupart. Lisez ligne par ligne.",

  fetching: "Chargement des requêtes de test…",
  noModel: "Les scores du modèle viendront quand il sera chargé.",
  retry: "Réessayer",
  failed: (message: string, code: string) => `Les requêtes de test n’ont pas pu être chargées : ${message} (${code}). Les pertes n’en ont pas besoin.`,
};
