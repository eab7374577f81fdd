import type { en } from "./strings.en";

/** In French. */
export const fr: typeof en = {
  title: "Vos documents",
  introduction:
    "Ajoutez vos fichiers, dans toute langue du modèle, et cherchez-y dans votre langue. Ils sont lus et encodés ici, dans cet onglet.",
  privacy: "Vos fichiers ne quittent pas cet appareil.",
  proof:
    "Le panneau réseau de votre navigateur le montre : la page charge les lecteurs et les mots du modèle quand elle en a besoin pour la première fois, et n’envoie rien.",

  add: "Ajouter",
  drop: "Déposez ici des fichiers ou un dossier",
  chooseFiles: "Choisir des fichiers",
  chooseFolder: "Choisir un dossier",
  kinds: "PDF, DOCX, HTML, Markdown, texte, CSV, TSV, JSON et JSON Lines. Les documents longs sont coupés en passages de 200 mots au plus.",
  language: "Langue de ce que vous ajoutez",
  detect: "La détecter",
  languageNote: (languages: string) =>
    `Ce modèle trouve des documents en ${languages}. La langue de chaque fichier est reconnue à ses mots ; la liste ci-dessous l’indique, et vous pouvez l’y corriger. Les mots d’une langue sont chargés avec son premier document.`,
  paste: "Coller du texte",
  pasteHere: "Texte à ajouter",
  format: "Le lire comme",
  formats: {
    paragraphs: "texte : chaque paragraphe est un document",
    text: "texte : un seul document",
    tsv: "TSV : (id,) titre, texte",
    json: "JSON : des objets avec « text »",
  },
  addPasted: "Ajouter le texte",
  pasted: (number: string, time: string) => `Texte collé ${number}, ${time}`,
  nothingPasted: "Il n’y a rien à ajouter : collez ou tapez d’abord un texte.",
  noEngine: "Le modèle n’est pas encore chargé.",
  noFiles: "Il n’y a aucun fichier dedans.",
  stop: "Annuler",
  undo: "Annuler la suppression",

  reading: (number: string, files: string) => `Lecture du fichier ${number} sur ${files}…`,
  readingPages: (file: string, done: string, all: string) => `Lecture de ${file} : page ${done} sur ${all}…`,
  readingBytes: (file: string, done: string, all: string) => `Lecture de ${file} : ${done} Mo sur ${all}…`,
  fetching: (language: string, size: string) => `Chargement des mots du modèle en ${language} : ${size} Mo…`,
  encoding: (done: string, all: string) => `Encodage : ${done} documents sur ${all}…`,
  counted: (documents: number, shownDocuments: string, files: number, shownFiles: string) =>
    `${shownDocuments} ${documents < 2 ? "document" : "documents"} de ${shownFiles} ${files < 2 ? "fichier" : "fichiers"}`,
  added: (counted: string, languages: string, known: string, words: string) =>
    `Ajout terminé : ${counted}, en ${languages}. Le modèle connaît ${known} de leurs ${words} mots.`,
  withoutText: (records: number, shown: string) =>
    records === 1 ? "Un enregistrement sans texte a été ignoré." : `${shown} enregistrements sans texte ont été ignorés.`,
  pagesWithoutText: (pages: number, shown: string) =>
    pages === 1 ? "Une page sans texte, numérisée par exemple, a été ignorée." : `${shown} pages sans texte, numérisées par exemple, ont été ignorées.`,
  otherTypes: (files: number, shown: string, endings: string) =>
    files === 1 ? `Un fichier d’un autre type (${endings}) a été ignoré.` : `${shown} fichiers d’autres types (${endings}) ont été ignorés.`,
  noEnding: "sans extension",
  broughtBack: (counted: string) => `La recherche trouve à nouveau ${counted}.`,
  nowIn: (file: string, language: string) => `${file} est maintenant en ${language}.`,
  stopped: "Annulé : rien n’a été ajouté.",
  stoppedEncoding: "Annulé : aucune recherche ne trouve vos documents avant l’ajout d’un fichier ou le rechargement de la page.",
  failed: (message: string, code: string) => `Rien n’a été ajouté : ${message} (${code}).`,
  failedEncoding: (message: string, code: string) => `Aucune recherche ne trouve vos documents : ${message} (${code}). Rechargez la page pour réessayer.`,
  removedFile: (file: string) => `${file} est supprimé.`,
  removed: (counted: string) => `Suppression faite, y compris dans le stockage de ce navigateur : ${counted}.`,
  saved: (size: string) => `Enregistré dans un fichier d’index de ${size} Mo. Il peut être déposé ici à nouveau, et la ligne de commande y cherche.`,
  refused: (files: number, shown: string) => (files === 1 ? "Un fichier n’a pas été ajouté :" : `${shown} fichiers n’ont pas été ajoutés :`),
  refusedMore: (files: number, shown: string) => `et ${shown} ${files === 1 ? "autre" : "autres"}`,

  here: "Ce qui est ici",
  none: "Aucun de vos documents n’est encore ici.",
  summary: (counted: string, languages: string) => `${counted}, en ${languages}.`,
  unknown: (documents: number, shown: string) =>
    documents === 1
      ? "L’un d’eux n’a aucun mot que le modèle connaisse : aucune recherche ne le trouve."
      : `${shown} d’entre eux n’ont aucun mot que le modèle connaisse : aucune recherche ne les trouve.`,
  kept: (size: string) => `Ce navigateur les garde pour votre prochaine visite : ${size} de texte.`,
  notKept: "Ce navigateur ne les garde pas : son stockage est plein ou bloqué. Ils sont ici jusqu’à la fermeture de l’onglet.",
  training: "Le modèle connaît les mots des textes sur lesquels il a été entraîné. Il ignore tous les autres.",
  columns: { file: "fichier", documents: "documents", known: "mots connus", bytes: "texte", language: "langue", remove: "suppression" },
  caption: "Vos fichiers",
  size: (kilobytes: string | undefined, megabytes: string) => (kilobytes === undefined ? `${megabytes} Mo` : `${kilobytes} ko`),
  languageOf: (file: string) => `Langue de ${file}`,
  removeOne: "Supprimer",
  removeFile: (file: string) => `Supprimer ${file}`,
  more: (files: number, shown: string) => (files === 1 ? "Et un autre fichier, où l’on cherche aussi." : `Et ${shown} autres fichiers, où l’on cherche aussi.`),
  search: "Chercher seulement ici",
  save: "Enregistrer comme index",
  list: "Liste en CSV",
  removeAll: "Supprimer tous mes documents",

  places: {
    line: (number: string) => `ligne ${number}`,
    record: (number: string) => `enregistrement ${number}`,
  },
  problem: (source: string, where: string | undefined, what: string) =>
    where === undefined ? `${source} : ${what}` : `${source}, ${where} : ${what}`,
  problems: {
    empty: "il ne contient aucun texte",
    "wrong-type": "les fichiers de ce type ne sont pas lus",
    binary: "ce n’est pas du texte : il y a des octets nuls",
    utf16: "c’est de l’UTF-16 : enregistrez le fichier en UTF-8",
    "old-word": "c’est un fichier Word ancien ou chiffré : enregistrez-le en DOCX, sans mot de passe",
    unreadable: "le fichier est illisible : il a été déplacé ou modifié",
    encrypted: "il est chiffré : enregistrez-le sans mot de passe",
    "not-word": "ce n’est pas un document Word",
    "broken-docx": "le DOCX est abîmé",
    "not-utf8": "ce n’est pas de l’UTF-8 : enregistrez le fichier dans cet encodage",
    scanned: (pages: number, shown: string) =>
      pages === 1
        ? "sa page n’a pas de texte, comme une page numérisée : faites-en d’abord reconnaître le texte (OCR)"
        : `aucune de ses ${shown} pages n’a de texte, comme des pages numérisées : faites-en d’abord reconnaître le texte (OCR)`,
    "broken-pdf": (message: string) => `le PDF est abîmé : ${message}`,
    "not-json": (message: string) => `ce n’est pas du JSON : ${message}`,
    zipBomb: (found: string, most: string) => `décompressé, il a ${found} octets ou entrées, plus que ${most}`,
    tooMuch: (most: string) => `avec ce fichier il y a plus de ${most} caractères, le maximum pour un ajout`,
    tooLong: (most: string) => `plus de ${most} Mo, le maximum pour une lecture d’un seul tenant`,
    otherModel: (language: string) =>
      `il est en ${language}, langue que le modèle de démonstration ne connaît pas ; le modèle complet la connaît : choisissez-le sous le capot de la recherche`,
    otherLanguage: (language: string) =>
      `il est en ${language}, langue que ce modèle ne connaît pas ; si c’est une erreur, choisissez la langue avant de l’ajouter`,
    columns: (found: string) => `${found} colonnes sans en-tête : attendu texte ; titre, texte ; ou id, titre, texte ; ou un en-tête avec « text »`,
    otherColumns: (columns: number, found: string, first: string) => `${found} ${columns < 2 ? "colonne" : "colonnes"}, mais ${first} dans la première ligne`,
    noTextColumn: (found: string) => `l’en-tête ne nomme aucune colonne « text », seulement : ${found}`,
    notObject: (found: string) => `trouvé ${found}, attendu un objet avec « text »`,
    notText: (name: string) => `« ${name} » n’est ni une chaîne ni un nombre`,
    other: (message: string) => message,
    kinds: { null: "null", boolean: "un booléen", number: "un nombre", string: "une chaîne", array: "une liste" },
  },
};
