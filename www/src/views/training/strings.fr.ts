import type { en } from "./strings.en";

/** In French. */
export const fr: typeof en = {
  heading: "Regarder l’entraînement d’un modèle",
  losses: {
    none: "aucune autre perte",
    sosl: "SOSL",
    "three-part": "En trois parties",
    mse: "MSE",
    "proportional-odds": "Cotes proportionnelles",
    "proportional-odds-paper": "Cotes proportionnelles, telles que publiées",
  },
  other: "SOSL à côté de",
  gradeCount: "Degrés",
  introduction:
    "Un modèle est entraîné à partir de rien, ici, dans cet onglet, sur le corpus intégré : les requêtes sont des descriptions en anglais, les documents les mêmes articles dans une autre langue. Ses mots commencent par des vecteurs aléatoires. Chaque pas prend 128 paires d’une requête et d’un document et déplace les vecteurs de leurs mots pour que les documents pertinents dépassent le seuil supérieur, que les documents en partie pertinents se placent entre les deux seuils et les autres sous le seuil inférieur. Un second entraînement, avec une autre perte, fait les mêmes pas : même graine, donc mêmes vecteurs au départ et mêmes paires dans le même ordre.",
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
  gradesMade: {
    own: "Le corpus a trois degrés : l’article de la requête est pertinent, les articles qui lui sont liés le sont en partie, les autres ne le sont pas.",
    two: "Avec deux degrés, seul l’article de la requête est pertinent ; les articles qui lui sont liés ne le sont pas plus que les autres. Le seuil unique est au milieu des seuils du modèle.",
    more: (grades: string, furthest: string, thresholds: string) =>
      `Le corpus est jugé en trois degrés ; les liens en font ${grades}. L’article de la requête a le degré le plus élevé, un article qui lui est lié le suivant, et chaque lien de plus en retire un : à ${furthest} liens ou plus, le degré est 0. Les 40 documents échantillonnés d’une requête se partagent également entre les degrés non jugés. Les seuils, ${thresholds}, se répartissent à distances égales entre ceux du modèle.`,
  },
  threePart: "La perte L2 en trois parties a trois degrés : elle n’accompagne SOSL qu’avec trois.",
  compared: (steps: string, parts: string) =>
    `Après ${steps} pas, part des paires dont le score est entre les seuils de leur degré, en moyenne sur les degrés : ${parts}.`,
  share: (loss: string, train: string, validation: string) =>
    `${loss} ${train} pour les requêtes d’entraînement, ${validation} pour les autres`,
  reproducible:
    "Sur le processeur, la même graine donne les mêmes nombres sur toute machine ; une carte graphique arrondit un peu autrement.",

  lossTitle: "La perte",
  step1: "pas",
  loss: "perte moyenne des paires du pas",
  lossOf: (loss: string) => `${loss} : perte moyenne des paires du pas`,
  smoothOf: (loss: string) => `${loss} : moyenne des 20 derniers pas`,
  lossSummary: (first: string, last: string, steps: string) =>
    `La perte de chaque pas, avant qu’il soit fait : de ${first} au premier à ${last} sur les 20 derniers de ${steps} pas.`,
  lossOther: (loss: string, first: string, last: string) =>
    `${loss} : de ${first} à ${last}. Deux pertes mesurent des choses différentes : comparez leur allure, non leur hauteur.`,
  noSteps: "Aucun pas n’a encore été fait.",

  metricsTitle: "Comment il classe des requêtes sur lesquelles il n’est pas entraîné",
  metric: "mesure",
  metricOf: (loss: string, metric: string) => `${loss} : ${metric}`,
  metricsSummary: (queries: string, mrr: string, map: string) =>
    `Sur les ${queries} paires des requêtes de validation, chacune classant ses documents jugés et 40 négatifs échantillonnés : MRR du document pertinent ${mrr}, précision moyenne ${map}. Ces requêtes ne déplacent aucun mot ; le modèle peut ne pas connaître les leurs.`,

  metricsOther: (loss: string, mrr: string, map: string) => `Avec ${loss} : ${mrr} et ${map}.`,

  trainTitle: (loss: string) => `${loss} : scores par degré, requêtes d’entraînement`,
  validationTitle: (loss: string) => `${loss} : scores par degré, requêtes jamais vues`,
  score: "similarité cosinus lissée",
  density: "densité",
  grades: ["sans rapport", "en partie pertinent", "pertinent"],
  byLinks: { own: "article de la requête", one: "à 1 lien", away: (links: string) => `à ${links} liens`, further: (links: string) => `à ${links} liens ou plus`, rest: "tous les autres" },
  threshold: (value: string) => `seuil ${value}`,
  densityMeans: (parts: string) => `Scores moyens : ${parts}. Les traits verticaux sont les seuils.`,
  densityMean: (grade: string, mean: string) => `${grade} ${mean}`,
  densitySummary: (means: readonly string[]) =>
    `En moyenne ${means[0]} sans rapport, ${means[1]} en partie pertinent, ${means[2]} pertinent. Les traits verticaux sont les seuils.`,
};
