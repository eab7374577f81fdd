import type { en } from "./strings.en";

/** In French. */
export const fr: typeof en = {
  heading: "Leçons",
  introduction:
    "Cinq leçons courtes, de quelques étapes chacune. Une étape prépare la page, dit quoi regarder et pose une question ; tout sur la page peut être déplacé entre-temps. L’endroit où l’on en est se trouve dans l’adresse de la page : envoyez le lien, et la classe voit ce que vous voyez.",
  begin: "Commencer",
  steps: (count: string) => `${count} étapes`,
  panel: "Leçon",
  place: (step: string, of: string) => `Étape ${step} sur ${of}`,
  answer: "Une réponse",
  back: "Précédente",
  next: "Suivante",
  again: "Remettre la page en place",
  end: "Terminer la leçon",
  last: "C’était la dernière étape.",

  lessons: {
    angle: {
      title: "Angle et longueur",
      about: "Ce que le cosinus laisse de côté, ce que le produit scalaire fait entrer, et ce qu’il y a entre les deux.",
      steps: [
        {
          text: "Tout texte devient un vecteur : la moyenne des vecteurs de ses mots, passée par tanh. Ici epsilon vaut 0, donc le score est le cosinus : seul compte l’angle entre le vecteur de la requête et celui du document.",
          question: "Deux documents pointent dans la même direction, l’un avec un vecteur trois fois plus long. Lequel le cosinus classe-t-il premier ?",
          answer: "Aucun : leur cosinus est le même. La longueur est entièrement laissée de côté.",
        },
        {
          text: "À l’autre bout du curseur, epsilon est bien plus grand que n’importe quelle longueur. Le score est alors presque le produit scalaire, divisé par le même nombre pour tous.",
          question: "Comparez |d| des premiers documents avec ceux que vous avez vus à epsilon 0. Qu’est-ce qui a changé ?",
          answer: "Les vecteurs plus longs sont montés : le produit scalaire est le cosinus multiplié par les deux longueurs, et celle de la requête est la même pour tous.",
        },
        {
          text: "Entre les deux bouts, la similarité cosinus lissée divise q·d par (|q|+ε)(|d|+ε). Déplacez le curseur lentement et suivez quelques documents.",
          question: "Pourquoi tous les scores baissent-ils quand epsilon augmente, et pourquoi ne peut-on pas les comparer d’un epsilon à l’autre ?",
          answer: "Le dénominateur augmente et le numérateur reste. Un score de 0,3 à un epsilon et de 0,3 à un autre ne disent pas la même chose ; seul l’ordre à un epsilon donné a un sens.",
        },
      ],
    },
    swap: {
      title: "Là où deux documents changent de rang",
      about: "Deux documents changent de place une fois au plus, à un epsilon que donne une formule.",
      steps: [
        {
          text: "Pour une requête donnée, l’ordre ne dépend d’epsilon que par q·d / (|d|+ε). Chaque repère sous le curseur est un epsilon où deux des documents affichés changent de rang. Appuyez sur l’un d’eux : les deux courbes s’y croisent.",
          question: "À partir de cette expression, trouvez l’epsilon où les documents 1 et 2 ont le même score.",
          answer: "q·d₁ (|d₂|+ε) = q·d₂ (|d₁|+ε) donne ε = (q·d₂ |d₁| − q·d₁ |d₂|) / (q·d₁ − q·d₂). C’est un seul nombre : ils changent donc de rang une fois au plus, et seulement s’il est positif.",
        },
        {
          text: "Faites passer le curseur lentement sur un repère, et regardez la liste.",
          question: "De deux documents qui changent de rang, lequel est devant à gauche du repère : celui au vecteur court ou celui au vecteur long ?",
          answer: "Le court : un petit epsilon favorise l’angle, un grand la longueur. Si le long avait aussi le meilleur angle, il serait devant partout, et il n’y aurait pas de repère.",
        },
      ],
    },
    slope: {
      title: "La pente de la similarité",
      about: "Le gradient près du vecteur nul : sans borne pour le cosinus, au plus 1/ε pour le cosinus lissé.",
      steps: [
        {
          text: "Chaque point est un vecteur de requête, le document est fixé en (1, 1), et la couleur est la pente en x₁. L’entraînement suit de telles pentes. À epsilon 0,05 la plus grande est 13,66, au centre.",
          question: "Les vecteurs de mots d’un modèle commencent par de petits nombres aléatoires. Où commence-t-il sur cette carte ?",
          answer: "Près du centre, là où la carte est la plus raide.",
        },
        {
          text: "À epsilon 0,5 la plus grande pente est 1,05. Les trois lignes disent ce qu’aucun gradient ne dépasse : l’article imprime 2/ε ; 1/ε est exact sur tous les documents ; |d| / ((|d|+ε) ε) l’est pour celui-ci.",
          question: "Pour quelle requête la borne exacte est-elle atteinte ?",
          answer: "Au vecteur nul : le gradient y est d / ((|d|+ε) ε). Le 2/ε de l’article est juste aussi, mais deux fois trop grand.",
        },
        {
          text: "À epsilon 0, le cosinus simple, la carte n’a pas de valeur au centre et grandit sans fin à côté.",
          question: "Le gradient du cosinus n’a aucune part qui s’éloigne de l’origine. Pourquoi ?",
          answer: "Le long d’une demi-droite partant de l’origine, l’angle, donc le cosinus, ne change pas. Regardez la part radiale : elle est nulle partout à epsilon 0, et à aucun autre.",
        },
      ],
    },
    explosion: {
      title: "L’explosion, et ce qui se passe vraiment",
      about: "La descente de gradient depuis presque zéro, quatre fois.",
      steps: [
        {
          text: "Quatre vecteurs de requête partent du même endroit, longs d’un millième, à angle droit du document. Appuyez sur Lecture, ou faites les pas un à un.",
          question: "Avec un taux de 0,1, jusqu’où mène le premier pas du cosinus simple ?",
          answer: "Son gradient est long de 1/|q| = 1\u202f000, donc le pas est long de 100 : il dépasse tout le plan.",
        },
        {
          text: "Après le saut, le vecteur est long de cent, et son gradient cent fois plus petit qu’il ne serait à 1 : plus rien ne bouge. L’explosion est donc un seul saut, puis un arrêt.",
          question: "À epsilon 0,5 le cosinus lissé fait des pas de 0,13, 0,08, 0,07. Qu’est-ce qui les borne ?",
          answer: "Le taux multiplié par 1/ε : 0,2 au plus.",
        },
        {
          text: "L’écrêtage raccourcit le saut ; Adam le divise. Regardez les pas suivants d’Adam.",
          question: "Que paie Adam pour cacher le saut ?",
          answer: "Son second moment se souvient du gradient de 1\u202f000 pendant des centaines de pas : ceux qui suivent sont bien trop courts.",
        },
      ],
    },
    losses: {
      title: "Ce que demande une perte",
      about: "Degrés, seuils, et ce que différentes pertes font d’un score.",
      steps: [
        {
          text: "SOSL donne à chaque degré un intervalle de scores : rien n’est perdu dedans, et dehors le carré de la distance. L’erreur quadratique tire au contraire chaque score vers un seul nombre.",
          question: "Un document pertinent a un score au-dessus du seuil supérieur. Que fait chacune des deux pertes ?",
          answer: "SOSL le laisse tranquille ; l’erreur quadratique le ramène au milieu de l’intervalle.",
        },
        {
          text: "Ici le même modèle est jugé à chaque epsilon, sur des requêtes sur lesquelles il n’a pas été entraîné là où c’est dit.",
          question: "Le meilleur epsilon au moment du test doit-il être celui de l’entraînement ?",
          answer: "Non. Mais seuils et degrés ne valent qu’au sien, puisque epsilon change l’échelle de tous les scores.",
        },
        {
          text: "Maintenant, entraînez-en un à partir de rien, et regardez les scores des trois degrés.",
          question: "Pourquoi les courbes des requêtes d’entraînement se séparent-elles, et celles des autres moins ?",
          answer: "Avec 608 articles, la plupart des mots d’une requête nouvelle sont inconnus, ou vus une seule fois. Le surapprentissage ne se transmet pas.",
        },
      ],
    },
  },
};
