//! What the built-in corpus promises: every entry in every language, in that language, of an
//! encyclopaedia's length, no two alike, and every link leading somewhere.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use lingua::{Language, LanguageDetectorBuilder};

const LANGUAGES: [(&str, Language); 5] = [
    ("en", Language::English),
    ("fr", Language::French),
    ("it", Language::Italian),
    ("sw", Language::Swahili),
    ("tl", Language::Tagalog),
];

/// The lines of a corpus file, each split into its three columns.
fn read(name: &str) -> Vec<[String; 3]> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    let file = fs::read_to_string(path).unwrap();
    assert!(file.ends_with('\n'), "{name} ends inside a line");
    let columns = |(number, line): (usize, &str)| -> [String; 3] {
        let columns: Vec<String> = line.split('\t').map(str::to_owned).collect();
        let count = columns.len();
        columns.try_into().unwrap_or_else(|_| panic!("{name}, line {}: {count}", number + 1))
    };
    file.lines().enumerate().map(columns).collect()
}

/// Id, title and text of each entry in a language.
fn texts(language: &str) -> Vec<[String; 3]> {
    read(&format!("{language}.tsv"))
}

/// Id, category and links of each entry.
fn entries() -> Vec<(String, String, Vec<String>)> {
    let links = |list: &str| list.split(',').map(str::to_owned).collect();
    read("entries.tsv")
        .into_iter()
        .map(|[id, category, list]| (id, category, links(&list)))
        .collect()
}

fn ids() -> Vec<String> {
    entries().into_iter().map(|(id, ..)| id).collect()
}

/// Words as a person counts them: longest runs of letters, digits and combining marks; an
/// apostrophe between two of those belongs to the word, a hyphen ends it.
fn words(text: &str) -> Vec<String> {
    let part = |c: char| c.is_alphanumeric() || ('\u{300}'..='\u{36f}').contains(&c);
    let characters: Vec<char> = text.chars().collect();
    let inside = |at: usize| {
        let between = |at: usize| part(characters[at - 1]) && part(characters[at + 1]);
        let inner = at > 0 && at + 1 < characters.len();
        part(characters[at]) || matches!(characters[at], '\'' | '’') && inner && between(at)
    };
    let mut words = vec![String::new()];
    for (at, c) in characters.iter().enumerate() {
        match (inside(at), words.last_mut()) {
            (true, Some(word)) => word.extend(c.to_lowercase()),
            _ => words.push(String::new()),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[test]
fn words_are_counted_as_a_person_would() {
    assert_eq!(words("L'eau, c’est 3 fois « rien »!"), ["l'eau", "c’est", "3", "fois", "rien"]);
    assert_eq!(
        words("Ng'ombe 'wote' kulay-abo e\u{301}te"),
        ["ng'ombe", "wote", "kulay", "abo", "e\u{301}te"]
    );
    assert_eq!(words(" – '"), [""; 0]);
}

#[test]
fn there_are_at_least_600_entries_each_named_once() {
    let ids = ids();
    assert!(ids.len() >= 600, "{}", ids.len());
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len());
    for id in &ids {
        assert!(id.chars().all(|c| c.is_ascii_lowercase() || c == '-') && !id.is_empty(), "{id}");
    }
}

#[test]
fn every_entry_is_there_in_every_language_in_the_same_order() {
    let ids = ids();
    for (language, _) in LANGUAGES {
        let own: Vec<String> = texts(language).into_iter().map(|[id, ..]| id).collect();
        assert_eq!(own, ids, "{language}");
    }
}

#[test]
fn no_two_entries_of_a_language_have_one_title() {
    for (language, _) in LANGUAGES {
        let mut named = HashMap::new();
        for [id, title, _] in texts(language) {
            assert!(!words(&title).is_empty(), "{language} {id} has no title");
            if let Some(other) = named.insert(title.to_lowercase(), id.clone()) {
                panic!("{language}: {id} and {other} are both called {title}");
            }
        }
    }
}

#[test]
fn every_text_has_30_to_60_words() {
    let mut wrong = Vec::new();
    for (language, _) in LANGUAGES {
        for [id, _, text] in texts(language) {
            let count = words(&text).len();
            if !(30..=60).contains(&count) {
                wrong.push(format!("{language} {id}: {count}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_text_is_in_its_language() {
    let detector = LanguageDetectorBuilder::from_languages(&LANGUAGES.map(|(_, l)| l)).build();
    let mut wrong = Vec::new();
    for (language, expected) in LANGUAGES {
        for [id, _, text] in texts(language) {
            let found = detector.detect_language_of(&text);
            if found != Some(expected) {
                wrong.push(format!("{language} {id} reads as {found:?}: {text}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_two_texts_of_a_language_are_near_copies() {
    let mut wrong = Vec::new();
    for (language, _) in LANGUAGES {
        let texts = texts(language);
        let trigrams: Vec<HashSet<[String; 3]>> = texts
            .iter()
            .map(|[.., text]| {
                words(text).windows(3).map(|w| [0, 1, 2].map(|i| w[i].clone())).collect()
            })
            .collect();
        for (place, one) in trigrams.iter().enumerate() {
            for (other_place, other) in trigrams.iter().enumerate().skip(place + 1) {
                let shared = one.intersection(other).count();
                let jaccard = shared as f64 / (one.len() + other.len() - shared) as f64;
                if jaccard >= 0.2 {
                    let (one, other) = (&texts[place][0], &texts[other_place][0]);
                    wrong.push(format!("{language} {one} and {other} share {jaccard:.2}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_link_leads_to_another_entry() {
    let known: HashSet<String> = ids().into_iter().collect();
    for (id, _, links) in entries() {
        assert!(!links.is_empty(), "{id} links to nothing");
        for link in &links {
            assert!(known.contains(link), "{id} links to {link}, which is no entry");
            assert_ne!(*link, id, "{id} links to itself");
        }
        assert_eq!(links.iter().collect::<HashSet<_>>().len(), links.len(), "{id} links twice");
    }
}

#[test]
fn every_entry_is_filed_with_others() {
    let mut sizes: HashMap<String, usize> = HashMap::new();
    for (id, category, _) in entries() {
        assert!(!category.is_empty() && category.trim() == category, "{id}: {category:?}");
        *sizes.entry(category).or_default() += 1;
    }
    for (category, size) in sizes {
        assert!(size >= 5, "{category} has only {size}");
    }
}

#[test]
fn titles_and_texts_are_plain() {
    for (language, _) in LANGUAGES {
        for [id, title, text] in texts(language) {
            for column in [&title, &text] {
                let markup = |c: char| c.is_control() || "\"“”„<>[]{}|*_`#\\&=\u{feff}".contains(c);
                assert_eq!(column.find(markup), None, "{language} {id}: {column}");
                assert!(!column.contains("  ") && column.trim() == column, "{language} {id}");
            }
            assert!(text.ends_with(['.', '!', '?']), "{language} {id} ends inside a sentence");
        }
    }
}

/// A query as people type them: its kind, the language of the documents it is meant for (`*` for
/// all) and the entries it should find.
struct Typed {
    kind: String,
    language: String,
    expected: Vec<String>,
    query: String,
}

fn typed() -> Vec<Typed> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/typed.tsv");
    let file = fs::read_to_string(path).unwrap();
    let typed = |line: &str| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [kind, language, expected, query] = columns[..] else { panic!("{line}") };
        let expected = expected.split(',').map(str::to_owned).collect();
        Typed { kind: kind.into(), language: language.into(), expected, query: query.into() }
    };
    file.lines().map(typed).collect()
}

#[test]
fn typed_queries_are_200_of_eight_kinds_and_a_dozen_in_each_language_of_the_documents() {
    let typed = typed();
    let mut kinds: HashMap<&str, usize> = HashMap::new();
    let english = typed.iter().filter(|one| one.language == "*");
    english.for_each(|one| *kinds.entry(&one.kind).or_default() += 1);
    assert!(kinds.len() >= 8 && kinds.values().sum::<usize>() == 200, "{kinds:?}");
    assert!(kinds.values().all(|&count| count >= 15), "{kinds:?}");
    for (language, _) in &LANGUAGES[1..] {
        assert_eq!(typed.iter().filter(|one| one.language == *language).count(), 12, "{language}");
    }
    let known: HashSet<String> = ids().into_iter().collect();
    for one in &typed {
        assert!(one.expected.iter().all(|id| known.contains(id)), "{:?}", one.expected);
        assert!(!words(&one.query).is_empty());
    }
}

/// The words of a text that say what it is about.
fn content(text: &str) -> HashSet<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/function-words.txt");
    let function_words = fs::read_to_string(path).unwrap();
    let function_words: HashSet<&str> = function_words.lines().collect();
    let tokens = smooth_clir::text::tokens(text).into_iter();
    tokens.filter(|token| !function_words.contains(&token[..])).collect()
}

#[test]
fn half_of_the_typed_queries_share_no_content_word_with_the_entry_they_should_find() {
    let entries: HashMap<String, HashSet<String>> = texts("en")
        .into_iter()
        .map(|[id, title, text]| (id, content(&format!("{title} {text}"))))
        .collect();
    let typed = typed();
    let shares_none = |one: &&Typed| {
        let query = content(&one.query);
        one.expected.iter().all(|id| query.is_disjoint(&entries[id]))
    };
    let count = typed.iter().filter(|one| one.language == "*").filter(shares_none).count();
    assert!(count >= 100, "{count}");
}

/// Languages that `typed-in` has queries in.
const TYPED_IN: [&str; 13] =
    ["ar", "de", "en", "es", "fr", "hi", "id", "it", "pt", "ru", "sw", "tl", "zh"];

#[test]
fn typed_queries_in_each_language_are_100_of_eight_kinds_for_the_same_hundred_entries() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/typed-in");
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, TYPED_IN.map(|language| format!("{language}.tsv")));
    let kinds = [
        ("description", 13),
        ("inflected", 12),
        ("keywords", 13),
        ("misspelt", 13),
        ("mixed", 12),
        ("one-word", 12),
        ("paragraph", 12),
        ("question", 13),
    ];
    let known: HashSet<String> = ids().into_iter().collect();
    let other: HashSet<String> = typed().into_iter().flat_map(|one| one.expected).collect();
    let mut first: Option<Vec<[String; 2]>> = None;
    let mut seen = HashSet::new();
    for language in TYPED_IN {
        let lines = read(&format!("typed-in/{language}.tsv"));
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for [kind, id, query] in &lines {
            *counts.entry(kind).or_default() += 1;
            assert!(known.contains(id), "{language}: {id} is no entry");
            assert!(!other.contains(id), "{language}: typed.tsv has a query for {id}");
            assert!(query.trim() == query && !words(query).is_empty(), "{language} {id}: {query}");
            assert!(seen.insert((language, query.clone())), "{language}: {query} is there twice");
        }
        assert_eq!(counts, HashMap::from(kinds), "{language}");
        let entries: Vec<[String; 2]> = lines.into_iter().map(|[kind, id, _]| [kind, id]).collect();
        assert_eq!(entries.iter().map(|[_, id]| id).collect::<HashSet<_>>().len(), 100);
        assert_eq!(first.get_or_insert_with(|| entries.clone()), &entries, "{language}");
    }
}

#[test]
fn few_typed_queries_in_a_language_repeat_a_word_of_the_title_of_their_entry() {
    for (language, _) in &LANGUAGES {
        let titles: HashMap<String, HashSet<String>> =
            texts(language).into_iter().map(|[id, title, _]| (id, content(&title))).collect();
        let queries = read(&format!("typed-in/{language}.tsv"));
        let repeats = |[_, id, query]: &&[String; 3]| !content(query).is_disjoint(&titles[id]);
        let count = queries.iter().filter(repeats).count();
        assert!(count <= 20, "{language}: {count}");
    }
}

#[test]
fn queries_to_train_on_are_of_every_entry_in_every_language_and_unlike_those_that_judge() {
    let queries = read("queries.tsv");
    let mut judging: HashMap<String, Vec<HashSet<String>>> = HashMap::new();
    for one in typed() {
        for id in &one.expected {
            judging.entry(id.clone()).or_default().push(content(&one.query));
        }
    }
    let mut counts: HashMap<(&str, &str), usize> = HashMap::new();
    let mut seen = HashSet::new();
    for [id, language, query] in &queries {
        *counts.entry((id, language)).or_default() += 1;
        assert!(seen.insert([id, language, query]), "{id} {language}: {query} is there twice");
        let query_words = content(query);
        for other in judging.get(id).into_iter().flatten() {
            let both = query_words.intersection(other).count();
            let either = query_words.union(other).count();
            assert!(both == 0 || 2 * both < either, "{id}: {query} is like one that judges");
        }
    }
    for id in &ids() {
        for (language, least) in [("en", 11), ("fr", 7), ("it", 7), ("sw", 7), ("tl", 7)] {
            let count = counts.get(&(&id[..], language)).copied().unwrap_or(0);
            assert!(count >= least, "{id} {language}: {count}");
        }
    }
}
