import type { en } from "./strings.en";

/** In French. */
export const fr: typeof en = {
  heading: "Regarder l’entraînement d’un modèle",
  introduction:
    "Un modèle est entraîné à partir de rien, ici, dans cet onglet, sur le corpus intégré : les requêtes sont des descriptions en anglais, les documents les mêmes articles dans une autre langue. Ses mots commencent par des vecteurs aléatoires. Chaque pas prend 128 paires d’une requête et d’un document et déplace les vecteurs de leurs mots pour que les documents pertinents dépassent le seuil supérieur, que les documents en partie pertinents se placent entre les deux seuils et les autres sous le seuil inférieur.",
  language: "Documents en",
  seed: "Graine",
  speed: "Pas à la fois",
  play: "Lecture",
  pause: "Pause",
  step: "Un pas",
  restart: "Recommencer",
  fetching: "Chargement du corpus et du module d’entraînement…",
  ready: (epsilon: string) => `Prêt : vecteurs aléatoires, epsilon ${epsilon}.`,
  at: (step: string, epoch: string, loss: string) => `Pas ${step}, époque ${epoch} : la perte est de ${loss}.`,
  failed: (message: string, code: string) => `L’entraînement s’est arrêté : ${message} (${code}).`,
  epsilonFixed: (epsilon: string) =>
    `Cet entraînement a epsilon ${epsilon}. Le nouvel epsilon du curseur vaudra pour le suivant : appuyez sur « Recommencer ».`,
  reproducible:
    "Sur le processeur, la même graine donne les mêmes nombres sur toute machine ; une carte graphique arrondit un peu autrement.",

  lossTitle: "La perte",
  step1: "pas",
  loss: "perte moyenne des paires du pas",
  smooth: "moyenne des 20 derniers pas",
  lossSummary: (first: string, last: string, steps: string) =>
    `La perte de chaque pas, avant qu’il soit fait : de ${first} au premier à ${last} sur les 20 derniers de ${steps} pas.`,
  noSteps: "Aucun pas n’a encore été fait.",

  metricsTitle: "Comment il classe des requêtes sur lesquelles il n’est pas entraîné",
  metric: "mesure",
  metricsSummary: (queries: string, mrr: string, map: string) =>
    `Sur les ${queries} paires des requêtes de validation, chacune classant ses documents jugés et 40 négatifs échantillonnés : MRR du document pertinent ${mrr}, précision moyenne ${map}. Ces requêtes ne déplacent aucun mot ; le modèle peut ne pas connaître les leurs.`,

  trainTitle: "Scores par degré, requêtes d’entraînement",
  validationTitle: "Scores par degré, requêtes jamais vues",
  score: "similarité cosinus lissée",
  density: "densité",
  grades: ["sans rapport", "en partie pertinent", "pertinent"],
  threshold: (value: string) => `seuil ${value}`,
  densitySummary: (means: readonly string[]) =>
    `En moyenne ${means[0]} sans rapport, ${means[1]} en partie pertinent, ${means[2]} pertinent. Les traits verticaux sont les seuils.`,
};
