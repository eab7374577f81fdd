import type { en } from "./strings.en";

/** In French. */
export const fr: typeof en = {
  none: "Langues",
  asked: "Demandé en",
  change: "changer de langue",
  heading: "Langues",
  close: "Fermer",
  query: "Votre requête est en",
  detect: "La détecter",
  told: (language: string) => `D’après ses mots, elle est en ${language}.`,
  packs: "Autres langues",
  note: (languages: string) =>
    `Pour demander dans ces langues, et pour vos propres documents. Les documents de cette page sont en ${languages}. Ce que vous chargez est vérifié, gardé dans ce navigateur et chargé de nouveau à votre prochaine visite.`,
  size: (size: string) => `${size} Mo`,
  load: "Charger",
  cancel: "Annuler",
  remove: "Retirer",
  retry: "Réessayer",
  buttonFor: (button: string, language: string) => `${button} : ${language}`,
  coming: (loaded: string, all: string) => `${loaded} sur ${all} Mo`,
  here: "chargée",
  inUse: "chargée, et nécessaire à vos documents",
  failed: (message: string, code: string) => `non chargée : ${message} (${code})`,
  removeFailed: (language: string, message: string, code: string) => `Langue non retirée : ${language} : ${message} (${code}).`,
  offer: (language: string) => `Cela semble être en ${language} :`,
  offerLoad: (size: string) => `charger la langue, ${size} Mo`,
  offerFull: "utiliser le modèle complet, qui la lit",
  offerComing: (language: string, loaded: string, all: string) => `Chargement de la langue (${language}) : ${loaded} sur ${all} Mo`,
  offerFailed: (language: string, message: string, code: string) => `Langue non chargée (${language}) : ${message} (${code}).`,
};
