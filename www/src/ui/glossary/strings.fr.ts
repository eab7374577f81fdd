import type { en } from "./strings.en";

/** In French. */
export const fr: typeof en = {
  embedding: {
    name: "plongement",
    meaning: "Un vecteur qui représente un mot ou un texte. Les vecteurs de textes de même sens devraient pointer dans la même direction.",
  },
  norm: { name: "norme", meaning: "La longueur d’un vecteur, |q| : la racine carrée de la somme de ses coordonnées au carré." },
  dot: {
    name: "produit scalaire",
    meaning: "q·d : les coordonnées de deux vecteurs multipliées deux à deux, puis additionnées. C’est le cosinus multiplié par les deux longueurs.",
  },
  cosine: {
    name: "cosinus",
    meaning: "Le cosinus de l’angle entre deux vecteurs : 1 s’ils pointent dans la même direction, 0 à angle droit. La longueur ne compte pas.",
  },
  scs: {
    name: "similarité cosinus lissée",
    meaning: "q·d / ((|q| + ε)(|d| + ε)) : le cosinus, avec epsilon ajouté aux deux longueurs (article 1, éq. 1).",
  },
  epsilon: {
    name: "epsilon",
    meaning: "ε : un nombre ajouté aux deux longueurs dans la similarité cosinus lissée. À 0, c’est le cosinus ; un grand ε classe les documents comme le produit scalaire.",
  },
  gradient: {
    name: "gradient",
    meaning: "Le vecteur qui pointe là où une fonction croît le plus vite. Sa longueur dit à quelle vitesse. L’entraînement fait des pas le long de gradients.",
  },
  loss: { name: "perte", meaning: "Le nombre que l’entraînement minimise : à quel point les scores s’écartent de ce qu’ils devraient être." },
  threshold: {
    name: "seuil",
    meaning: "Un score entre deux degrés de pertinence : les documents au-dessus devraient avoir le degré supérieur.",
  },
};
