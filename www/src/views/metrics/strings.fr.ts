import type { en } from "./strings.en";
import type { TrecKind } from "./trec-kind";

const COLUMNS = {
  qrels: "4 attendues (requête, 0, document, degré)",
  run: "6 attendues (requête, Q0, document, rang, score, étiquette)",
};
const countOf = (count: number, one: string, many: string) => `${count.toLocaleString("fr-FR")} ${count < 2 ? one : many}`;
const queriesOf = (count: number) => countOf(count, "requête", "requêtes");
const columnsOf = (count: number) => countOf(count, "colonne", "colonnes");
const lines = (line: number, problem: string) => `ligne ${line} : ${problem}`;
const leftOut = (count: number) => (count < 2 ? "laissée de côté" : "laissées de côté");

/** In French. */
export const fr: typeof en = {
  heading: "Mesures",
  intro: (epsilon: string, negatives: number) =>
    `Le modèle classe-t-il bien ? Chaque requête de test classe le document qui y répond, ceux qui y répondent en partie, et ${negatives} négatifs échantillonnés. Le modèle testé a été entraîné à epsilon ${epsilon}. Le curseur ne déplace epsilon qu’au moment du test : les vecteurs restent comme ils sont, les scores changent, et l’ordre avec eux.`,
  metric: "Mesure",
  language: "Documents en",
  allLanguages: "toutes les langues",

  /** The meaning of each metric. */
  meanings: {
    "P_mr@1": "la part des requêtes dont le premier document est celui qui est pertinent",
    "P_mr@5": "le nombre de documents pertinents parmi les cinq premiers ; chaque requête en a un, donc 1 est le maximum",
    "P_r@5": "la part des cinq premiers documents qui sont pertinents ou en partie pertinents",
    "NDCG@5": "ce que valent les cinq premiers, le premier comptant le plus, par rapport aux cinq meilleurs possibles",
    MAP: "la précision moyenne sur toutes les places où se trouve un document pertinent ou en partie pertinent",
    MRR_mr: "un divisé par la place du document pertinent",
    MRR_r: "un divisé par la place du premier document pertinent ou en partie pertinent",
  },

  meaning: (metric: string, meaning: string) => `${metric} : ${meaning}.`,

  heldOut: "tel que testé : n’a pas vu ces requêtes",
  loaded: "tel que chargé ici",
  loadedRefit: "tel que chargé ici : entraîné aussi sur ces requêtes",
  heldOutShort: "tel que testé, requêtes jamais vues",
  loadedShort: { refit: "tel que chargé, entraîné sur ces requêtes", other: "tel que chargé, un autre modèle", same: "tel que chargé" },

  loading: "Chargement des requêtes de test…",
  ranking: "Le modèle chargé classe les requêtes de test…",
  noModel: "La courbe du modèle chargé viendra quand il y en aura un.",
  failed: (message: string, code: string) => `Les requêtes de test n’ont pas pu être utilisées : ${message} (${code}).`,
  retry: "Réessayer",

  epsilonAxis: "epsilon",
  atEpsilon: (value: string) => `epsilon ${value}`,
  epsilonTitle: (metric: string) => `${metric} selon epsilon au moment du test`,
  epsilonCaption: (metric: string, queries: number) => `${metric}, moyenne sur ${queriesOf(queries)}`,
  atSlider: (epsilon: string) => `epsilon ${epsilon}, celui du curseur`,
  atZero: "epsilon 0, cosinus",
  epsilonSummary: (model: string, metric: string, epsilon: string, now: string, best: string, at: string) =>
    `Le modèle ${model} : ${metric} vaut ${now} à epsilon ${epsilon} ; au plus ${best}, à epsilon ${at}.`,
  refit: "Le résultat est la première colonne et la première courbe, « tel que testé » : le modèle n’avait pas vu ces requêtes. Le modèle chargé a été entraîné une fois de plus, sur toutes les requêtes, celles-ci comprises : ses chiffres, montrés pour comparer, ne sont pas un test et traduisent un surapprentissage.",
  notRefit: "Le modèle chargé est celui qui a été testé ; les deux courbes ne diffèrent que par l’arrondi de ses poids dans son fichier.",

  otherModel:
    "Les chiffres « tel que testé » sont ceux du modèle de démonstration. Le modèle chargé en est un autre, et a pu être entraîné sur ces requêtes : ses propres chiffres ne sont pas un test. Son epsilon est celui à côté du curseur.",

  tableTitle: (epsilon: string) => `Les sept à epsilon ${epsilon}`,
  tableCaption: (queries: number) => `Moyennes sur ${countOf(queries, "paire", "paires")} d’une requête et d’une langue`,
  tableMetric: "mesure",

  gradesTitle: "Degrés d’après les seuils",
  gradesIntro: (thresholds: readonly string[], grades: readonly string[]) => {
    const upTo = thresholds.map((threshold, at) => `jusqu’à ${threshold}, ${grades[at]}`);
    return `Les seuils font d’un score un degré : ${upTo.join(" ; ")} ; au-dessus, ${grades.at(-1)}. Lignes : le degré juste ; colonnes : le degré que donne le modèle, tel que testé.`;
  },
  gradesHidden: (own: string, epsilon: string) =>
    `N’est pas montré à epsilon ${epsilon}. La grandeur d’un score dépend d’epsilon, et les seuils ont été entraînés avec epsilon ${own} : à un autre, ils ne donnent aucun degré juste. L’ordre des documents, et donc les mesures, n’ont pas besoin de seuils.`,
  gradesCaption: "Documents par degré",
  gradesCorner: "juste \\ donné",
  grades: ["sans rapport", "en partie pertinent", "pertinent"],
  grade: (grade: number) => `degré ${grade}`,

  sweepTitle: (metric: string) => `${metric} quand chaque epsilon a son propre entraînement`,
  sweepSampled: (negatives: string) => `parmi ${negatives} négatifs échantillonnés`,
  sweepAll: (documents: string) => `parmi tous les ${documents} documents`,
  sweepNegativesSampled: "parmi autant de négatifs échantillonnés",
  sweepSummary: (metric: string, sampled: string, sampledAt: string, all: string, allAt: string) =>
    `Le plus haut de ${metric} : parmi des négatifs échantillonnés ${sampled} (${sampledAt}), parmi tous les documents ${all} (${allAt}).`,
  sweepColumns: (setting: string) => [setting, "négatifs échantillonnés", "bas", "haut", "tous les documents", "bas", "haut"],
  sweepCaption: (metric: string, seeds: string) => `${metric}, moyennes sur ${seeds} graines, avec les bornes de leurs intervalles à 95 %`,
  sweepEpsilonNote: (seeds: string) =>
    `Comme dans la figure 4 de l’article : entraîné à nouveau pour chaque epsilon, avec des seuils réglés pour lui. Moyennes sur ${seeds} graines ; barres : intervalles à 95 %.`,
  sweepNegativesNote: (seeds: string) =>
    `Comme dans la figure 5 de l’article : entraîné à nouveau avec autant de négatifs échantillonnés pour chaque requête. Moyennes sur ${seeds} graines ; barres : intervalles à 95 %.`,
  sweepSource: (queries: string, tested: string) =>
    `Les deux images d’entraînements répétés sont les propres mesures de ce projet (docs/paper.md), sur un autre corpus que celui de cette page : des versets de la Bible en anglais comme requêtes, en français comme documents, ${queries} requêtes d’entraînement et ${tested} de test. Comparez donc où les courbes montent et descendent, non leurs hauteurs.`,

  negativesHeading: "Négatifs échantillonnés",
  negativesIntro:
    "Plus une requête classe de négatifs, plus sa tâche est difficile. Ici le même modèle classe une partie des négatifs échantillonnés pour chaque requête, jusqu’à tous, à l’epsilon du curseur. Entraîner avec davantage de négatifs est autre chose : voyez l’image d’à côté.",
  negativesTitle: (metric: string) => `${metric} selon le nombre de négatifs`,
  negativesAxis: "négatifs",
  atNegatives: (value: string) => `${value} négatifs`,
  ofCount: (count: string, value: string) => `${count} : ${value}`,
  negativesCaption: (metric: string, epsilon: string) => `${metric} à epsilon ${epsilon}`,
  negativesSummary: (model: string, metric: string, few: number, first: string, many: number, last: string) =>
    `Le modèle ${model} : ${metric} vaut ${first} avec ${few}, ${last} avec ${many}.`,
  sweepNegativesTitle: (metric: string) => `${metric} quand chaque nombre a son propre entraînement`,

  trec: {
    heading: "Vos propres runs",
    intro:
      "Choisissez des fichiers au format de TREC, ou déposez-les ici : des jugements (qrels : requête, 0, document, degré) et les résultats d’un ou deux systèmes (runs : requête, Q0, document, rang, score, étiquette). Ils sont lus dans cet onglet et ne le quittent jamais. Les documents sont classés par score, et à score égal par nom de document en partant du dernier, comme le fait trec_eval ; les rangs ne sont pas lus. Les degrés 2 et plus sont pertinents, 1 en partie pertinent ; dans un fichier sans degré au-dessus de 1, le degré 1 est pertinent.",
    qrels: "Jugements (qrels)",
    runs: "Runs, un ou deux",
    clear: "Vider",
    nothing: "Pas encore de fichiers.",
    hasQrels: (name: string, queries: number) => `Jugements : ${name}, ${queriesOf(queries)}.`,
    hasRun: (name: string, queries: number) => `Run : ${name}, ${queriesOf(queries)}.`,
    wanted: { qrels: "Il manque encore des jugements.", run: "Il manque encore un run." },
    problem: (name: string, problem: string) => `${name} : ${problem}`,
    tooManyRuns: (count: number) => `${countOf(count, "run", "runs")}, mais on en compare deux au plus.`,
    tooManyQrels: (count: number) => `${countOf(count, "fichier", "fichiers")} de jugements, mais un seul est lu.`,
    tooLarge: (most: number) => `plus de ${most} mégaoctets, le plus qui soit lu ici`,
    unreadable: "le navigateur n’a pas pu le lire",
    empty: "il n’y a rien dedans",
    noRelevant: "aucune requête des jugements n’a de document d’un degré au-dessus de 0, dont les mesures ont besoin",
    binary: "Les jugements n’ont pas de degré au-dessus de 1 : le degré 1 compte comme pertinent dans toutes les mesures.",
    partly: (count: number) =>
      `${countOf(count, "requête n’a", "requêtes n’ont")} pas de document de degré 2 : ${leftOut(count)} pour P_mr@1, Hits@5 et MRR_mr, ${count < 2 ? "comptée" : "comptées"} dans les autres mesures.`,
    none: "–",
    columns: (line: number, count: number, kind: TrecKind) => lines(line, `${columnsOf(count)}, ${COLUMNS[kind]}`),
    neither: (line: number, count: number) => lines(line, `${columnsOf(count)} ; des jugements en ont 4, un run en a 6`),
    grade: (line: number, found: string) => lines(line, `degré « ${found} », attendu un nombre entier`),
    gradeTooHigh: (line: number, found: string) => lines(line, `le degré ${found} dépasse 255`),
    gradedTwice: (line: number, document: string, query: string) =>
      lines(line, `le document « ${document} » a deux degrés pour la requête « ${query} »`),
    score: (line: number, found: string) => lines(line, `score « ${found} », attendu un nombre fini`),
    rankedTwice: (line: number, document: string, query: string) =>
      lines(line, `la requête « ${query} » a deux fois le document « ${document} »`),
    longLine: (line: number, most: number) => lines(line, `plus de ${most} octets, le plus qu’une ligne puisse avoir`),
    notUtf8: (line: number) => lines(line, "ce n’est pas de l’UTF-8"),
    meansCaption: (queries: number) => `Moyennes sur ${queriesOf(queries)}`,
    difference: "second − premier",
    missing: (name: string, count: number) =>
      `${countOf(count, "requête n’est", "requêtes ne sont")} pas dans ${name} : ${count < 2 ? "comptée" : "comptées"} comme n’ayant rien trouvé.`,
    unjudged: (name: string, count: number) => `${queriesOf(count)} de ${name} sans jugements : ${leftOut(count)}.`,
    without: (count: number) => `${queriesOf(count)} sans document d’un degré au-dessus de 0 : ${leftOut(count)}.`,
    differencesTitle: (metric: string) => `${metric} : le second run moins le premier, requête par requête`,
    differencesAxis: "requêtes, par différence",
    differencesUp: "différence",
    differencesSummary: (up: number, down: number, same: number, query: string, by: string) =>
      `Le second run est meilleur pour ${queriesOf(up)}, moins bon pour ${down}, pareil pour ${same}. Il diffère le plus pour « ${query} » : de ${by}.`,
    differencesSame: (count: number) =>
      count < 2 ? `Aucune différence pour ${queriesOf(count)}.` : `Aucune différence pour aucune des ${queriesOf(count)}.`,
    differencesCaption: (metric: string) => `${metric} de chaque requête, la plus grande différence d’abord`,
    query: "requête",
  },
};
