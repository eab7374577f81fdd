import { grouped } from "./grouped";

/** In English. */
export const en = {
  locale: "en-GB",
  numbers: { decimal: ".", thousands: ",", percent: (hundredths: string) => `${hundredths}%` },
  and: "and",
  /** Words, one after the other. */
  words: (words: readonly string[]) => words.join(", "),
  /** Parts of a sentence that may hold commas themselves. */
  parts: (parts: readonly string[]) => parts.join("; "),
  mineOnly: (documents: string) => `Only my documents (${documents})`,
  allLanguages: "All",
  languageNames: { en: "English", fr: "French", it: "Italian", sw: "Swahili", tl: "Tagalog" } as Record<string, string>,
  examples: ["grey animal with big ears", "sweet fruit", "flour and water dough", "fish in the sea"],
  example: "For example:",
  results: "Results",
  terms: "Terms:",
  languagesOf: (title: string) => `Languages of ${title}`,
  showGuesses: (count: number) => (count === 1 ? "Show the nearest guess" : `Show the ${count} nearest guesses`),
  hideGuesses: "Hide the guesses",

  invitation: "Type a few words in your language, or try one of the examples above.",
  notLoaded: "The model is not loaded, so there is nothing to search yet. What you typed is kept.",
  stillLoading: "The model is still loading. What you typed is searched as soon as it is there.",
  noWordKnown: (words: string) => `Nothing found: this model recognises none of these words: ${words}.`,
  nothingFound: "Nothing found.",
  noWord: "Nothing found: there is no word in this query.",
  noDocument: "Nothing found: there are no documents to search.",
  nothingFits: "Nothing here fits well.",
  searchFailed: (message: string, code: string) => `The search failed: ${message} (${code}).`,

  count: (shown: string, all: string, ms: string) => `${shown} of ${all} ${all === "1" ? "document" : "documents"} in ${ms} ms`,
  searched: (all: string, ms: string) => `${all} ${all === "1" ? "document" : "documents"} searched in ${ms} ms`,
  unknown: (words: string, count: number) =>
    count === 1 ? `Left out: this model does not know the word ${words}.` : `Left out: this model does not know the words ${words}.`,
  notInLink: (most: string) => `A link holds queries of ${most} characters at most: this one is lost when the page is left.`,
  mineInvitation: (count: string) => (count === "1" ? "Type a query to search your document." : `Type a query to search your ${count} documents.`),
  spelling: {
    corrected: (words: string) => `Spelling corrected: ${words}.`,
    asTyped: (words: string) => `Search for ${words} as typed`,
    correct: "Correct the spelling",
  },
  more: (count: string) => `and ${count} more`,
  announce: (count: number, title: string, language: string) =>
    count === 1 ? `1 document: ${title}, in ${language}.` : `${count} documents. The first: ${title}, in ${language}.`,

  score: "score",
  dot: (value: string) => `q·d ${value}`,
  norm: (value: string) => `|d| ${value}`,

  epsilonText: (value: string) => `epsilon ${value}, between cosine and dot product`,
  epsilonZero: "epsilon 0, cosine",
  epsilonMost: (value: string) => `epsilon ${value}, all but dot product`,
  epsilonReset: (value: string) => `model’s own (${value})`,

  models: {
    names: { demo: "Demo model", full: "Full model" },
    offer: "The full model is ready. It reads more languages and words, and adds what they mean in English.",
    atWork: {
      demo: (dimension: string, size: string) => `Demo model: vectors of ${dimension} dimensions, ${size} MB`,
      full: (dimension: string, size: string) => `Full model: vectors of ${dimension} dimensions and translations, ${size} MB`,
    },
    loading: (loaded: string, all: string) =>
      `Fetching the full model: ${loaded} of ${all} MB. Until then the demo model answers.`,
    preparing: "Preparing the full model…",
    heldBack: "The full model waits: your fine-tuning belongs to this one. Choose it to switch.",
    failed: (message: string, code: string) =>
      `The full model could not be used: ${message} (${code}). The demo model answers.`,
  },

  speed: {
    noModel: "The model is not loaded yet, so there is nothing to measure.",
    measuring: "Measuring…",
    measured: (documents: string, queries: string, median: string, most: string, rate: string) =>
      `${documents} documents, ${queries} queries of two words: from query to ranking ${median} ms (median; 95% below ${most} ms). Without pauses, ${rate} million documents scored a second.`,
    again: "Measure again",
    failed: (message: string, code: string) => `The speed could not be measured: ${message} (${code}).`,
  },

  rankings: {
    choices: { hybrid: "Both", dense: "Meaning (dense)", lexical: "Words (lexical)" },
    dense: (value: string) => `dense ${value}`,
    lexical: (value: string) => `lexical ${value}`,
  },

  compare: {
    heading: "The same search twice",
    sides: { left: "Left", right: "Right" },
    names: {
      demo: "The demo model",
      full: "The full model",
      lsi: "Latent semantic indexing (CL-LSI)",
      opca: "Oriented principal components (OPCA)",
      cca: "Canonical correlations (CCA)",
      cdl: "Coupled dictionaries (CDL)",
    },
    failed: (message: string, code: string) => `This could not be compared: ${message} (${code}).`,
    waiting: "The full model is still loading.",
    fetching: (size: string) => `Fetching it: ${size} MB…`,
    oneLanguage: (language: string) =>
      `A method was trained for one language of documents at a time, so both lists are of ${language}; choose another above.`,
    notOfLanguage: "This method was not trained for this language.",
    nothing: "Nothing found.",
    there: (rank: string) => `rank ${rank} in the other list`,
    notThere: "not in the first ten of the other list",
    shared: (count: number) => `${count} of 10 documents ${count === 1 ? "is" : "are"} in both lists.`,
  },

  card: {
    failed: (message: string, code: string) => `The model card could not be fetched: ${message} (${code}).`,
    size: (files: string, size: string) => `${files} files, ${size} MB.`,
    figures: "Mate retrieval on tuning sets",
    typed: "Queries as people type them, a tuning set: the share answered among the first three",
    columns: { language: "language", set: "tuning set", ranking: "ranked by", kind: "kind of query", all: "all in one list" } as Record<string, string>,
    /** By the card's own words for kinds of queries. */
    kinds: {
      all: "all",
      description: "description",
      inflected: "other word forms",
      keywords: "keywords",
      misspelt: "misspelt",
      mixed: "two languages",
      "one-word": "one word",
      "own-language": "the documents’ language",
      paragraph: "paragraph",
      question: "question",
    } as Record<string, string>,
    /** By the card's own words for rankings. */
    rankings: { hybrid: "hybrid", dense: "dense", lexical: "lexical" } as Record<string, string>,
    training: "Trained on",
    sources: "Sources",
    limits: "Limits",
    biases: "Biases",
  },

  /** What a document is as an answer; the last is below all others. */
  confidence: ["very likely answer", "likely answer", "possible answer", "unlikely answer"],

  gloss: {
    title: "word by word:",
    button: "Read word by word",
    whole: "Read it all",
    answers: (word: string) => `(${word})`,
    of: (title: string) => `${title}, word by word in English`,
    note: "Below each word is what it most likely means, by the model’s own translations: a guess for each word, not a translation of the text.",
    failed: (message: string, code: string) => `The words could not be shown in English: ${message} (${code}).`,
  },

  why: {
    button: "Why?",
    of: (title: string) => `Why ${title} has its score`,
    dense: "This is the dense score alone: the similarity of two vectors, the query’s and the document’s. They need not share a word.",
    formula: "score = q·d / ((|q| + ε)(|d| + ε))",
    hybrid: "The score is hybrid. The dense score is the similarity of two vectors, the query’s and the document’s: they need not share a word. The lexical score finds the query’s words in translation and weighs them by BM25.",
    similarityFormula: "dense = q·d / ((|q| + ε)(|d| + ε))",
    fusion: (a: string, dense: string, b: string, lexical: string, score: string) =>
      `score = ${a} × dense ${dense} + ${b} × lexical ${lexical} = ${score}`,
    translations: {
      caption: "Words of the query that the document has in translation, and their contribution to the score; “rain-” stands for every word that begins with it",
      columns: ["word", "translation", "contribution"],
      term: (word: string, probability: string, count: number) =>
        `→\u00a0${word} ${probability}, ${count === 1 ? "once" : `${count} times`}`,
      none: "No word of the query was found in the document in translation.",
    },
    similarityCaption: "Words of the query: the dense score less the dense score without the word",
    similaritySum: (sum: string, similarity: string) =>
      `Each change is exact, but the changes need not add up to the dense score: their sum is ${sum}, the dense score ${similarity}. A vector is the tanh of a mean of words, and the score is a quotient.`,
    arithmetic: (dot: string, q: string, d: string, epsilon: string, score: string) =>
      `= ${dot} / ((${q} + ${epsilon})(${d} + ${epsilon})) = ${score}`,
    columns: ["word", "contribution"],
    queryCaption: "Words of the query: the score less the score without the word",
    unknown: "not known",
    interpreted: (token: string, interpreted: string) => `${token} → ${interpreted}`,
    readAs: (language: string) => `The query was read as ${language}.`,
    sum: (sum: string, score: string) =>
      `Each change is exact, but the changes need not add up to the score: their sum is ${sum}, the score ${score}. A vector is the tanh of a mean of words, and the score is a quotient.`,
    showWords: "Highlight the words that change the score",
    legend:
      "Highlighted in the text: words that change the score by at least a quarter of the largest change. A stronger colour is a larger change; a solid underline raises the score, a broken one lowers it.",
    documentNumbers: "The document’s words as numbers",
    documentCaption: "Words of the document: the score less the score without the word, strongest first",
    failed: (message: string, code: string) => `The score could not be explained: ${message} (${code}).`,
  },

  pin: {
    button: "Pin",
    unpin: "Unpin",
    rank: (rank: number, of: string, way: "up" | "down" | "none", from: number) =>
      `${ordinal(rank)} of ${of}${way === "none" ? "" : `, ${way} from ${ordinal(from)}`}`,
    otherLanguage: (language: string) => `The pinned document is not in ${language}.`,
    notRanked: "The pinned document is not among those that were ranked.",
    announce: (rank: string) => `Pinned: ${rank}`,
  },

  rankChanges: {
    toolbar: "Swap points",
    ticksFailed: (message: string, code: string) =>
      `The swap points of the slider could not be fetched: ${message} (${code}).`,
    curvesFailed: (message: string, code: string) => `The curves of the two scores could not be fetched: ${message} (${code}).`,
    named: (title: string, language: string) => `${title} (${language})`,
    passes: (epsilon: string, rising: string, falling: string) => `At ${epsilon} ${rising} passes ${falling}`,
    several: (count: number, last: string, first: string) => `${count} swap points up to ${last}; the first: ${first}`,
    summary: (count: number) =>
      count === 1 ? "At the tick two of the documents change rank." : `${count} swap points: at each tick two of the documents change rank.`,
    heading: "Two documents change rank",
    sentence: (first: string, second: string, epsilon: string) =>
      `${first} is ahead below epsilon ${epsilon}, ${second} above.`,
    never: (ahead: string, behind: string) => `These two never change rank: ${ahead} is ahead of ${behind} at every epsilon.`,
    goThere: (epsilon: string) => `Go to ${epsilon}`,
    close: "Close",
    scores: "The two scores",
    lead: "How far it is ahead",
    epsilonAxis: "epsilon",
    scoreAxis: "score",
    leadAxis: "% of the higher",
    leadOf: (first: string) => `${first}: above 0 it is ahead`,
    same: "neither is ahead",
    slider: (epsilon: string) => `The slider: ${epsilon}`,
    swapPoint: (epsilon: string) => `The swap point: ${epsilon}`,
    scoresNow: (epsilon: string, first: string, firstScore: string, second: string, secondScore: string) =>
      `At the slider’s ${epsilon}: ${first} ${firstScore}, ${second} ${secondScore}.`,
    bothScore: (score: string) => `At the swap point both score ${score}.`,
    even: (epsilon: string) => `At the slider’s ${epsilon} neither is ahead.`,
    leadNow: (epsilon: string, ahead: string, by: string) => `At the slider’s ${epsilon} ${ahead} is ahead by ${by}.`,
  },

  story: {
    heading: "A short and a long document",
    first: (query: string, short: Told, long: Told) =>
      `Two results for “${query}”. The vector of ${short[0]} (${short[1]}) is short: |d| is ${short[2]}, q·d ${short[3]}. That of ${long[0]} (${long[1]}) is longer: |d| is ${long[2]}, q·d ${long[3]}.`,
    length: (short: string, long: string) =>
      `Short and long are the vectors here, not the texts: those have ${short} and ${long} words.`,
    turn: (epsilon: string) =>
      `Cosine divides by |d| and sees the angle only. The larger epsilon, the less |d| counts below the line, and the more the larger q·d does. At ${epsilon} the order turns around.`,
    cosine: (title: string) => `Cosine: ${title} is ahead`,
    swapPoint: (epsilon: string) => `At ${epsilon} they change rank`,
    large: (epsilon: string, title: string) => `At ${epsilon}: ${title} is ahead`,
    now: (epsilon: string, short: readonly [string, string], long: readonly [string, string], ahead: string) =>
      `Now, at ${epsilon}: ${short[0]} ${short[1]}, ${long[0]} ${long[1]}; ${ahead} is ahead.`,
  },

  starting: "Starting the search engine…",
  loading: (loaded: string, total: string | undefined) =>
    total === undefined ? `Loading the model: ${loaded} MB` : `Loading the model: ${loaded} of ${total} MB`,
  preparing: "Checking the model…",
  cancelled: "Loading was cancelled.",
  failed: (what: string, message: string, code: string) => `${what} ${message} (${code})`,
  failures: {
    network: "The model could not be fetched; is there a connection?",
    "http-status": "The server does not have the model, or does not give it out.",
    "not-binary": "In the place of the model the server sent a web page or a text.",
    incomplete: "Only a part of the model came.",
    "not-safetensors": "The model came, but it is not whole, or not a model.",
    digest: "The model came, but it is damaged.",
    "newer-version": "The model is of a later version than this page.",
    mismatch: "The documents were not made with this model.",
    "wasm-failed": "The search engine could not run.",
    "worker-failed": "The search engine stopped.",
  } as Record<string, string>,
  failure: "The model could not be loaded.",
  noWebAssembly: "This browser lacks WebAssembly, with which this page searches. A current one has it.",
  noSimd: "This browser’s WebAssembly lacks SIMD, which this page needs. A current one has it.",

  largest: (value: string, epsilon: string) =>
    `At epsilon ${epsilon} the derivative is largest at the centre: ${value}.`,
  largestElsewhere: (value: string, x1: string, x2: string, epsilon: string) =>
    `At epsilon ${epsilon} the derivative is largest at (${x1}, ${x2}): ${value}.`,
  unbounded: (value: string) =>
    `At epsilon 0 the derivative is unbounded near the centre and undefined at it; the largest value drawn is ${value}.`,
  mapFailed: (message: string, code: string) => `The map could not be drawn: ${message} (${code}).`,
  scale: (limit: string) =>
    `One scale for every epsilon: symmetric, logarithmic, from −${limit} to ${limit}; what lies beyond has the colour of its end.`,
  reading: (x1: string, x2: string, value: string) => `At (${x1}, ${x2}): ${value}`,
  undefinedValue: "undefined",
  tableCaption: (epsilon: string) => `Partial derivative in x1 at a few points, for epsilon ${epsilon}`,
  tableCorner: "x2 \\ x1",

  evaluation: {
    missing: (status: number) => `the server answered ${status} for evaluation.json`,
    malformed: (place: string) => `evaluation.json: “${place}” is missing or has a wrong form`,
    noDocument: (id: string, language: string) => `the loaded documents have no “${id}” in ${language}, which the tests rank`,
  },

  menu: { search: "Search", learn: "Learn", documents: "Your documents", lab: "Lab" },
  views: {
    search: "Search",
    learn: "The argument",
    maps: "Gradients",
    descent: "Exploding gradients",
    losses: "Losses",
    metrics: "Metrics",
    training: "Training",
    theory: "Theory",
    documents: "Your documents",
    lessons: "Lessons",
  },
  viewLoading: "Fetching this view…",
  viewFailed: (message: string, code: string) => `This view could not be fetched: ${message} (${code}).`,
  lessonFailed: (message: string, code: string) => `The lesson could not be fetched: ${message} (${code}).`,
  retry: "Try again",
  charts: {
    numbers: "The numbers",
    save: (title: string) => `Save “${title}”`,
  },

  where: {
    label: "Compute on",
    choices: {
      auto: "what is faster here",
      webgpu: "the graphics card (WebGPU)",
      wasm: "the processor (WebAssembly)",
    },
    ran: {
      wasm: (name: string, reason: string) => `The steps ran on the processor (${name}): ${reason}.`,
      webgpu: (name: string, reason: string) => `The steps ran on the graphics card (${name}): ${reason}.`,
    },
  },

  finetune: {
    grades: { 2: "Relevant", 1: "Partly", 0: "Not relevant" },
    feedbackGroup: "Does it answer the search?",
    remove: "Remove",
    removeLabel: (title: string, query: string) => `Remove the feedback on ${title}, for ${query}`,

    fetching: "Fetching the fine-tuning module…",
    fetchingEncoders: (loaded: string, total: string | undefined) =>
      total === undefined
        ? `Fetching the document encoder: ${loaded} MB`
        : `Fetching the document encoder: ${loaded} of ${total} MB`,
    fetchingModule: (size: string) => `Fetching the fine-tuning module… ${size} MB`,
    tuning: "Fine-tuning…",
    step: (step: string, loss: string) => `Step ${step}: loss ${loss}.`,
    nothingLeft: (steps: string) => `Done in ${countSteps(steps)}: the loss is 0, so this feedback changes nothing more.`,
    stopped: (steps: string, loss: string) => `Stopped after ${countSteps(steps)}: loss ${loss}. Progress so far is kept.`,
    enough: (steps: string, loss: string) => `${countSteps(steps)}: loss ${loss}. Run continues from here.`,
    stoppedAtOnce: "Stopped.",
    undoing: "Undoing…",
    undone: "Undone.",
    undoneAll: "Undone: no change is left to undo.",
    resetting: "Restoring the loaded model…",
    wasReset: "The model is as it was loaded. Undo restores the fine-tuning.",
    exported: (largest: string, mean: string) =>
      `Saved. Its weights are rounded to the precision of the loaded model: by at most ${largest}, ${mean} on average.`,
    failed: (message: string, code: string) => `That did not work: ${message} (${code}). You can try again.`,

    lossSteps: (steps: string) => countSteps(steps),
    lossSummary: (steps: string, first: string, last: string) =>
      steps === "1" ? `1 step, from a loss of ${first}.` : `${steps} steps: from a loss of ${first} to ${last}.`,

    compared: (query: string) => `The first ten for “${query}”`,
    nothingToCompare: "Search for something to see what changed for it.",
    samePlace: "same place",
    from: (way: "up" | "down", by: string, rank: string) => `${way} ${by}, from ${rank}`,
    fromBeyond: (far: string) => `up from beyond ${far}`,
    nowAt: (rank: string) => `down to ${rank}`,
    nowBeyond: (far: string) => `down beyond ${far}`,
    othersKept: (count: number) =>
      `None of these ${count} other searches lost a document from its first ten, and each kept its first.`,
    othersChanged: (count: number, first: number, stayed: number, of: number) =>
      `Of ${count} other searches, ${first} kept their first document; of their first ten documents, ${stayed} of ${of} are still there.`,
    stayed: (stayed: number, of: number) => `${stayed} of ${of}`,
    yes: "yes",
    no: "no",
    comparisonFailed: (message: string, code: string) => `Before and after could not be compared: ${message} (${code}).`,

    keptFromBefore: "Your earlier fine-tuning of this model is in use.",
    startAfresh: "Reset it",
    notTakenUp: "Your earlier fine-tuning of this model could not be restored. Fine-tuning now replaces it.",
    tryAgain: "Try again",
    refused: (message: string, code: string) =>
      `The fine-tuning that was stored on an earlier visit does not fit this model and was deleted: ${message} (${code}).`,
    newer: "Another tab has newer fine-tuning. Fine-tuning here replaces it.",
    takeOver: "Take over",
    tookOver: "The fine-tuning of the other tab is in use here.",
    notKept: (message: string) =>
      `This browser does not store the fine-tuning: it is lost when the tab is closed. Save writes it to a file. (${message})`,
  },

  model: (dimension: string, epsilon: string, documents: string, languages: string) =>
    `The model: averaged word vectors of ${dimension} dimensions, one space for all languages, trained with epsilon ${epsilon}. It searches ${documents} documents in ${languages}.`,
};

/** A document of the story: title, language, |d|, q·d. */
type Told = readonly [title: string, language: string, norm: string, dot: string];

const ordinals = new Intl.PluralRules("en", { type: "ordinal" });

/** 1st, 2nd, 1,003rd */
function ordinal(rank: number): string {
  const endings = { one: "st", two: "nd", few: "rd" } as Partial<Record<Intl.LDMLPluralRule, string>>;
  return `${grouped(String(rank), en.numbers.thousands)}${endings[ordinals.select(rank)] ?? "th"}`;
}

function countSteps(shown: string): string {
  return shown === "1" ? "1 step" : `${shown} steps`;
}
