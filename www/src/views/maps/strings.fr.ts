import type { Quantity } from "smooth-clir/lab";
import type { en } from "./strings.en";

const names: Record<Quantity, string> = {
  x1: "pente en x₁",
  x2: "pente en x₂",
  length: "longueur du gradient",
  radial: "part radiale",
  score: "score",
  curvature: "courbure",
};
const withArticle = (quantity: Quantity) => `${quantity === "score" ? "le" : "la"} ${names[quantity]}`;

/** In French. */
export const fr: typeof en = {
  locale: "fr-FR",
  title: "Quelle est la pente de la similarité ?",
  introduction:
    "Chaque point du plan est un vecteur de requête q ; le vecteur du document d est fixé. Faites glisser l’un et l’autre, et déplacez epsilon : près de zéro, le gradient du cosinus grandit sans fin, celui du cosinus lissé reste sous 1/ε.",

  quantityLegend: "Montrer",
  quantities: {
    x1: "Pente en x₁",
    x2: "Pente en x₂",
    length: "Longueur du gradient",
    radial: "Part radiale",
    score: "Score",
    curvature: "Courbure",
  },
  chips: {
    x1: "Pente x₁",
    x2: "Pente x₂",
    length: "Longueur",
    radial: "Part radiale",
    score: "Score",
    curvature: "Courbure",
  },
  meanings: {
    x1: "La dérivée partielle en x₁ : à quelle vitesse le score augmente quand q va vers la droite. La figure 1 de l’article la montre pour d = (1, 1).",
    x2: "La dérivée partielle en x₂ : à quelle vitesse le score augmente quand q va vers le haut.",
    length: "À quelle vitesse le score augmente dans la direction où il augmente le plus.",
    radial: "À quelle vitesse le score augmente quand q s’allonge et garde sa direction : pour le cosinus, 0 partout ; au centre, d’où q peut partir dans n’importe quelle direction, le gradient entier.",
    score: "La similarité cosinus lissée de q et d elle-même, de −1 à 1.",
    curvature: "À quelle vitesse le gradient tourne : la norme spectrale de la hessienne ; au centre, la plus grande vers laquelle elle tend.",
  },
  layerLegend: "Avec",
  layers: { contours: "Lignes de niveau", arrows: "Flèches", documents: "Documents" },
  reachLabel: "Plan",
  reach: (reach: string) => `de −${reach} à ${reach}`,
  reset: "Comme dans la figure 1",
  symmetric: "La similarité est symétrique : si l’on échange q et d, toutes les cartes sont les mêmes.",

  vectors: {
    q: "Vecteur de requête q : les flèches du clavier le déplacent, avec Maj plus loin, Origine (Home) le met à zéro",
    d: "Vecteur du document d : les flèches du clavier le déplacent, avec Maj plus loin, Origine (Home) le met à zéro",
  },
  point: (x1: string, x2: string) => `(${x1}, ${x2})`,
  valueAt: (at: string, value: string) => `${at} : ${value}`,
  handleValue: (at: string, quantity: Quantity, value: string) => `${at}, ${names[quantity]} en q : ${value}`,
  epsilon: (epsilon: string) => `ε = ${epsilon}`,
  undefinedValue: "non définie",
  unbounded: "sans borne",

  mapTitle: (quantity: Quantity, epsilon: string) => `${fr.quantities[quantity]}, epsilon ${epsilon}`,
  mapSummary: (quantity: Quantity, d: string, epsilon: string, centre: string) =>
    `${fr.meanings[quantity]} Avec d = ${d} et ε = ${epsilon}, la valeur est ${centre}.`,
  atCentre: (value: string) => `${value} au centre`,
  atCentreLargest: (value: string) => `${value} au centre, la plus grande`,
  largestAt: (centre: string, value: string, at: string) => `${centre} au centre ; la plus grande est ${value}, en ${at}`,
  noCentre: (centre: string, value: string) => `${centre} au centre, marqué ○ ; la plus grande valeur dessinée est ${value}`,
  scale: (limit: string, quantity: Quantity) =>
    `Une seule échelle de couleurs pour tout epsilon${quantity === "score" || quantity === "curvature" ? "" : " et toutes les pentes"} : logarithmique des deux côtés de 0, de −${limit} à ${limit} ; ce qui est au-delà a la couleur du bout. Une flèche est d’autant plus longue que le gradient est loin sur l’échelle des pentes.`,
  mapCaption: (quantity: Quantity, epsilon: string) => `${fr.quantities[quantity]} en quelques points, epsilon ${epsilon}`,
  corner: "x₂ \\ x₁",

  reading: {
    title: (at: string) => `En q = ${at}`,
    beyond: "Ce point est au-delà du plan dessiné ; il est marqué au bord.",
    score: "Score",
    gradient: "Gradient",
    length: "Sa longueur",
    radial: "Sa part radiale",
    curvature: "Courbure",
    bounds: "Aucun gradient n’est plus long que",
    printed: "2/ε, comme l’article l’imprime",
    tight: "1/ε, pour tout d",
    exact: "|d| / ((|d| + ε) ε), pour ce d",
    sentence: (share: string) => `Le gradient a ici ${share} de la plus grande longueur pour ce d, qui est atteinte en q = 0.`,
    noBound: "À ε = 0 il n’y a pas de borne : plus q s’approche de zéro, plus le gradient est long, sauf si q est aligné avec d.",
  },

  small: {
    title: "La même carte à cinq epsilons",
    name: (epsilon: string, kind: "cosine" | "figure" | "slider") =>
      kind === "cosine" ? "cosinus, ε = 0" : kind === "slider" ? `le vôtre, ε = ${epsilon}` : `ε = ${epsilon}`,
    centre: (value: string) => `centre ${value}`,
    summary: (quantity: Quantity, centres: string, figure1: boolean) =>
      `Valeurs au centre pour ${withArticle(quantity)} : ${centres}.${figure1 ? " La figure 1 de l’article imprime 13,66 ; 3,10 et 1,05 pour 0,05 ; 0,2 et 0,5 ; le dernier nombre est 1,0448, donc 1,04." : ""}`,
    each: (value: string, epsilon: string) => `${value} à ε = ${epsilon}`,
    caption: (quantity: Quantity) => `${fr.quantities[quantity]} : la valeur au centre, et la plus grande sur la carte`,
    columns: ["epsilon", "au centre", "la plus grande", "en x₁", "en x₂"],
  },

  bounds: {
    title: "Quelle longueur le gradient peut-il avoir ?",
    epsilon: "epsilon",
    length: "longueur",
    printed: "2/ε, imprimée dans l’article",
    tight: "1/ε, la meilleure sur tous les d",
    exact: "exacte pour ce d",
    rule: (epsilon: string) => `epsilon ${epsilon}`,
    longest: (value: string) => `le plus long sur la carte : ${value}`,
    summary: (epsilon: string, printed: string, tight: string, exact: string, longest: string) =>
      `À ε = ${epsilon} la borne de l’article est 2/ε = ${printed}. Elle est juste, et deux fois trop grande : 1/ε = ${tight} suffit pour tout d, et l’on s’en approche quand d grandit. Pour ce d elle est |d| / ((|d| + ε) ε) = ${exact}, atteinte en q = 0. Le plus long gradient sur la carte (le point) est long de ${longest}.`,
    none: (longest: string) =>
      `À ε = 0 rien ne borne le gradient. Le plus long, sur une grille de points de la carte, est long de ${longest}, et une grille plus fine en trouverait un plus long.`,
    caption: "Bornes de la longueur du gradient",
  },

  zero: {
    title: "En zéro : un gradient, plusieurs courbures",
    explanation: (along: string, across: string) =>
      `Pour ε au-dessus de 0, le gradient est continu en q = 0 : d’où que vienne q, il tend vers d / ((|d| + ε) ε). La courbure ne l’est pas : elle tend vers ${along} quand q vient le long de d, et vers ${across}, la moitié, quand q vient à angle droit. La similarité est donc dérivable une fois en zéro, mais pas deux.`,
    cosine: "À ε = 0 le gradient non plus n’a pas de limite en q = 0 : il dépend de la direction, et grandit sans fin.",
    caption: "À un dix-millionième de zéro",
    columns: ["q vient", "longueur du gradient", "courbure"],
    along: "le long de d",
    across: "à angle droit de d",
    against: "de derrière, le long de −d",
  },

  documents: {
    title: "De vrais documents",
    noQuery: "Cherchez quelque chose dans la première vue de la page, et les documents trouvés pourront être montrés ici.",
    noEngine: "Les documents seront montrés dès que le modèle sera chargé.",
    noneFound: (query: string) => `La recherche de « ${query} » n’a rien trouvé.`,
    failed: (message: string, code: string) => `Les documents n’ont pas pu être placés : ${message} (${code}).`,
    explanation: (query: string, shown: number, all: number, dimensions: string) => {
      const dots = all === 1 ? "Le point est le premier document" : `Les points sont les ${all} premiers documents`;
      const beyond = all - shown;
      const hidden = beyond > 0 ? ` ; ${beyond} ${beyond === 1 ? "se trouve" : "se trouvent"} au-delà du plan dessiné` : "";
      return `${dots} pour « ${query} »${hidden}. C’est une projection : des vecteurs de ${dimensions} dimensions ne tiennent pas dans un plan. La longueur de chaque document et son angle avec la requête sont vrais ; la position des documents les uns par rapport aux autres ne l’est pas, et tous sont dessinés du même côté de q.`;
    },
    caption: "Choisissez-en un : q et d prennent les longueurs de la requête et de ce document, et leur angle.",
    columns: ["document", "longueur", "angle avec q", "score"],
    degrees: (value: string) => `${value}°`,
  },
};
