import * as format from "../../ui/format";
import type { en } from "./strings.en";

const { measured, plain } = format;

/** In French. */
export const fr: typeof en = {
  heading: "Leçons",
  introduction: (count: string) =>
    `${count} leçons courtes. Chaque étape prépare la page, dit quoi regarder et pose une question qui est corrigée. L’endroit où l’on en est se trouve dans l’adresse de la page : envoyez le lien, et la classe voit ce que vous voyez.`,
  begin: "Commencer",
  steps: (count: string) => `${count} étapes`,
  teacher: "Pour l’enseignant",
  minutes: (count: string) => `Durée : ${count} minutes.`,
  before: (what: string) => `Avant : ${what}`,
  panel: "Leçon",
  place: (step: string, of: string) => `Étape ${step} sur ${of}`,
  yourAnswer: "Votre réponse",
  check: "Vérifier",
  nothingChosen: "Choisissez d’abord une réponse.",
  noNumber: "Tapez d’abord un nombre.",
  right: "C’est juste.",
  wrong: "Ce n’est pas juste.",
  rightNumber: (expected: string) => `C’est juste : ${expected}.`,
  wrongNumber: (expected: string) => `Ce n’est pas juste : la réponse est ${expected}.`,
  answer: "Pourquoi",
  back: "Précédente",
  next: "Suivante",
  again: "Remettre la page en place",
  end: "Terminer la leçon",
  fold: "Replier la leçon",
  unfold: "Montrer la leçon",
  last: "C’était la dernière étape.",

  lessons: {
    angle: {
      title: "Angle et longueur",
      about: "Ce que le cosinus laisse de côté, ce que le produit scalaire fait entrer, et ce qu’il y a entre les deux.",
      before: "les vecteurs, leur longueur, et l’angle entre deux vecteurs.",
      notes: [
        "La classe devrait repartir avec une phrase : epsilon pèse la longueur du vecteur d’un document contre son angle.",
        "Faites prédire le premier document avant de déplacer le curseur. Les scores baissent quand epsilon augmente ; ce n’est pas une perte de qualité.",
      ],
      steps: ({ twin }) => [
        {
          text: "Tout texte devient un vecteur : la moyenne des vecteurs de ses mots, passée par tanh. Ici epsilon vaut 0, donc le score est le cosinus : seul compte l’angle entre le vecteur de la requête et celui du document.",
          question: "Deux documents pointent dans la même direction, l’un avec un vecteur trois fois plus long. Lequel le cosinus classe-t-il premier ?",
          options: ["Le plus long", "Le plus court", "Aucun des deux"],
          answer: "Leur cosinus est le même. La longueur est entièrement laissée de côté.",
        },
        {
          text: "À l’autre bout du curseur, epsilon est bien plus grand que n’importe quelle longueur. Le score est alors presque le produit scalaire, divisé par le même nombre pour tous.",
          question: "Comparez |d| des premiers documents avec ceux que vous avez vus à epsilon 0. Qu’est-ce qui a changé ?",
          options: ["Les vecteurs plus longs sont montés", "Les vecteurs plus courts sont montés", "Rien : seuls les scores ont changé"],
          answer: "Le produit scalaire est le cosinus multiplié par les deux longueurs, et celle de la requête est la même pour tous.",
        },
        {
          text: "Entre les deux bouts, la similarité cosinus lissée divise q·d par (|q|+ε)(|d|+ε). Déplacez le curseur lentement et suivez quelques documents : tout score baisse quand epsilon augmente.",
          question: `Un document pointe exactement comme la requête, et les deux vecteurs sont longs de ${plain(twin.norm)}. Quel est son score à ε = ${plain(twin.epsilon)} ?`,
          answer: "Son cosinus est 1, mais le dénominateur augmente et le numérateur reste. Un score à un epsilon ne dit donc rien d’un autre epsilon ; seul l’ordre à un epsilon donné a un sens.",
        },
      ],
    },
    swap: {
      title: "Là où deux documents changent de rang",
      about: "Deux documents changent de place une fois au plus, à un epsilon que donne une formule.",
      before: "la leçon « Angle et longueur » ; résoudre une équation à une inconnue.",
      notes: [
        "La première étape se fait sur papier : laissez-y cinq minutes à la classe.",
        "Demandez ensuite quand il n’y a pas de point d’échange : quand la formule ne donne pas de nombre positif.",
      ],
      steps: ({ two }) => [
        {
          text: "Pour une requête donnée, l’ordre ne dépend d’epsilon que par q·d / (|d|+ε). Chaque repère sous le curseur est un epsilon où deux des documents affichés changent de rang. Appuyez sur l’un d’eux : les deux courbes s’y croisent.",
          question: `Le document 1 a q·d = ${plain(two.dots[0])} et |d| = ${plain(two.norms[0])}, le document 2 q·d = ${plain(two.dots[1])} et |d| = ${plain(two.norms[1])}. À quel epsilon ont-ils le même score ?`,
          answer: "q·d₁ (|d₂|+ε) = q·d₂ (|d₁|+ε) donne ε = (q·d₂ |d₁| − q·d₁ |d₂|) / (q·d₁ − q·d₂). C’est un seul nombre : ils changent donc de rang une fois au plus, et seulement s’il est positif.",
        },
        {
          text: "Faites passer le curseur lentement sur un repère, et regardez la liste.",
          question: "De deux documents qui changent de rang, lequel est devant à gauche du repère ?",
          options: ["Celui au vecteur court", "Celui au vecteur long", "Cela dépend de la requête"],
          answer: "Un petit epsilon favorise l’angle, un grand la longueur. Si le long avait aussi le meilleur angle, il serait devant partout, et il n’y aurait pas de repère.",
        },
      ],
    },
    slope: {
      title: "La pente de la similarité",
      about: "Le gradient près du vecteur nul : sans borne pour le cosinus, au plus 1/ε pour le cosinus lissé.",
      before: "les dérivées partielles ; le gradient comme direction de plus forte montée.",
      notes: [
        "Lisez une fois les couleurs à voix haute : le bleu monte vers la droite, l’orange descend, et l’échelle est logarithmique.",
        "L’article donne la borne 2/ε. Elle est juste ; la moitié suffit, et la classe peut trouver pourquoi.",
      ],
      steps: (facts) => [
        {
          text: `Chaque point est un vecteur de requête, le document est fixé en (1, 1), et la couleur est la pente en x₁. L’entraînement suit de telles pentes. À epsilon ${plain(facts.slope(0).epsilon)} la plus grande est ${measured(facts.slope(0).steepest)}, au centre.`,
          question: "Les vecteurs de mots d’un modèle commencent par de petits nombres aléatoires. Où commence-t-il sur cette carte ?",
          options: ["Près du centre", "Près du document", "Au bord"],
          answer: "Les petits vecteurs sont près du centre, là où la carte est la plus raide.",
        },
        {
          text: `À epsilon ${plain(facts.slope(1).epsilon)} la plus grande pente est ${measured(facts.slope(1).steepest)}. Les lignes sous la carte disent ce qu’aucun gradient ne dépasse : l’article imprime 2/ε ; 1/ε est exact sur tous les documents ; |d| / ((|d|+ε) ε) l’est pour celui-ci.`,
          question: `Quelle est la longueur du plus long gradient à ε = ${plain(facts.slope(1).epsilon)}, pour le document (1, 1) ?`,
          answer: `C’est |d| / ((|d|+ε) ε) avec |d| = √2, atteint au vecteur nul : le gradient y est d / ((|d|+ε) ε). Le 2/ε = ${plain(facts.slope(1).printed)} de l’article est juste aussi.`,
        },
        {
          text: "À epsilon 0, le cosinus simple, la carte n’a pas de valeur au centre et grandit sans fin à côté. Choisissez « Part radiale » au-dessus de la carte.",
          question: "Le gradient du cosinus n’a aucune part qui s’éloigne de l’origine. Pourquoi ?",
          options: ["Le document est trop court", "Le long d’une demi-droite depuis l’origine, le cosinus est constant", "Le gradient est nul partout"],
          answer: "Le long d’une demi-droite, l’angle, donc le cosinus, ne change pas : la part radiale est nulle partout à epsilon 0, et à aucun autre.",
        },
      ],
    },
    explosion: {
      title: "L’explosion, et ce qui se passe vraiment",
      about: "La descente de gradient depuis presque zéro, quatre fois.",
      before: "la leçon « La pente de la similarité » ; ce que sont la descente de gradient et un taux d’apprentissage.",
      notes: [
        "Beaucoup s’attendent à une explosion qui continue. La deuxième étape montre que non : un seul saut, puis un arrêt.",
        "Recommencez depuis 30° et comparez : le saut mène ailleurs, et l’arrêt est le même.",
      ],
      steps: ({ descent }) => [
        {
          text: `Quatre vecteurs de requête partent du même endroit, longs de ${plain(descent.norm)}, à angle droit du document. Appuyez sur Lecture, ou faites les pas un à un.`,
          question: `Avec un taux d’apprentissage de ${plain(descent.rate)}, quelle est la longueur du premier pas du cosinus simple ?`,
          answer: `Son gradient est long de 1/|q| = ${plain(descent.jump.gradient)}, multiplié par le taux ${plain(descent.rate)} : le pas dépasse tout le plan.`,
        },
        {
          text: `Après le saut, le vecteur est long de ${plain(Math.hypot(...descent.jump.point))} et son gradient de ${format.power(descent.after.gradient)} seulement : plus rien ne bouge. L’explosion est donc un seul saut, puis un arrêt.`,
          question: `À epsilon ${plain(descent.epsilon)}, les pas du cosinus lissé sont longs de ${descent.smooth.map(plain).join(" ; ")}. Aucun ne peut être plus long que le taux multiplié par 1/ε. Combien cela fait-il ?`,
          answer: `1/ε borne le gradient pour tout document ; le taux est de ${plain(descent.rate)}. Pour ce document, la borne exacte est un peu plus basse.`,
        },
        {
          text: "L’écrêtage raccourcit le saut ; Adam le divise. Regardez les pas suivants d’Adam.",
          question: "Que paie Adam pour cacher le saut ?",
          options: ["Rien", "Ses pas suivants sont bien trop courts", "Ses pas suivants sont bien trop longs"],
          answer: `Son second moment se souvient du gradient de ${plain(descent.jump.gradient)} pendant des centaines de pas, et divise les pas suivants par lui.`,
        },
      ],
    },
    losses: {
      title: "Ce que demande une perte",
      about: "Degrés, seuils, et ce que différentes pertes font d’un score.",
      before: "ce que sont une perte et le surapprentissage ; précision et rappel aident à la deuxième étape.",
      notes: [
        "À la troisième étape, laissez l’entraînement tourner pendant que vous parlez : les courbes se séparent lentement.",
        "Le corpus est petit exprès. Qu’il y ait surapprentissage est la leçon, et non un défaut de la perte.",
      ],
      steps: () => [
        {
          text: "SOSL donne à chaque degré un intervalle de scores : rien n’est perdu dedans, et dehors le carré de la distance. L’erreur quadratique moyenne tire au contraire chaque score vers un seul nombre.",
          question: "Un document pertinent a un score au-dessus du seuil supérieur et au-dessus du milieu de son intervalle. Que font les deux pertes ?",
          options: ["Les deux le tirent vers le haut", "SOSL le laisse tranquille, l’erreur quadratique le tire vers le bas", "SOSL le tire vers le bas, l’erreur quadratique le laisse tranquille"],
          answer: "SOSL ne perd rien dans l’intervalle ; l’erreur quadratique ramène le score au milieu.",
        },
        {
          text: "Ici le même modèle est jugé à chaque epsilon, sur des requêtes sur lesquelles il n’a pas été entraîné là où c’est dit.",
          question: "Le meilleur epsilon au moment du test doit-il être celui de l’entraînement ?",
          options: ["Oui", "Non"],
          answer: "Le classement peut être meilleur à un autre epsilon. Mais seuils et degrés ne valent qu’à celui du modèle, puisque epsilon change l’échelle de tous les scores.",
        },
        {
          text: "Maintenant, entraînez-en un à partir de rien, et regardez les scores des trois degrés.",
          question: "Pourquoi les courbes des requêtes d’entraînement se séparent-elles, et celles des autres moins ?",
          options: ["Epsilon est trop grand", "La perte est mal choisie", "La plupart des mots des requêtes nouvelles lui sont inconnus, ou sont rares"],
          answer: "Avec un corpus si petit, la plupart des mots d’une requête nouvelle n’ont jamais été vus, ou une seule fois. Le modèle surapprend, et cela ne se transmet pas.",
        },
      ],
    },
  },
};
