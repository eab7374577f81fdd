import type { en } from "./strings.en";

/** In French. */
export const fr: typeof en = {
  title: "Théorie",
  lead: "Le théorème 3 de l’article 1 borne ce qu’un modèle entraîné peut perdre sur toutes les paires par rapport à ses paires d’entraînement. Il découle de deux nombres qu’epsilon garde finis : L, la vitesse à laquelle la perte change avec les poids, et γ, celle à laquelle change son gradient. Epsilon est le curseur de la page.",
  formula:
    "écart ≤ 2β + (4nβ + M) √(ln(1/δ) / 2n) avec probabilité 1 − δ, où β = (1 + 1/(γc)) / (n − 1) · M (2cL²/M)^(1/(γc + 1)) · T^(γc/(γc + 1))",
  sliders: {
    stepConstant: "Taille de pas c (le pas t est de taille c/t)",
    pairs: "Paires n",
    steps: "Pas T",
    delta: "Probabilité δ que la borne soit fausse",
    replaced: "Pas dont la paire est remplacée",
  },
  constants: (given: { epsilon: string; thresholds: string }, found: { largest: string; lipschitz: string; smoothness: string }) =>
    `Pour SOSL avec les seuils ${given.thresholds} et l’encodeur moyen, à epsilon ${given.epsilon} : la perte est au plus M = ${found.largest}, L = ${found.lipschitz} et γ = ${found.smoothness}.`,
  noConstants: "À epsilon 0, le cosinus, ni L ni γ ne sont finis : le théorème ne dit rien, quel que soit le nombre de paires.",
  product: (product: string, converges: boolean, inverse: string) =>
    `γc vaut ${product} : avec autant de pas que de paires, la borne ${converges ? "tend vers 0 quand n croît" : `ne diminue pas quand n croît ; il faudrait c inférieur à 1/γ = ${inverse}`}.`,

  byPairs: "La borne, selon le nombre de paires",
  pairsAxis: "paires n",
  shareAxis: "borne de l’écart, en unités de M",
  bound: "borne de l’écart / M",
  vacuous: "1 : à partir d’ici elle ne dit rien",
  here: (pairs: string) => `n = ${pairs}`,
  boundSummary: (
    given: { pairs: string; steps: string; delta: string; share: string; gap: string },
    says: boolean,
    least: string | undefined,
  ) =>
    `Avec ${given.pairs} paires, ${given.steps} pas et δ = ${given.delta}, la borne de l’écart est ${given.gap}, soit ${given.share} fois la plus grande perte : elle ${says ? "dit quelque chose" : "ne dit rien, car aucune perte ne dépasse M"}. ${least === undefined ? "Aucun nombre de paires jusqu’à 10³⁰ ne suffit." : `Elle dit quelque chose à partir de ${least} paires.`}`,

  border: "Là où la borne ne dit rien",
  epsilonAxis: "epsilon",
  borderLine: "plus petit nombre de paires où elle dit quelque chose",
  borderSummary: (epsilon: string, least: string | undefined, end: { epsilon: string; pairs: string } | undefined) =>
    `Sous la ligne, en grisé, la borne vaut au moins M et ne dit rien. À epsilon ${epsilon}, la ligne est à ${least === undefined ? "aucun nombre de paires jusqu’à 10³⁰" : `${least} paires`}${end === undefined ? "" : `, à epsilon ${end.epsilon} à ${end.pairs}`}. Les pas, leur taille et δ sont ceux des curseurs.`,
  notes: [
    "La formule est celle de l’article, deux coquilles corrigées : l’exposant de T est 1 − 1/(γc + 1) et non 1 − 1/(γc), et le gradient est borné par 1/ε, la moitié du 2/ε imprimé. Avec autant de pas que de paires, la borne tend vers 0 si γc est inférieur à 1, non à 2.",
    "Elle vaut pour la descente de gradient stochastique simple, une paire par pas, avec des pas d’au plus c/t. Les modèles de cette page sont entraînés avec Adam à taux constant, qu’elle ne couvre pas.",
  ],

  live: {
    title: "Deux entraînements qui diffèrent d’une paire",
    lead: "La stabilité, mesurée : deux modèles sont entraînés sur le corpus intégré par la méthode même du théorème, à partir des mêmes vecteurs et dans le même ordre, une paire par pas. À un pas, le second prend une paire d’un autre degré. De combien s’éloignent-ils, et de combien le peuvent-ils selon la théorie ?",
    play: "Entraîner",
    pause: "Pause",
    step: "Un pas",
    again: "Recommencer",
    ready: "Rien n’est encore entraîné.",
    fetching: "Chargement du corpus et du module d’entraînement…",
    at: (step: string, of: string) => `Pas ${step} sur ${of}, d’une paire chacun.`,
    failed: (message: string, code: string) => `L’entraînement s’est arrêté : ${message} (${code}).`,
    nothing: "Appuyez sur « Entraîner » pour le voir.",
    axis: "pas",
    weights: "De combien les poids s’éloignent",
    weightsLabel: "distance des poids",
    losses: "De combien les pertes s’éloignent",
    lossesLabel: "plus grand changement de la perte d’une paire",
    seen: "observé",
    growth: "au plus, par γ et L",
    reach: "au plus : L fois la borne des poids",
    stability: "stabilité β, en moyenne sur l’ordre",
    replacedAt: (step: string) => `pas ${step} : la paire est remplacée`,
    weightsSummary: (steps: string, seen: string, most: string | undefined) =>
      `Après ${steps} pas, les poids sont à une distance de ${seen} ; ${most === undefined ? "à epsilon 0, rien ne la borne" : `la théorie permet ${most}`}.`,
    lossesSummary: (seen: string, most: { reach: string; stability: string; times: string | undefined } | undefined) =>
      `La perte d’aucune paire examinée n’a changé de plus de ${seen}. ${most === undefined ? "À epsilon 0, rien ne borne cela." : `Pour ce remplacement, la théorie permet ${most.reach} ; en moyenne sur l’ordre, β = ${most.stability}${most.times === undefined ? "" : `, soit ${most.times} fois ce qui est observé`}.`}`,
    notes: [
      "La borne des poids les suit pas à pas : un pas de taille a mène des poids à une distance D à (1 + aγ) D au plus, et la paire remplacée ajoute 2aL. β est celui du théorème : de combien la perte d’une paire quelconque peut changer si l’une est remplacée, en moyenne sur l’ordre dans lequel les paires sont prises.",
      "Les pertes sont celles des paires des requêtes de validation et d’autant de requêtes d’entraînement.",
    ],
  },
};
