import type { en } from "./strings.en";

/** In French. */
export const fr: typeof en = {
  title: "Gradients explosifs",
  lead: "Un vecteur de requête q est déplacé vers un vecteur de document d = (0, 1), par descente de gradient sur 1 − similarité. Il part de près de zéro. Quatre manières, depuis le même départ, au même taux : qu’est-ce qui explose, et que se passe-t-il ensuite ?",

  situations: "Situations",
  usual: "Près de zéro",
  askew: "Près de zéro, à 30°",
  far: "Loin de zéro",
  controls: "Descente",
  play: "Lecture",
  pause: "Pause",
  back: "Retour",
  forth: "Un pas",
  step: "Pas montrés",
  stepValue: (step: number, all: number) => `${step} sur ${all}`,
  rate: "Taux",
  norm: "Longueur au départ",
  angle: "Angle au départ",
  angleValue: (degrees: string) => `${degrees}°`,
  clip: "Écrêter les gradients à",

  names: { cosine: "Cosinus", clipped: "Cosinus, écrêté", smooth: "Cosinus lissé", adam: "Cosinus, Adam" },
  titles: {
    cosine: () => "Cosinus",
    clipped: (clip: string) => `Cosinus, écrêté à ${clip}`,
    smooth: (epsilon: string) => `Cosinus lissé, epsilon ${epsilon}`,
    adam: () => "Cosinus, Adam",
  },

  told: {
    start: (gradient: string) => `Au départ, le gradient est long de ${gradient}.`,
    steps: (gradient: string, lengths: string) => `Un gradient long de ${gradient} donne un premier pas long de ${lengths}.`,
    firstSteps: (lengths: string) => `Longueur des premiers pas : ${lengths}.`,
    since: (count: number, longest: string) =>
      count === 1
        ? `Le pas qui suit le premier est long de ${longest}.`
        : `Aucun des ${count} pas qui suivent le premier n’est plus long que ${longest}.`,
    now: (norm: string, before: string, cosine: string) =>
      `Maintenant q est long de ${norm} ; son cosinus avec d est passé de ${before} à ${cosine}.`,
    jumpArrived:
      "Un saut, puis rien : le saut est à angle droit de q, et depuis ce départ il se trouve que d pointe justement par là. L’entraînement finit là. D’autres angles ont moins de chance : essayez 30°.",
    jumpStalled:
      "Un saut, puis un arrêt : le saut est à angle droit de q, ce qui n’est pas là où pointe d, et q est maintenant si long que le gradient est trop court pour le faire tourner.",
    noJump: "Il n’y a pas de saut.",
    arrived: "Il pointe vers d : le cosinus est presque 1.",
    clipped: (count: number, of: number) =>
      count === 0
        ? "Aucun gradient n’était assez long pour être écrêté."
        : `${count} ${count === 1 ? "gradient écrêté" : "gradients écrêtés"} sur ${of} : cela borne le pas, mais ne change pas où il mène.`,
    bound: (bound: string, step: string) =>
      `Aucun gradient ne peut être plus long que |d| / ((|d| + ε) ε) = ${bound}, donc aucun pas plus long que ${step}.`,
    isCosine: "À epsilon 0, c’est le cosinus, que rien ne borne. Déplacez epsilon.",
    hidden: (gradient: string, rate: string) =>
      `Le premier pas d’Adam a la taille du taux, ${rate}, dans chaque coordonnée, quelle que soit la longueur du gradient ; ici ${gradient}. Le saut est caché.`,
    paid: (step: number, gradient: string, length: string, plain: string) =>
      `Cela se paie plus tard : la moyenne des carrés par laquelle Adam divise oublie un millième à chaque pas, donc le premier gradient y reste. Au pas ${step}, un gradient long de ${gradient} déplace q de ${length} ; sans Adam ce serait de ${plain}.`,
  },

  outside: (norm: string) => `|q| = ${norm}`,
  left: (norm: string) => `Le chemin quitte le plan : la flèche montre où est q, à ${norm} du centre.`,
  scale: "Couleurs : la longueur du gradient en chaque q, sur une même échelle logarithmique de 0 à 10 et au-delà pour les quatre. Le trait est le chemin ; le gros point est q.",

  lengths: "La longueur de chaque pas",
  lengthsLabel: "longueur du pas",
  stepLabel: "pas",
  lengthsSummary: (parts: string) => `Le plus long des pas montrés : ${parts}.`,
  ofRun: (name: string, value: string) => `${name} ${value}`,
  none: "aucun",
  scores: "Où cela mène",
  scoresLabel: "similarité avec d",
  scoresSummary: (step: number, parts: string) =>
    `La similarité que chaque descente fait elle-même grandir, après ${step} pas : ${parts}. Le cosinus lissé reste sous 1, car la longueur y compte : comparez son cours, non sa hauteur.`,

  caption: (title: string) => `${title} : chaque pas`,
  columns: { step: "pas", x1: "q₁", x2: "q₂", norm: "|q|", length: "longueur du pas", gradient: "gradient ici", score: "similarité", cosine: "cosinus" },
  allCaption: { lengths: "La longueur de chaque pas", scores: "La similarité après chaque pas" },

  happens: "Ce qui se passe vraiment",
  explained: [
    "Le gradient du cosinus est à angle droit de q, et long de sin(q, d) / |q|. Il est donc énorme près de zéro ; et un pas à angle droit allonge q, jamais ne le raccourcit. Dans une descente simple, cela donne un seul saut énorme puis un arrêt, non une explosion après l’autre : plus q est long, plus le gradient est court.",
    "L’écrêtage borne le saut. Il ne change pas où il mène, et sa limite est un nombre de plus à choisir.",
    "Le cosinus lissé divise par |q| + ε au lieu de |q| : près de zéro, son gradient est long de |d| / ((|d| + ε) ε) au plus. L’article 1 imprime la borne 2 / ε ; elle est juste, et double de la meilleure sur tous les documents, 1 / ε.",
    "Adam cache le saut et le paie dans son second moment. Ses coefficients de décroissance sont ici les habituels, 0,9 et 0,999.",
  ],

  real: {
    title: "Dans l’entraînement d’un modèle",
    lead: "Le cosinus et le cosinus lissé, chacun avec des gradients écrêtés et sans : un modèle est entraîné sur le corpus intégré avec SOSL et Adam, à partir des mêmes vecteurs aléatoires et sur les mêmes paires dans le même ordre. Plus les vecteurs des mots sont courts au départ, plus les gradients du cosinus sont longs. Langue et graine sont celles de la vue « Entraînement ».",
    deviation: "Écart type au départ",
    clip: "Écrêter le gradient d’un pas à",
    play: "Entraîner",
    pause: "Pause",
    step: "Un pas d’entraînement",
    again: "Recommencer",
    ready: "Rien n’est encore entraîné.",
    fetching: "Chargement du corpus et du module d’entraînement…",
    at: (step: string, of: string) => `Pas ${step} sur ${of}.`,
    failed: (message: string, code: string) => `L’entraînement s’est arrêté : ${message} (${code}).`,
    ways: { cosine: "Cosinus", cosineClipped: "Cosinus, écrêté", smooth: "Cosinus lissé", smoothClipped: "Cosinus lissé, écrêté" },
    lengths: "Le plus long gradient du score à chaque pas",
    lengthsLabel: "longueur du gradient",
    limit: (limit: string) => `1 / ε = ${limit}`,
    longestOf: (way: string) => `${way} : le plus long`,
    medianOf: (way: string) => `${way} : médiane`,
    losses: "La perte de chaque pas",
    lossLabel: "perte moyenne des paires du pas",
    lossSummary: (steps: string, parts: string) => `Perte au pas ${steps} : ${parts}.`,
    nothing: "Appuyez sur « Entraîner » pour le voir.",
    told: (deviation: string, steps: number, parts: string) =>
      `À partir d’un écart type de ${deviation}, le plus long gradient en ${steps} pas : ${parts}.`,
    seen: (way: string, most: string, step: string, above: number | undefined, clipped: number | undefined) =>
      [
        `${way} ${most} (pas ${step}`,
        ...(above === undefined ? [] : [above === 0 ? "jamais au-dessus de 1 / ε" : `${above} pas au-dessus de 1 / ε`]),
        ...(clipped === undefined ? [] : [clipped === 0 ? "jamais écrêté" : clipped === 1 ? "1 pas écrêté" : `${clipped} pas écrêtés`]),
      ].join(", ") + ")",
    limitSaid: (epsilon: string, limit: string) => `Avec epsilon ${epsilon}, aucun gradient du cosinus lissé ne peut dépasser ${limit}.`,
    noLimit: "À epsilon 0 le cosinus lissé est le cosinus : rien ne borne ses gradients. Déplacez epsilon.",
    notes: [
      "La longueur est celle du gradient du score d’une paire par rapport au vecteur de sa requête ou de son document, la plus grande des deux ; le plus long gradient d’un pas est pris sur les paires dont la perte a une pente.",
      "L’écrêtage réduit le gradient d’un pas entier, sur tous les mots : il raccourcit le pas, non les gradients dont le pas est fait.",
    ],
  },
};
