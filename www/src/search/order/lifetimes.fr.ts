import type { en } from "./lifetimes.en";

/** In French. */
export const fr: typeof en = {
  heading: "Combien de temps chaque résultat reste, et avec quelle fermeté",
  lead: (count: string) =>
    `L’ordre ne dépend d’epsilon que par q·d / (|d| + ε) : l’intervalle d’epsilon où un résultat est parmi les ${count} premiers finit donc exactement à des points d’échange.`,
  title: (count: string) => `L’intervalle d’epsilon où chaque résultat est parmi les ${count} premiers`,
  axis: "epsilon (logarithmique ; le bord gauche est 0)",
  now: (epsilon: string) => `epsilon ${epsilon}`,
  row: (rank: string, name: string) => `${rank}. ${name}`,
  range: (from: string, to: string) => `de ${from} à ${to}`,
  rangeOf: (name: string, range: string) => `${name} : ${range}`,
  summary: (all: number, of: number, most: string) =>
    all === 1
      ? `1 résultat sur ${of} est parmi les ${of} premiers à tout epsilon de 0 à ${most}.`
      : `${all} résultats sur ${of} sont parmi les ${of} premiers à tout epsilon de 0 à ${most}.`,
  shortest: (name: string, ranges: string) => `Le séjour le plus court est celui de ${name} : ${ranges}.`,
  everyone: (count: string, of: string) => `Sur tout l’intervalle, ${count} documents sont quelque part parmi les ${of} premiers.`,
  and: " et ",
  radiusHeading: "De combien la requête peut bouger",
  radiusLead: (epsilon: string, norm: string) =>
    `À epsilon ${epsilon}, de combien le vecteur de la requête, long de ${norm}, peut bouger dans toute direction avant que le résultat puisse échanger sa place avec un autre document. Cela découle de ce que l’on sait de chaque paire : elle n’échange ses places que là où la requête traverse le plan perpendiculaire à d₁ / (|d₁| + ε) − d₂ / (|d₂| + ε).`,
  radius: (rank: string, name: string, radius: string, share: string, rival: string) =>
    `${name} garde le rang ${rank} en deçà de ${radius}, soit ${share} de la longueur de la requête ; rival le plus proche : ${rival}.`,
  alone: (name: string) => `${name} n’a pas de rival.`,
  tied: (name: string, rival: string) => `${name} a le même score que ${rival} : le moindre mouvement peut changer leur ordre.`,
  document: (place: string) => `le document ${place}`,
  lipschitz: (most: string) =>
    `La seule constante de Lipschitz du score, 1/ε, certifie moins : au plus ${most} pour ces résultats.`,
  columns: { rank: "rang", name: "résultat", from: "d’epsilon", to: "à epsilon", radius: "mouvement certifié", lipschitz: "par la constante de Lipschitz" },
  caption: "Chaque intervalle d’epsilon où un résultat est parmi les premiers, et de combien la requête peut bouger à celui-ci",
  failed: (message: string, code: string) => `Les intervalles n’ont pas pu être calculés : ${message} (${code}).`,
};
