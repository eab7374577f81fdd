import type { en } from "./strings.en";

/** In French. */
export const fr: typeof en = {
  title: "Pourquoi la similarité cosinus lissée ?",
  lead: (figures: string) =>
    `Un moteur de recherche classe les documents selon la similarité entre leurs vecteurs et celui de la requête. Le [[cosine|cosinus]] est la mesure habituelle, et l’entraînement peut alors exploser. Ces ${figures} figures montrent pourquoi, comment un petit nombre l’empêche, et ce que ce nombre coûte. Prédisez d’abord : chaque figure interroge avant de montrer.`,
  present: "Présenter les figures",
  classText: "Pour une classe : une figure par écran, en grands caractères. Les flèches ou un balayage changent de figure, Entrée montre la réponse, Échap quitte.",
  presentThis: "Présenter",

  yourPrediction: "Votre prédiction",
  show: "Montrer la réponse",
  again: "Prédire à nouveau",
  compared: {
    only: (truth: string) => `La réponse est ${truth}.`,
    close: (said: string, truth: string) => `Vous avez prédit ${said}. La réponse est ${truth} : tout près.`,
    factor: (said: string, truth: string, factor: string, low: boolean) =>
      `Vous avez prédit ${said}. La réponse est ${truth} : ${factor} fois ${low ? "plus" : "moins"}.`,
    difference: (said: string, truth: string, difference: string, low: boolean) =>
      `Vous avez prédit ${said}. La réponse est ${truth} : votre prédiction était trop ${low ? "basse" : "haute"} de ${difference}.`,
    right: (truth: string) => `C’est juste : ${truth}.`,
    wrong: (said: string, truth: string) => `Vous avez prédit ${said}. La réponse est ${truth}.`,
  },
  times: (factor: number) => (factor < 10 ? Number(factor.toPrecision(2)) : Math.round(factor)).toLocaleString("fr-FR"),
  predicted: "votre prédiction",
  truth: "la réponse",

  inLab: (view: string) => `Aller plus loin dans le labo : ${view}`,
  inSearch: "Voir ces documents dans la recherche",
  copyLink: "Copier le lien",
  copied: "Copié.",
  notCopied: "Le navigateur ne laisse pas la page copier. Sélectionnez le texte et copiez-le vous-même.",
  embed: "Intégrer cette figure",
  embedCode: (title: string) => `Code qui intègre « ${title} » dans une autre page`,
  copyCode: "Copier le code",
  source: "Ouvrir dans smooth-clir",

  presenter: {
    name: "Présentation",
    place: (at: string, of: string) => `${at} sur ${of}`,
    back: "Précédente",
    next: "Suivante",
    leave: "Quitter",
  },

  headings: {
    explosion: "Pourquoi le cosinus explose près de zéro",
    bound: "Ce que fait epsilon",
    cost: "Ce que coûte epsilon",
    order: "Comment bougent les classements",
    loss: "Ce qu’une perte fait des scores",
    training: "L’entraînement, pas à pas",
  },

  epsilon: "Epsilon",

  explosion: {
    prose: [
      "Tout texte devient un [[embedding]]. Ici, il a deux dimensions, pour qu’on puisse le dessiner. L’entraînement déplace le vecteur q d’une requête vers le vecteur d d’un document pertinent, le long du [[gradient]] de leur similarité.",
      "Pour le cosinus, seul compte l’angle entre q et d. Près de l’origine, un mouvement minuscule fait tourner q d’un grand angle. Les vecteurs d’un modèle commencent par de petits nombres aléatoires : près de l’origine.",
    ],
    question: (norm: string, rate: string) =>
      `q est long de ${norm} et à angle droit de d, qui est long de 1. Quelle est la longueur du premier pas de la descente de gradient, avec un taux d’apprentissage de ${rate} ?`,
    label: "Longueur du premier pas",
    title: "Le premier pas depuis un vecteur de requête court",
    before: (from: string, norm: string) => `La courbe s’arrête à |q| = ${from}. Faites glisser le point là où vous pensez qu’elle passe à |q| = ${norm}, ou utilisez le curseur.`,
    sentence: (norm: string, gradient: string, step: string) =>
      `À |q| = ${norm}, le gradient du cosinus est long de ${gradient} et le premier pas de ${step} : tous deux croissent comme 1/|q|, sans limite.`,
    norm: "Longueur de q",
    x: "longueur de q",
    y: "longueur du premier pas",
    line: "cosinus",
    gradient: "longueur du gradient",
  },

  bound: {
    prose: [
      "La [[scs]] ajoute un nombre, [[epsilon]], à la [[norm]] des deux vecteurs : c’est q·d / ((|q| + ε)(|d| + ε)), où q·d est le [[dot]]. À ε = 0, c’est le cosinus.",
      "Chaque carte montre tous les vecteurs de requête q du plan. Plus la couleur est forte, plus le gradient y est long ; d est fixe.",
    ],
    question: (start: string, longest: string, factor: string, asked: string) =>
      `À ε = ${start}, aucun gradient n’est plus long que ${longest}. Divisez ε par ${factor}. Quelle est la longueur du plus long gradient à ε = ${asked} ?`,
    label: "Plus long gradient",
    title: "La longueur du gradient selon la place de q",
    before: (start: string, longest: string) => `À ε = ${start}, le plus long gradient est long de ${longest}, en q = 0 ; celui du cosinus n’a pas de maximum.`,
    sentence: (epsilon: string, exact: string, tight: string) =>
      `À ε = ${epsilon}, le plus long gradient est |d| / ((|d| + ε) ε) = ${exact}, en q = 0, et sous 1/ε = ${tight} pour tout d ; celui du cosinus n’a pas de limite.`,
    cosine: "Cosinus, ε = 0",
    smooth: (epsilon: string) => `Cosinus lissé, ε = ${epsilon}`,
    scale: "longueur du gradient",
    columns: ["ε", "plus long gradient", "1/ε"],
    caption: "Le plus long gradient, et sa borne pour tout document",
  },

  cost: {
    prose: ["Un grand epsilon garde les gradients courts. Mais il change aussi le score, et donc ce qu’un score veut dire."],
    question: (epsilon: string) =>
      `Un document pointe exactement comme la requête, et les deux vecteurs sont longs de 1. Le cosinus lui donne 1. Quel est son score à ε = ${epsilon} ?`,
    label: "Score",
    title: "Le score d’un document de cosinus 1",
    before: (epsilon: string) => `À ε = 0, le score est le cosinus, 1. Faites glisser le point là où vous pensez qu’il est à ε = ${epsilon}, ou utilisez le curseur.`,
    sentence: (epsilon: string, one: string, length: string, other: string) =>
      `À ε = ${epsilon}, un document long de 1 a un score de ${one} et un document long de ${length} un score de ${other}, tous deux avec un cosinus de 1 : les scores diminuent, la longueur compte, et des scores à des ε différents ne se comparent pas.`,
    length: "Longueur du second document",
    x: "epsilon",
    y: "score",
    line: (length: string) => `|d| = ${length}`,
  },

  order: {
    prose: [
      "Pour une requête donnée, seul q·d / (|d| + ε) décide de l’ordre des documents. Un petit ε favorise l’angle, un grand la longueur.",
      "Deux documents changent donc de place une fois au plus quand ε croît : à leur point d’échange, où leurs scores sont égaux.",
    ],
    waiting: "Cette figure a besoin des documents de la page. Elle viendra dès que le modèle sera chargé.",
    failed: (message: string, code: string) => `Les documents n’ont pas pu être classés : ${message} (${code}).`,
    nothing: (query: string) => `La recherche de « ${query} » trouve trop peu de documents pour cette figure. Cherchez d’abord autre chose.`,
    question: (query: string, first: string, asked: string) =>
      `Pour la requête « ${query} », le cosinus classe ${first} en premier. Quel document est premier à ε = ${asked} ?`,
    named: (title: string, language: string) => `${title} (${language})`,
    title: (query: string) => `Documents pour « ${query} »`,
    before: (count: string) => `Les courbes de ces ${count} documents partent de l’ordre du cosinus ; où elles mènent est la question.`,
    sentence: (epsilon: string, first: string, swaps: number, count: string) =>
      `À ε = ${epsilon}, ${first} est premier ; ces ${count} documents ont ${swaps} ${swaps > 1 ? "points" : "point"} d’échange, là où leurs courbes se croisent.`,
    list: (epsilon: string) => `L’ordre à ε = ${epsilon}`,
    x: "epsilon",
    y: "score, en part de celui du premier",
    swap: (epsilon: string, rising: string, falling: string) => `ε = ${epsilon} : ${rising} dépasse ${falling}`,
  },

  loss: {
    prose: [
      "L’entraînement minimise une [[loss]], calculée à partir des scores et de jugements sur les documents. L’erreur quadratique moyenne veut un seul score pour chaque degré de pertinence.",
      "La perte de l’article 1, SOSL, veut un intervalle : un document pertinent peut avoir n’importe quel score au-dessus du [[threshold]] supérieur.",
    ],
    question: (score: string, threshold: string, steps: string) =>
      `Un document pertinent a déjà un score de ${score}, au-dessus du seuil ${threshold}. Quel est son score après ${steps} pas avec l’erreur quadratique moyenne ?`,
    label: "Score après le dernier pas",
    title: "Le score d’un document pertinent pendant l’entraînement",
    before: (score: string, steps: string) => `Les deux partent de ${score}. Faites glisser le point là où l’erreur quadratique mène après ${steps} pas, ou utilisez le curseur.`,
    above: (score: string, mse: string, threshold: string) =>
      `SOSL laisse le score à ${score}, au-dessus du seuil ${threshold} ; l’erreur quadratique moyenne le tire vers ${mse}, le milieu de son intervalle.`,
    below: (sosl: string, mse: string, threshold: string) =>
      `SOSL élève le score à ${sosl}, juste au seuil ${threshold}, où sa traction s’arrête ; l’erreur quadratique moyenne le tire jusqu’à ${mse}, le milieu de son intervalle.`,
    score: "Score au départ",
    x: "pas",
    y: "score",
    sosl: "SOSL",
    mse: "erreur quadratique moyenne",
    threshold: (value: string) => `seuil ${value}`,
  },

  training: {
    prose: [
      "Et maintenant tout ensemble : la similarité cosinus lissée, SOSL, et un modèle qui ne sait rien. Ses mots ont des vecteurs aléatoires. Il est entraîné sur le corpus intégré, requêtes en anglais et documents en français, ici, dans cet onglet.",
    ],
    question: (steps: string, threshold: string) =>
      `Au départ, tout document a un score d’environ 0. Les documents pertinents devraient dépasser ${threshold}. Quel est leur score moyen après ${steps} pas, pour les requêtes d’entraînement ?`,
    label: "Score moyen des documents pertinents",
    title: "Scores moyens pendant l’entraînement",
    before: "Rien n’est encore entraîné : la page charge le corpus et entraîne quand vous demandez la réponse.",
    waiting: "L’entraînement a besoin du moteur du modèle. Il commencera dès que le modèle sera chargé.",
    fetching: "Chargement du corpus et du module d’entraînement…",
    failed: (message: string, code: string) => `L’entraînement s’est arrêté : ${message} (${code}).`,
    running: (step: string, steps: string) => `Pas ${step} sur ${steps}.`,
    sentence: (step: string, means: readonly string[], unseen: string) =>
      `Après ${step} pas, les documents pertinents ont un score moyen de ${means[2]} pour les requêtes d’entraînement, mais de ${unseen} pour les autres ; les documents sans rapport ont un score moyen de ${means[0]}.`,
    steps: "Pas montrés",
    x: "pas",
    y: "score moyen",
    grades: ["sans rapport", "en partie pertinent", "pertinent"],
    unseen: "pertinent, autres requêtes",
    threshold: (value: string) => `seuil ${value}`,
  },

  lessonsHeading: "Leçons guidées",
  lessonsText: "Des leçons mènent une classe à travers la recherche et le labo, en quelques étapes chacune, avec des questions corrigées et des notes pour l’enseignant.",
  lessonsLink: "Vers les leçons",
};
