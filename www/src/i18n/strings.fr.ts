import type { en } from "./strings.en";

/** A document of the story: title, language, |d|, q·d. */
type Told = readonly [title: string, language: string, norm: string, dot: string];

/** In French. */
export const fr: typeof en = {
  locale: "fr-FR",
  numbers: { decimal: ",", thousands: "\u202f", percent: (hundredths: string) => `${hundredths}\u202f%` },
  and: "et",
  words: (words: readonly string[]) => words.join(", "),
  parts: (parts: readonly string[]) => parts.join(" ; "),
  mineOnly: (documents: string) => `Seulement mes documents (${documents})`,
  allLanguages: "Toutes",
  languageNames: { en: "anglais", fr: "français", it: "italien", sw: "swahili", tl: "tagalog" },
  examples: ["gros animal gris à grandes oreilles", "fruit sucré", "pâte de farine et d’eau", "poisson dans la mer"],
  example: "Par exemple :",
  results: "Résultats",
  terms: "Termes :",
  languagesOf: (title: string) => `Langues de ${title}`,
  showGuesses: (count: number) => (count === 1 ? "Voir le résultat le plus proche" : `Voir les ${count} résultats les plus proches`),
  hideGuesses: "Masquer ces résultats",

  invitation: "Tapez quelques mots dans votre langue, ou essayez un des exemples ci-dessus.",
  notLoaded: "Le modèle n’est pas chargé : il n’y a encore rien à chercher. Ce que vous avez tapé est gardé.",
  stillLoading: "Le modèle se charge encore. Ce que vous avez tapé sera cherché dès qu’il sera là.",
  noWordKnown: (words: string) => `Rien trouvé : ce modèle ne connaît aucun de ces mots : ${words}.`,
  nothingFound: "Rien trouvé.",
  noWord: "Rien trouvé : il n’y a pas de mot dans cette requête.",
  noDocument: "Rien trouvé : il n’y a pas de documents où chercher.",
  nothingFits: "Rien ici ne correspond bien.",
  searchFailed: (message: string, code: string) => `La recherche a échoué : ${message} (${code}).`,

  count: (shown: string, all: string, ms: string) => `${shown} ${shown === "0" || shown === "1" ? "document" : "documents"} sur ${all} en ${ms} ms`,
  searched: (all: string, ms: string) => (all === "1" ? `1 document parcouru en ${ms} ms` : `${all} documents parcourus en ${ms} ms`),
  unknown: (words: string, count: number) =>
    count === 1 ? `Mot ignoré, inconnu de ce modèle : ${words}.` : `Mots ignorés, inconnus de ce modèle : ${words}.`,
  notInLink: (most: string) => `Un lien contient des requêtes de ${most} caractères au plus : celle-ci est perdue quand on quitte la page.`,
  mineInvitation: (count: string) =>
    count === "1" ? "Tapez une requête pour chercher dans votre document." : `Tapez une requête pour chercher dans vos ${count} documents.`,
  spelling: {
    corrected: (words: string) => `Orthographe corrigée : ${words}.`,
    asTyped: (words: string) => `Chercher ${words} tel quel`,
    correct: "Corriger l’orthographe",
  },
  more: (count: string) => (count === "1" ? "et 1 autre" : `et ${count} autres`),
  announce: (count: number, title: string, language: string) =>
    count === 1 ? `1 document : ${title}, en ${language}.` : `${count} documents. Le premier : ${title}, en ${language}.`,

  score: "score",
  dot: (value: string) => `q·d ${value}`,
  norm: (value: string) => `|d| ${value}`,

  models: {
    names: { demo: "Modèle de démonstration", full: "Modèle complet" },
    offer: "Le modèle complet est prêt. Il lit plus de langues et de mots, et dit en anglais ce qu’ils signifient.",
    atWork: {
      demo: (dimension: string, size: string) => `Modèle de démonstration : vecteurs de ${dimension} dimensions, ${size} Mo`,
      full: (dimension: string, size: string) => `Modèle complet : vecteurs de ${dimension} dimensions et traductions, ${size} Mo`,
    },
    loading: (loaded: string, all: string) =>
      `Réception du modèle complet : ${loaded} Mo sur ${all}. D’ici là, le modèle de démonstration répond.`,
    preparing: "Préparation du modèle complet…",
    heldBack: "Le modèle complet attend : votre ajustement va avec celui-ci. Choisissez-le pour y passer.",
    failed: (message: string, code: string) =>
      `Le modèle complet n’a pas pu être utilisé : ${message} (${code}). Le modèle de démonstration répond.`,
  },

  speed: {
    noModel: "Le modèle n’est pas encore chargé : il n’y a rien à mesurer.",
    measuring: "Mesure en cours…",
    measured: (documents: string, queries: string, median: string, most: string, rate: string) =>
      `${documents} documents, ${queries} requêtes de deux mots : ${median} ms de la requête au classement (médiane ; 95 % sous ${most} ms). Sans pause, ${rate} millions de documents notés par seconde.`,
    again: "Mesurer encore",
    failed: (message: string, code: string) => `La vitesse n’a pas pu être mesurée : ${message} (${code}).`,
  },

  rankings: {
    choices: { hybrid: "Les deux", dense: "Le sens (dense)", lexical: "Les mots (lexical)" },
    dense: (value: string) => `dense ${value}`,
    lexical: (value: string) => `lexical ${value}`,
  },

  compare: {
    heading: "Deux fois la même recherche",
    sides: { left: "À gauche", right: "À droite" },
    names: {
      demo: "Le modèle de démonstration",
      full: "Le modèle complet",
      lsi: "Analyse sémantique latente (CL-LSI)",
      opca: "Composantes principales orientées (OPCA)",
      cca: "Corrélations canoniques (CCA)",
      cdl: "Dictionnaires couplés (CDL)",
    },
    failed: (message: string, code: string) => `La comparaison n’a pas pu se faire : ${message} (${code}).`,
    waiting: "Le modèle complet se charge encore.",
    fetching: (size: string) => `Réception : ${size} Mo…`,
    oneLanguage: (language: string) =>
      `Une méthode est entraînée pour une langue de documents à la fois : les deux listes sont donc en ${language} ; choisissez-en une autre plus haut.`,
    notOfLanguage: "Cette méthode n’a pas été entraînée pour cette langue.",
    nothing: "Rien trouvé.",
    there: (rank: string) => `rang ${rank} dans l’autre liste`,
    notThere: "pas parmi les dix premiers de l’autre liste",
    shared: (count: number) => (count < 2 ? `${count} document sur dix est dans les deux listes.` : `${count} documents sur dix sont dans les deux listes.`),
  },

  card: {
    failed: (message: string, code: string) => `La fiche du modèle n’a pas pu être reçue : ${message} (${code}).`,
    size: (files: string, size: string) => `${files} fichiers, ${size} Mo.`,
    figures: "Traductions retrouvées, sur des jeux de réglage",
    typed: "Requêtes telles qu’on les tape, un jeu de réglage : la part répondue parmi les trois premiers",
    columns: { language: "langue", set: "jeu de réglage", ranking: "classé par", kind: "sorte de requête", all: "toutes ensemble" } as Record<string, string>,
    kinds: {
      all: "toutes",
      description: "description",
      inflected: "autres formes des mots",
      keywords: "mots-clés",
      misspelt: "fautes de frappe",
      mixed: "deux langues",
      "one-word": "un mot",
      "own-language": "langue des documents",
      paragraph: "paragraphe",
      question: "question",
    } as Record<string, string>,
    rankings: { hybrid: "hybride", dense: "dense", lexical: "lexical" } as Record<string, string>,
    training: "Entraîné sur",
    sources: "Sources",
    limits: "Limites",
    biases: "Biais",
  },

  confidence: ["réponse très probable", "réponse probable", "réponse possible", "réponse peu probable"],

  gloss: {
    title: "mot à mot, en anglais :",
    button: "Lire mot à mot",
    whole: "Tout lire",
    answers: (word: string) => `(${word})`,
    of: (title: string) => `${title}, mot à mot en anglais`,
    note: "Sous chaque mot, son sens le plus probable d’après les traductions du modèle : une supposition pour chaque mot, pas une traduction du texte.",
    failed: (message: string, code: string) => `Les mots n’ont pas pu être montrés en anglais : ${message} (${code}).`,
  },

  why: {
    button: "Pourquoi ?",
    of: (title: string) => `Pourquoi ${title} a ce score`,
    dense: "C’est le score dense seul : la similarité de deux vecteurs, celui de la requête et celui du document. Ils n’ont pas besoin d’un mot commun.",
    formula: "score = q·d / ((|q| + ε)(|d| + ε))",
    hybrid: "Le score est hybride. Le score dense est la similarité de deux vecteurs, celui de la requête et celui du document : ils n’ont pas besoin d’un mot commun. Le score lexical cherche les mots de la requête en traduction et les pèse par BM25.",
    similarityFormula: "dense = q·d / ((|q| + ε)(|d| + ε))",
    fusion: (a: string, dense: string, b: string, lexical: string, score: string) =>
      `score = ${a} × dense ${dense} + ${b} × lexical ${lexical} = ${score}`,
    translations: {
      caption: "Mots de la requête que le document a en traduction, et leur contribution au score ; « plui- » est tout mot qui commence ainsi",
      columns: ["mot", "traduction", "contribution"],
      term: (word: string, probability: string, count: number) => `→\u00a0${word} ${probability}, ${count} fois`,
      none: "Aucun mot de la requête n’a été trouvé en traduction dans le document.",
    },
    similarityCaption: "Mots de la requête : le score dense moins le score dense sans le mot",
    similaritySum: (sum: string, similarity: string) =>
      `Chaque changement est exact, mais leur somme n’est pas forcément le score dense : la somme est ${sum}, le score dense ${similarity}. Un vecteur est la tanh d’une moyenne de mots, et le score un quotient.`,
    arithmetic: (dot: string, q: string, d: string, epsilon: string, score: string) =>
      `= ${dot} / ((${q} + ${epsilon})(${d} + ${epsilon})) = ${score}`,
    columns: ["mot", "contribution"],
    queryCaption: "Mots de la requête : le score moins le score sans le mot",
    unknown: "inconnu",
    interpreted: (token: string, interpreted: string) => `${token} → ${interpreted}`,
    readAs: (language: string) => `La requête a été lue dans la langue suivante : ${language}.`,
    sum: (sum: string, score: string) =>
      `Chaque changement est exact, mais leur somme n’est pas forcément le score : ensemble ${sum}, le score est ${score}. Un vecteur est la tanh d’une moyenne de mots, et le score un quotient.`,
    showWords: "Surligner les mots qui changent le score",
    legend:
      "Surlignés dans le texte : les mots qui changent le score d’au moins un quart de ce que fait le plus fort. Plus la couleur est forte, plus le changement est grand ; les mots soulignés d’un trait plein augmentent le score, ceux d’un trait interrompu le diminuent.",
    documentNumbers: "Les mots du document en nombres",
    documentCaption: "Mots du document : le score moins le score sans le mot, les plus forts d’abord",
    failed: (message: string, code: string) => `Le score n’a pas pu être expliqué : ${message} (${code}).`,
  },

  pin: {
    button: "Épingler",
    unpin: "Retirer l’épingle",
    rank: (rank: number, of: string, way: "up" | "down" | "none", from: number) => {
      const moved = { up: `, monté depuis la place ${from}`, down: `, descendu depuis la place ${from}`, none: "" };
      return `Place ${rank} sur ${of}${moved[way]}`;
    },
    otherLanguage: (language: string) => `Le document épinglé n’est pas en ${language}.`,
    notRanked: "Le document épinglé n’est pas parmi ceux qui ont été classés.",
    announce: (rank: string) => `Épinglé : ${rank}`,
  },

  rankChanges: {
    toolbar: "Points d’échange",
    ticksFailed: (message: string, code: string) =>
      `Les points d’échange du curseur n’ont pas pu être chargés : ${message} (${code}).`,
    curvesFailed: (message: string, code: string) => `Les courbes des deux scores n’ont pas pu être chargées : ${message} (${code}).`,
    named: (title: string, language: string) => `${title} (${language})`,
    passes: (epsilon: string, rising: string, falling: string) => `À ${epsilon}, ${rising} dépasse ${falling}`,
    several: (count: number, last: string, first: string) => `${count} points d’échange jusqu’à ${last} ; le premier : ${first}`,
    summary: (count: number) =>
      count === 1
        ? "Au repère, deux des documents changent de rang."
        : `${count} points d’échange : à chaque repère, deux des documents changent de rang.`,
    heading: "Deux documents changent de rang",
    sentence: (first: string, second: string, epsilon: string) =>
      `${first} est devant sous epsilon ${epsilon}, ${second} au-dessus.`,
    never: (ahead: string, behind: string) => `Ces deux-là ne changent jamais de rang : ${ahead} est devant ${behind} à tout epsilon.`,
    goThere: (epsilon: string) => `Aller à ${epsilon}`,
    close: "Fermer",
    scores: "Les deux scores",
    lead: "De combien il est devant",
    epsilonAxis: "epsilon",
    scoreAxis: "score",
    leadAxis: "% du plus haut",
    leadOf: (first: string) => `${first} : au-dessus de 0 il est devant`,
    same: "aucun n’est devant",
    slider: (epsilon: string) => `Le curseur : ${epsilon}`,
    swapPoint: (epsilon: string) => `Le point d’échange : ${epsilon}`,
    scoresNow: (epsilon: string, first: string, firstScore: string, second: string, secondScore: string) =>
      `Au curseur, à ${epsilon} : ${first} ${firstScore}, ${second} ${secondScore}.`,
    bothScore: (score: string) => `Au point d’échange, les deux ont le score ${score}.`,
    even: (epsilon: string) => `Au curseur, à ${epsilon}, aucun n’est devant.`,
    leadNow: (epsilon: string, ahead: string, by: string) => `Au curseur, à ${epsilon}, ${ahead} est devant de ${by}.`,
  },

  story: {
    heading: "Un document court et un long",
    first: (query: string, short: Told, long: Told) =>
      `Deux résultats pour « ${query} ». Le vecteur de ${short[0]} (${short[1]}) est court : |d| vaut ${short[2]}, q·d ${short[3]}. Celui de ${long[0]} (${long[1]}) est plus long : |d| vaut ${long[2]}, q·d ${long[3]}.`,
    length: (short: string, long: string) =>
      `Courts et longs sont ici les vecteurs, non les textes : ceux-ci ont ${short} et ${long} mots.`,
    turn: (epsilon: string) =>
      `Le cosinus divise par |d| et ne voit que l’angle. Plus epsilon est grand, moins |d| compte sous la barre, et plus compte le plus grand q·d. À ${epsilon} l’ordre se renverse.`,
    cosine: (title: string) => `Cosinus : ${title} est devant`,
    swapPoint: (epsilon: string) => `À ${epsilon} ils changent de rang`,
    large: (epsilon: string, title: string) => `À ${epsilon} : ${title} est devant`,
    now: (epsilon: string, short: readonly [string, string], long: readonly [string, string], ahead: string) =>
      `Maintenant, à ${epsilon} : ${short[0]} ${short[1]}, ${long[0]} ${long[1]} ; ${ahead} est devant.`,
  },

  epsilonText: (value: string) => `epsilon ${value}, entre cosinus et produit scalaire`,
  epsilonZero: "epsilon 0, cosinus",
  epsilonMost: (value: string) => `epsilon ${value}, presque le produit scalaire`,
  epsilonReset: (value: string) => `du modèle (${value})`,

  starting: "Démarrage du moteur de recherche…",
  loading: (loaded: string, total: string | undefined) =>
    total === undefined ? `Chargement du modèle : ${loaded} Mo` : `Chargement du modèle : ${loaded} sur ${total} Mo`,
  preparing: "Vérification du modèle…",
  cancelled: "Le chargement a été annulé.",
  failed: (what: string, message: string, code: string) => `${what} ${message} (${code})`,
  failures: {
    network: "Le modèle n’a pas pu être chargé ; y a-t-il une connexion ?",
    "http-status": "Le serveur n’a pas le modèle, ou ne le donne pas.",
    "not-binary": "À la place du modèle, le serveur a envoyé une page ou un texte.",
    incomplete: "Une partie seulement du modèle est arrivée.",
    "not-safetensors": "Le modèle est arrivé, mais il n’est pas entier, ou ce n’est pas un modèle.",
    digest: "Le modèle est arrivé, mais il est abîmé.",
    "newer-version": "Le modèle est d’une version plus récente que cette page.",
    mismatch: "Les documents n’ont pas été faits avec ce modèle.",
    "wasm-failed": "Le moteur de recherche n’a pas pu démarrer.",
    "worker-failed": "Le moteur de recherche s’est arrêté.",
  },
  failure: "Le modèle n’a pas pu être chargé.",
  noWebAssembly: "Ce navigateur n’a pas WebAssembly, avec quoi cette page cherche. Un navigateur récent l’a.",
  noSimd: "Le WebAssembly de ce navigateur n’a pas SIMD, dont cette page a besoin. Un navigateur récent l’a.",

  largest: (value: string, epsilon: string) =>
    `À epsilon ${epsilon} la dérivée est la plus grande au centre : ${value}.`,
  largestElsewhere: (value: string, x1: string, x2: string, epsilon: string) =>
    `À epsilon ${epsilon} la dérivée est la plus grande en (${x1}, ${x2}) : ${value}.`,
  unbounded: (value: string) =>
    `À epsilon 0 la dérivée est sans borne près du centre et n’y est pas définie ; la plus grande valeur dessinée est ${value}.`,
  mapFailed: (message: string, code: string) => `La carte n’a pas pu être dessinée : ${message} (${code}).`,
  scale: (limit: string) =>
    `Une seule échelle pour tout epsilon : symétrique, logarithmique, de −${limit} à ${limit} ; ce qui est au-delà a la couleur du bout.`,
  reading: (x1: string, x2: string, value: string) => `En (${x1}, ${x2}) : ${value}`,
  undefinedValue: "non définie",
  tableCaption: (epsilon: string) => `Dérivée partielle en x1 en quelques points, pour epsilon ${epsilon}`,
  tableCorner: "x2 \\ x1",

  evaluation: {
    missing: (status: number) => `le serveur a répondu ${status} pour evaluation.json`,
    malformed: (place: string) => `evaluation.json : « ${place} » manque ou n’a pas la bonne forme`,
    noDocument: (id: string, language: string) => `les documents chargés n’ont pas de « ${id} » en ${language}, que les tests classent`,
  },

  menu: { search: "Recherche", learn: "Apprendre", documents: "Vos documents", lab: "Labo" },
  views: {
    search: "Recherche",
    learn: "Le raisonnement",
    maps: "Gradients",
    descent: "Gradients explosifs",
    losses: "Pertes",
    metrics: "Mesures",
    training: "Entraînement",
    theory: "Théorie",
    documents: "Vos documents",
    lessons: "Leçons",
  },
  viewLoading: "Chargement de cette vue…",
  viewFailed: (message: string, code: string) => `Cette vue n’a pas pu être chargée : ${message} (${code}).`,
  lessonFailed: (message: string, code: string) => `La leçon n’a pas pu être chargée : ${message} (${code}).`,
  retry: "Réessayer",
  charts: {
    numbers: "Les nombres",
    save: (title: string) => `Enregistrer « ${title} »`,
  },

  where: {
    label: "Calculer avec",
    choices: {
      auto: "ce qui est plus rapide ici",
      webgpu: "la carte graphique (WebGPU)",
      wasm: "le processeur (WebAssembly)",
    },
    ran: {
      wasm: (name: string, reason: string) => `Les pas ont été faits par le processeur (${name}) : ${reason}.`,
      webgpu: (name: string, reason: string) => `Les pas ont été faits par la carte graphique (${name}) : ${reason}.`,
    },
  },

  finetune: {
    grades: { 2: "Pertinent", 1: "En partie", 0: "Sans rapport" },
    feedbackGroup: "Répond-il à la recherche ?",
    remove: "Retirer",
    removeLabel: (title: string, query: string) => `Retirer le jugement sur ${title}, pour ${query}`,

    fetching: "Chargement du module d’ajustement…",
    fetchingEncoders: (loaded: string, total: string | undefined) =>
      total === undefined
        ? `Chargement de l’encodeur de documents : ${loaded} Mo`
        : `Chargement de l’encodeur de documents : ${loaded} sur ${total} Mo`,
    fetchingModule: (size: string) => `Chargement du module d’ajustement… ${size} Mo`,
    tuning: "Ajustement…",
    step: (step: string, loss: string) => `Pas ${step} : perte ${loss}.`,
    nothingLeft: (steps: string) => `Fini en ${steps} pas : la perte est 0, ces jugements ne changent plus rien.`,
    stopped: (steps: string, loss: string) => `Arrêté après ${steps} pas : perte ${loss}. Les progrès faits jusqu’ici sont gardés.`,
    enough: (steps: string, loss: string) => `${steps} pas : perte ${loss}. Lancer continue d’ici.`,
    stoppedAtOnce: "Arrêté.",
    undoing: "Retour en arrière…",
    undone: "Annulé.",
    undoneAll: "Annulé : il n’y a plus rien à annuler.",
    resetting: "Retour au modèle chargé…",
    wasReset: "Le modèle est tel qu’il a été chargé. Annuler rétablit l’ajustement.",
    exported: (largest: string, mean: string) =>
      `Enregistré. Ses poids sont arrondis à la précision du modèle chargé : de ${largest} au plus, ${mean} en moyenne.`,
    failed: (message: string, code: string) => `Cela n’a pas marché : ${message} (${code}). Vous pouvez réessayer.`,

    lossSteps: (steps: string) => `${steps} pas`,
    lossSummary: (steps: string, first: string, last: string) =>
      steps === "1" ? `1 pas, depuis une perte de ${first}.` : `${steps} pas : d’une perte de ${first} à ${last}.`,

    compared: (query: string) => `Les dix premiers pour « ${query} »`,
    nothingToCompare: "Cherchez quelque chose pour voir ce qui a changé.",
    samePlace: "même place",
    from: (way: "up" | "down", by: string, rank: string) =>
      `${way === "up" ? "monté" : "descendu"} de ${by}, depuis la place ${rank}`,
    fromBeyond: (far: string) => `monté d’au-delà de ${far}`,
    nowAt: (rank: string) => `descendu à ${rank}`,
    nowBeyond: (far: string) => `descendu au-delà de ${far}`,
    othersKept: (count: number) =>
      `Aucune de ces ${count} autres recherches n’a perdu un document de ses dix premiers, et chacune a gardé son premier.`,
    othersChanged: (count: number, first: number, stayed: number, of: number) =>
      `De ${count} autres recherches, ${first} ont gardé leur premier document ; de leurs dix premiers, ${stayed} sur ${of} sont encore là.`,
    stayed: (stayed: number, of: number) => `${stayed} sur ${of}`,
    yes: "oui",
    no: "non",
    comparisonFailed: (message: string, code: string) => `Avant et après n’ont pas pu être comparés : ${message} (${code}).`,

    keptFromBefore: "Votre ajustement antérieur de ce modèle est utilisé.",
    startAfresh: "L’oublier",
    notTakenUp: "Votre ajustement antérieur de ce modèle n’a pas pu être rétabli. Un nouvel ajustement le remplace.",
    tryAgain: "Réessayer",
    refused: (message: string, code: string) =>
      `L’ajustement gardé d’une visite précédente ne va pas avec ce modèle et a été supprimé : ${message} (${code}).`,
    newer: "Un autre onglet a un ajustement plus récent. Ajuster ici le remplace.",
    takeOver: "Reprendre",
    tookOver: "L’ajustement de l’autre onglet est utilisé ici.",
    notKept: (message: string) =>
      `Ce navigateur ne garde pas l’ajustement : il est perdu quand l’onglet est fermé. Enregistrer l’écrit dans un fichier. (${message})`,
  },

  model: (dimension: string, epsilon: string, documents: string, languages: string) =>
    `Le modèle : des vecteurs de mots moyennés, de ${dimension} dimensions, un même espace pour toutes les langues, entraînés avec epsilon ${epsilon}. Il cherche dans ${documents} documents en ${languages}.`,
};
