// The words of a search box, in one table.

/** The words of a search box. */
export interface SearchBoxStrings {
  /** The input's label, and its text while it is empty. */
  label: string;
  loading: string;
  /** While the results of a query take their time. */
  searching: string;
  /** No document has a word of the query. */
  none: string;
  /** Documents were found, and none of them fits. */
  unsure: string;
  /** The button that shows them nevertheless. */
  nearest: string;
  /** The number of pages that are shown. */
  found: (pages: number) => string;
  /** After that number: the languages of the results, if they are not only the page's. */
  inLanguages: (languages: string) => string;
  /** The button for the next results. */
  more: string;
  /** The button for the other sections of a page. */
  sections: (count: number) => string;
  /** Before the reason, which is in English. */
  failed: string;
  /** The button that searches again after a failure. */
  retry: string;
  /** Above the fields to filter by. */
  filters: string;
  /** Before the language that a query is taken to be in, where it is not the page's. */
  queryIn: string;
}

/** A row of the table: `#` is a number, and `|` divides one from several where they differ; `{}` is a text. */
type Row = { [K in keyof SearchBoxStrings]: string };

const TABLE: Record<string, Row> = {
  en: {
    label: "Search",
    loading: "Loading the search…",
    searching: "Searching…",
    none: "Nothing found.",
    unsure: "Nothing here seems to answer this.",
    nearest: "Show the nearest results",
    found: "# result|# results",
    inLanguages: "in {}",
    more: "More results",
    sections: "# more section|# more sections",
    failed: "The search failed.",
    retry: "Try again",
    filters: "Only with",
    queryIn: "Query in",
  },
  fr: {
    label: "Rechercher",
    loading: "Chargement de la recherche…",
    searching: "Recherche en cours…",
    none: "Aucun résultat.",
    unsure: "Rien ici ne semble y répondre.",
    nearest: "Afficher les résultats les plus proches",
    found: "# résultat|# résultats",
    inLanguages: "en {}",
    more: "Plus de résultats",
    sections: "# autre section|# autres sections",
    failed: "La recherche a échoué.",
    retry: "Réessayer",
    filters: "Seulement avec",
    queryIn: "Requête en",
  },
  it: {
    label: "Cerca",
    loading: "Caricamento della ricerca…",
    searching: "Ricerca in corso…",
    none: "Nessun risultato.",
    unsure: "Nulla qui sembra rispondere.",
    nearest: "Mostra i risultati più vicini",
    found: "# risultato|# risultati",
    inLanguages: "in {}",
    more: "Altri risultati",
    sections: "# altra sezione|# altre sezioni",
    failed: "La ricerca non è riuscita.",
    retry: "Riprova",
    filters: "Solo con",
    queryIn: "Ricerca in",
  },
  sw: {
    label: "Tafuta",
    loading: "Utafutaji unapakiwa…",
    searching: "Inatafuta…",
    none: "Hakuna kilichopatikana.",
    unsure: "Inaonekana hakuna jibu hapa.",
    nearest: "Onyesha matokeo ya karibu zaidi",
    found: "tokeo #|matokeo #",
    inLanguages: "kwa {}",
    more: "Matokeo zaidi",
    sections: "sehemu # zaidi|sehemu # zaidi",
    failed: "Utafutaji umeshindikana.",
    retry: "Jaribu tena",
    filters: "Chuja kwa",
    queryIn: "Swali kwa",
  },
  tl: {
    label: "Maghanap",
    loading: "Nilo-load ang paghahanap…",
    searching: "Naghahanap…",
    none: "Walang nahanap.",
    unsure: "Mukhang walang sagot dito.",
    nearest: "Ipakita ang mga pinakamalapit na resulta",
    found: "# resulta|# resulta",
    inLanguages: "sa {}",
    more: "Iba pang resulta",
    sections: "# pang seksiyon|# pang seksiyon",
    failed: "Nabigo ang paghahanap.",
    retry: "Subukan muli",
    filters: "Salain ayon sa",
    queryIn: "Tanong sa",
  },
  es: {
    label: "Buscar",
    loading: "Cargando la búsqueda…",
    searching: "Buscando…",
    none: "Sin resultados.",
    unsure: "Nada aquí parece responder a esto.",
    nearest: "Mostrar los resultados más cercanos",
    found: "# resultado|# resultados",
    inLanguages: "en {}",
    more: "Más resultados",
    sections: "# sección más|# secciones más",
    failed: "La búsqueda ha fallado.",
    retry: "Reintentar",
    filters: "Solo con",
    queryIn: "Consulta en",
  },
  de: {
    label: "Suchen",
    loading: "Die Suche wird geladen…",
    searching: "Die Suche läuft…",
    none: "Nichts gefunden.",
    unsure: "Hier scheint nichts dazu zu passen.",
    nearest: "Die nächstliegenden Ergebnisse zeigen",
    found: "# Ergebnis|# Ergebnisse",
    inLanguages: "auf {}",
    more: "Weitere Ergebnisse",
    sections: "# weiterer Abschnitt|# weitere Abschnitte",
    failed: "Die Suche ist fehlgeschlagen.",
    retry: "Erneut versuchen",
    filters: "Nur mit",
    queryIn: "Anfrage auf",
  },
  pt: {
    label: "Pesquisar",
    loading: "Carregando a pesquisa…",
    searching: "Pesquisando…",
    none: "Nenhum resultado.",
    unsure: "Nada aqui parece responder a isso.",
    nearest: "Mostrar os resultados mais próximos",
    found: "# resultado|# resultados",
    inLanguages: "em {}",
    more: "Mais resultados",
    sections: "mais # seção|mais # seções",
    failed: "A pesquisa falhou.",
    retry: "Tentar novamente",
    filters: "Somente com",
    queryIn: "Consulta em",
  },
  ru: {
    label: "Поиск",
    loading: "Поиск загружается…",
    searching: "Идёт поиск…",
    none: "Ничего не найдено.",
    unsure: "Похоже, здесь нет ответа на этот запрос.",
    nearest: "Показать самые близкие результаты",
    found: "Результатов: #",
    inLanguages: "({})",
    more: "Ещё результаты",
    sections: "Ещё разделов: #",
    failed: "Не удалось выполнить поиск.",
    retry: "Повторить",
    filters: "Только с",
    queryIn: "Язык запроса:",
  },
  zh: {
    label: "搜索",
    loading: "正在加载搜索…",
    searching: "正在搜索…",
    none: "没有找到结果。",
    unsure: "这里似乎没有相关内容。",
    nearest: "显示最接近的结果",
    found: "# 个结果",
    inLanguages: "（{}）",
    more: "更多结果",
    sections: "另外 # 个章节",
    failed: "搜索失败。",
    retry: "重试",
    filters: "仅限",
    queryIn: "查询语言：",
  },
  id: {
    label: "Cari",
    loading: "Memuat pencarian…",
    searching: "Sedang mencari…",
    none: "Tidak ada yang ditemukan.",
    unsure: "Tampaknya tidak ada jawaban di sini.",
    nearest: "Tampilkan hasil yang paling dekat",
    found: "# hasil",
    inLanguages: "dalam bahasa {}",
    more: "Hasil lainnya",
    sections: "# bagian lagi",
    failed: "Pencarian gagal.",
    retry: "Coba lagi",
    filters: "Hanya dengan",
    queryIn: "Bahasa kueri:",
  },
  ar: {
    label: "بحث",
    loading: "جارٍ تحميل البحث…",
    searching: "جارٍ البحث…",
    none: "لم يُعثر على شيء.",
    unsure: "يبدو أنه لا يوجد هنا ما يجيب عن هذا.",
    nearest: "عرض أقرب النتائج",
    found: "عدد النتائج: #",
    inLanguages: "({})",
    more: "نتائج أخرى",
    sections: "أقسام أخرى: #",
    failed: "فشل البحث.",
    retry: "إعادة المحاولة",
    filters: "فقط مع",
    queryIn: "لغة البحث:",
  },
  hi: {
    label: "खोजें",
    loading: "खोज लोड हो रही है…",
    searching: "खोज जारी है…",
    none: "कुछ नहीं मिला।",
    unsure: "लगता है कि यहाँ इसका उत्तर नहीं है।",
    nearest: "सबसे नज़दीकी परिणाम दिखाएँ",
    found: "# परिणाम",
    inLanguages: "({})",
    more: "और परिणाम",
    sections: "# और अनुभाग",
    failed: "खोज विफल रही।",
    retry: "फिर से कोशिश करें",
    filters: "केवल इनके साथ",
    queryIn: "खोज की भाषा:",
  },
};

/** The name of Tagalog in the tables of browsers. */
const FILIPINO = "fil";

/** A language with the words of the box. */
export interface Locale {
  /** Its tag, for the numbers and the names of languages too. */
  tag: string;
  /** The language as models name it. */
  language: string;
  strings: SearchBoxStrings;
}

/** The language of a tag as models name it; empty where it is no tag. */
export function languageOf(tag: string): string {
  try {
    const { language } = new Intl.Locale(tag);
    return language === FILIPINO ? "tl" : language;
  } catch {
    return "";
  }
}

/** The words in a language by its tag; in English where the table does not have it. */
export function localeOf(wanted: string): Locale {
  const language = languageOf(wanted);
  const row = TABLE[language];
  const tag = row ? wanted : "en";
  const { found, inLanguages, sections, ...plain } = row ?? TABLE["en"]!;
  const rules = new Intl.PluralRules(tag);
  const number = new Intl.NumberFormat(tag);
  const counted = (forms: string) => (count: number) => {
    const [one, several = one] = forms.split("|");
    return (rules.select(count) === "one" ? one! : several!).replace("#", number.format(count));
  };
  const filled = (text: string) => (value: string) => text.replace("{}", () => value);
  const strings = { ...plain, found: counted(found), sections: counted(sections), inLanguages: filled(inLanguages) };
  return { tag, language: row ? language : "en", strings };
}

/** The names of languages in another, as a list of words. */
export function namesOf(languages: readonly string[], { tag }: Locale): string {
  const names = languages.map((language) => {
    try {
      return new Intl.DisplayNames(tag, { type: "language" }).of(language) ?? language;
    } catch {
      return language;
    }
  });
  return new Intl.ListFormat(tag).format(names);
}
