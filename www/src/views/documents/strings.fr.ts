import type { en } from "./strings.en";

/** In French. */
export const fr: typeof en = {
  title: "Vos documents",
  introduction:
    "Ajoutez des textes à vous : ils sont encodés ici, dans cet onglet, et toute recherche les trouve à côté des documents qui étaient là avant.",
  privacy: "Rien de cela ne quitte votre appareil.",
  proof:
    "Ouvrez le panneau réseau de votre navigateur et voyez : pour le premier document d’une langue, la page charge les mots du modèle dans cette langue, et pour le tout premier, la partie qui encode ; ajouter des documents n’envoie rien.",
  link: "Vos documents ne sont pas dans le lien vers cette page, et disparaissent quand l’onglet est fermé. Enregistrer les garde dans un fichier.",

  language: "Langue des documents",
  languageNote: (languages: string, query: string) =>
    `Ce modèle connaît des documents en ${languages}. Vous cherchez en ${query}, mais il ne peut pas encoder de documents en ${query}.`,
  add: "Ajouter",
  drop: "Déposez ici des fichiers ou un dossier, ou",
  chooseFiles: "Choisir des fichiers",
  chooseFolder: "Choisir un dossier",
  kinds: "Texte : chaque fichier est un document. TSV : id, titre et texte, ou titre et texte. JSON : des objets avec un texte (« text ») et, si l’on veut, un « id » et un titre (« title ») ; dans une liste, ou un par ligne. Fichiers enregistrés ici.",
  paste: "Ou collez du texte",
  format: "Le lire comme",
  formats: {
    paragraphs: "texte : chaque paragraphe est un document",
    whole: "texte : un seul document",
    tsv: "TSV : (id,) titre, texte",
    json: "JSON : des objets avec « text »",
  },
  addPasted: "Ajouter ce qui est collé",
  pasted: (number: string) => `Texte collé ${number}`,
  nothingPasted: "Il n’y a rien à ajouter : collez ou tapez d’abord un texte.",
  noEngine: "Le modèle n’est pas encore chargé.",
  noFiles: "Il n’y a aucun fichier dedans.",
  stop: "Arrêter",

  reading: (done: string, files: string) => `Lecture du fichier ${done} sur ${files}…`,
  readingPasted: "Lecture…",
  fetching: (language: string, size: string) => `Chargement des mots du modèle en ${language} : ${size} Mo…`,
  encoding: (done: string, all: string) => `Encodage : ${done} documents sur ${all}…`,
  added: (documents: number, shown: string, languages: string, known: string, words: string) =>
    `${countDocuments(documents, shown)} en ${languages} ${documents === 1 ? "ajouté" : "ajoutés"}. Mots que le modèle connaît : ${known} sur ${words}.`,
  stopped: "Arrêté : rien n’a été ajouté.",
  failed: (message: string, code: string) => `Rien n’a été ajouté : ${message} (${code}).`,
  removed: "Vos documents sont retirés. L’ajustement fait d’après vos jugements sur eux reste en vigueur.",
  saved: (size: string) => `Enregistré dans un fichier d’index de ${size} Mo. Il peut être déposé ici à nouveau, et la ligne de commande y cherche.`,
  lost: "Le moteur de recherche a redémarré, et vos documents n’y sont donc plus : ajoutez-les à nouveau.",
  refused: (files: number) => (files === 1 ? "Un fichier n’a pas été ajouté :" : `${files} fichiers n’ont pas été ajoutés :`),
  refusedMore: (count: string) => `et ${others(count)}`,

  here: "Ce qui est ici",
  none: "Aucun de vos documents n’est encore ici.",
  summary: (documents: number, shown: string, languages: string) => `${countDocuments(documents, shown)} en ${languages}.`,
  unknown: (documents: number, shown: string) =>
    documents === 1
      ? "L’un d’eux n’a aucun mot que le modèle connaisse : aucune recherche ne le trouve."
      : `${shown} d’entre eux n’ont aucun mot que le modèle connaisse : aucune recherche ne les trouve.`,
  training:
    "Le modèle connaît les mots des textes sur lesquels il a été entraîné, et aucun autre. Un mot qu’il ne connaît pas ne compte pour rien.",
  columns: { title: "titre", known: "mots connus", unknown: "mots inconnus", language: "langue" },
  caption: "Vos documents, et combien de leurs mots le modèle connaît",
  more: (count: string) => `Et ${others(count)}, où l’on cherche aussi.`,
  search: "Chercher parmi eux",
  save: "Enregistrer",
  list: "Liste en CSV",
  remove: "Tout retirer",

  places: {
    line: (number: string) => `ligne ${number}`,
    item: (number: string) => `élément ${number}`,
    paragraph: (number: string) => `paragraphe ${number}`,
  },
  problem: (source: string, where: string | undefined, what: string) =>
    where === undefined ? `${source} : ${what}` : `${source}, ${where} : ${what}`,
  problems: {
    empty: "il est vide",
    noText: "le texte est vide",
    notText: "ce n’est pas du texte : il y a un octet nul",
    notUtf8: "ce n’est pas de l’UTF-8 : enregistrez le fichier dans cet encodage",
    table: "les valeurs séparées par des virgules ne sont pas lues : enregistrez le tableau en TSV, avec des tabulations",
    tooLong: (most: string) => `plus de ${most} caractères, le plus qui soit lu d’un seul tenant`,
    tooMuch: (most: string) => `avec cela il y a plus de ${most} caractères, le plus qui soit ajouté en une fois`,
    columns: (found: string) => `${countColumns(found)} entre tabulations, 2 (titre, texte) ou 3 (id, titre, texte) attendues`,
    otherColumns: (found: string, first: string) => `${countColumns(found)} entre tabulations, mais ${first} dans la première ligne`,
    notJson: (message: string) => `ce n’est pas du JSON : ${message}`,
    noObject: (found: string) => `trouvé ${withArticle(found)}, attendu un objet avec « text »`,
    noString: (name: string, found: string) => `« ${name} » est ${withArticle(found)}, attendu une chaîne`,
    noTextKey: (keys: string) => `il n’y a pas de « text », seulement : ${keys === "" ? "rien" : keys}`,
    taken: (id: string) => `il y a déjà un document avec l’id « ${id} » dans cette langue`,
    language: (language: string) => `il contient des documents en ${language}, langue que ce modèle ne connaît pas`,
  },
};

const countDocuments = (count: number, shown: string) => `${shown} ${count < 2 ? "document" : "documents"}`;

const isPlural = (shown: string) => shown !== "0" && shown !== "1";
const countColumns = (shown: string) => `${shown} ${isPlural(shown) ? "colonnes" : "colonne"}`;
const others = (shown: string) => `${shown} ${isPlural(shown) ? "autres" : "autre"}`;

const KINDS: Readonly<Record<string, string>> = {
  string: "une chaîne",
  number: "un nombre",
  boolean: "un booléen",
  array: "une liste",
  object: "un objet",
};

function withArticle(kind: string): string {
  return KINDS[kind] ?? kind;
}
