//! Hybrid scores: files, searches, explanations.

use std::sync::Arc;

use crate::tampering::with_tensor;
use smooth_clir::encoder::{Encoder, Network, Precision, Table};
use smooth_clir::engine::{Engine, Hit, Search, Term};
use smooth_clir::index::{Document, Index};
use smooth_clir::lexical::stems::Stems;
use smooth_clir::lexical::translation::{Entry, Translations};
use smooth_clir::limits;
use smooth_clir::model::calibration::Calibration;
use smooth_clir::model::probability::ProbabilityCurve;
use smooth_clir::model::{Config, Model};
use smooth_clir::text::stem::End;
use smooth_clir::text::vocabulary::Vocabulary;

const CALIBRATION: Calibration =
    Calibration { dense: 0.25, lexical: 0.5, norms: [0.8, 0.8], deep: None };

const CURVE: ProbabilityCurve = ProbabilityCurve { slope: 4.0, offset: -2.0, size: 0.5 };

fn words(tokens: &[&str]) -> Vocabulary {
    Vocabulary::from_tokens(tokens.iter().copied()).unwrap()
}

fn encoder(tokens: &[&str]) -> Encoder {
    let values = (0..2 * tokens.len()).map(|at| [1.0, 0.0, 0.0, 1.0][at % 4]).collect();
    Encoder::new(words(tokens), Network::Average(Table::new(2, values).into()))
}

/// "storm" has translations but no row, and "tempête" is one that has none.
fn model() -> Model {
    let (query, document) = (encoder(&["rain", "salt"]), encoder(&["orage", "pluie"]));
    let entry = |query, document, strength| Entry { query, document, strength };
    let entries = [
        entry("storm", "orage", 0.75),
        entry("storm", "tempête", 0.25),
        entry("rain", "pluie", 1.0),
    ];
    let table = Translations::new(&entries, &query.vocabulary, &document.vocabulary).unwrap();
    Model {
        config: Config {
            encoder: "average".into(),
            dimension: 2,
            epsilon: 0.5,
            thresholds: vec![0.1, 0.2],
            languages: vec!["fr".into(), "sw".into()],
            subwords: 0,
            calibration: [("fr".to_owned(), CALIBRATION)].into(),
            probability: ["fr", "sw"].map(|name| (name.to_owned(), CURVE)).into(),
            packs: Vec::new(),
        },
        provenance: "{}".into(),
        space: "the space".into(),
        documents: [("fr".to_owned(), document), ("sw".to_owned(), encoder(&["chumvi", "mvua"]))]
            .into(),
        query: Some(query),
        translations: [("fr".to_owned(), Arc::new(table))].into(),
        deep: None,
    }
}

/// The same, with the first letters of words translated too.
fn stemmed() -> Model {
    let entry = |query, document| Entry { query, document, strength: 0.5 };
    let entries = [entry("stor", "orag"), entry("stor", "temp"), entry("rain", "plui")];
    let mut model = model();
    let table = Arc::get_mut(model.translations.get_mut("fr").unwrap()).unwrap();
    table.stems = Some(Stems::new(&entries, [End::Head; 2]).unwrap());
    model
}

const TEXTS: [(&str, &str, &str); 5] = [
    ("a", "fr", "orage et pluie"),
    ("b", "fr", "la tempête"),
    ("c", "fr", "le soleil"),
    ("d", "sw", "mvua na chumvi"),
    ("e", "fr", "pluie 1984"),
];

const ALL: std::ops::Range<usize> = 0..TEXTS.len();

fn documents(range: std::ops::Range<usize>) -> impl Iterator<Item = Document<'static>> {
    TEXTS[range].iter().map(|&(id, language, text)| Document {
        id,
        language,
        text,
        ..Document::default()
    })
}

fn engine_of(model: Model, parts: &[std::ops::Range<usize>]) -> Engine {
    let indexes: Vec<Index> = parts
        .iter()
        .map(|part| Index::build(&model, documents(part.clone()), Precision::F32).unwrap())
        .collect();
    let mut engine = Engine::new(model).unwrap();
    indexes.into_iter().for_each(|index| engine.add(index).unwrap());
    engine
}

/// With one index, of these texts in French.
fn french_engine(model: Model, texts: &[&str]) -> Engine {
    let document = |text| Document { id: text, language: "fr", text, ..Document::default() };
    let documents = texts.iter().copied().map(document);
    let index = Index::build(&model, documents, Precision::F32).unwrap();
    let mut engine = Engine::new(model).unwrap();
    engine.add(index).unwrap();
    engine
}

fn search(query: &str, dense: Option<f32>) -> Search<'_> {
    Search { query, epsilon: None, limit: 10, dense, ..Search::default() }
}

/// Ids, scores, SCS and lexical scores, as bits.
fn found(engine: &Engine, search: Search<'_>) -> Vec<(String, u32, u32, Option<u32>)> {
    let hits = engine.search(search).unwrap();
    let bits = |hit: &Hit<'_>| {
        let lexical = hit.lexical.map(f32::to_bits);
        (hit.id.to_owned(), hit.score.to_bits(), hit.similarity.to_bits(), lexical)
    };
    hits.iter().map(bits).collect()
}

#[test]
fn a_probability_is_of_the_score_and_the_number_of_documents_in_its_language() {
    // Four documents are in French, in however many indexes, which count as 30.
    for parts in [vec![ALL], vec![0..2, 2..4, 4..5]] {
        let engine = engine_of(model(), &parts);
        let hits = engine.search(search("rain storm", None)).unwrap();
        let french = hits.iter().filter(|hit| hit.language == "fr");
        assert_eq!(french.clone().count(), 4);
        for hit in french {
            let odds = 4.0 * f64::from(hit.score) - 2.0 - 0.5 * libm::log(30.0);
            let expected = 1.0 / (1.0 + libm::exp(-odds));
            let found = hit.probability.unwrap();
            assert!((f64::from(found) - expected).abs() < 1e-6, "{hit:?}");
            assert_eq!(hit.fits(), found >= 0.12, "{hit:?}");
        }
        assert!(hits.iter().any(Hit::fits) && !hits.iter().all(Hit::fits), "{hits:?}");
    }
}

#[test]
fn there_is_no_probability_without_a_lexical_score_at_another_share_or_where_none_was_fitted() {
    let probabilities = |model: Model, dense| -> Vec<Option<f32>> {
        let engine = engine_of(model, &[ALL]);
        let hits = engine.search(search("rain storm", dense)).unwrap();
        hits.iter().filter(|hit| hit.language == "fr").map(|hit| hit.probability).collect()
    };
    assert!(probabilities(model(), None).iter().all(Option::is_some));
    for dense in [0.5, 1.0] {
        assert_eq!(probabilities(model(), Some(dense)), [None; 4]);
    }
    let mut unfitted = model();
    unfitted.config.probability.clear();
    assert_eq!(probabilities(unfitted, None), [None; 4]);
    // Swahili has no translations here.
    let hits = engine_of(model(), &[ALL]);
    let hits = hits.search(search("rain storm", None)).unwrap();
    let other = hits.iter().find(|hit| hit.language == "sw").unwrap();
    assert!(other.probability.is_none() && other.fits());
}

#[test]
fn a_score_is_scs_and_lexical_score_by_their_weights() {
    let engine = engine_of(model(), &[ALL]);
    for hit in engine.search(search("rain storm", None)).unwrap() {
        let expected = match hit.language {
            "fr" => 0.25 * hit.similarity + 0.5 * hit.lexical.unwrap(),
            // Nothing is fitted for it.
            _ => hit.similarity,
        };
        assert!((hit.score - expected).abs() < 1e-6, "{hit:?}");
    }
    let dense = engine.search(search("rain storm", Some(1.0))).unwrap();
    assert!(dense.iter().all(|hit| hit.language != "fr" || hit.score == 0.75 * hit.similarity));
    let lexical = Search { language: Some("fr"), ..search("rain storm", Some(0.0)) };
    let lexical = engine.search(lexical).unwrap();
    // "b" has a fourth of "storm", 1.273 * 0.25 / 0.52; "e" has "rain", 0.621 / 1.27.
    assert_eq!(lexical.iter().map(|hit| hit.id).collect::<Vec<_>>(), ["a", "b", "e", "c"]);
    assert!(lexical.iter().all(|hit| hit.score == 0.75 * hit.lexical.unwrap()));
}

#[test]
fn a_query_that_only_one_half_knows_is_found_by_it() {
    let engine = engine_of(model(), &[ALL]);
    let french = |query| Search { language: Some("fr"), ..search(query, None) };
    assert_eq!(engine.search(french("storm")).unwrap()[0].id, "a");
    assert_eq!(engine.search(french("1984")).unwrap()[0].id, "e");
    // "salt" has a row; no document has it or its translation.
    let hits = engine.search(french("salt")).unwrap();
    assert!(hits.iter().all(|hit| hit.lexical == Some(0.0)) && hits[0].score > 0.0);
    assert!(engine.search(french("xyzzy")).unwrap().is_empty());
}

#[test]
fn it_does_not_matter_how_documents_are_spread_over_indexes_or_files() {
    for model in [model, stemmed] {
        let whole = engine_of(model(), &[ALL]);
        let mut others = vec![engine_of(model(), &[0..2, 2..3, 3..5])];
        let parts = model().write_parts(Precision::F32);
        let parts = parts.into_iter().map(|(_, bytes)| bytes).collect();
        for files in [parts, vec![model().write(Precision::F32)]] {
            others.push(engine_of(Model::read_parts(files).unwrap(), &[ALL]));
        }
        let mut read = Engine::new(model()).unwrap();
        let bytes = Index::build(&model(), documents(0..5), Precision::F32).unwrap().write();
        read.add(Index::read(&bytes).unwrap()).unwrap();
        others.push(read);
        for query in ["rain storm", "storm", "rain rain 1984", "salt", "rainforests"] {
            for dense in [None, Some(0.3)] {
                let expected = found(&whole, search(query, dense));
                for engine in &others {
                    assert_eq!(found(engine, search(query, dense)), expected, "{query}");
                }
            }
        }
    }
}

#[test]
fn a_large_index_ranks_to_the_bit_as_small_ones_with_its_documents_do() {
    // As of 16,384 documents not every one's words are looked up.
    const DOCUMENTS: usize = 17_000;
    let words =
        ["orage", "orages", "pluie", "pluvieux", "tempête", "temps", "soleil", "la", "1984"];
    let texts: Vec<(String, &str, String)> = (0..DOCUMENTS)
        .map(|number| {
            // Every second document has "la", and the last word is in none of 500.
            let mut text = String::from(if number % 2 == 0 { "la" } else { "soleil" });
            for (place, word) in words.iter().enumerate() {
                if number % (place * place * 7 + 3) == place {
                    text.extend([" ", word]);
                }
            }
            let language = ["fr", "fr", "sw", "en"][number % 4];
            (number.to_string(), language, text)
        })
        .collect();
    let engine = |size: usize| {
        let mut engine = Engine::new(stemmed()).unwrap();
        for part in texts.chunks(size) {
            let document =
                |(id, language, text)| Document { id, language, text, ..Document::default() };
            let documents = part.iter().map(|(id, language, text)| (&id[..], *language, &text[..]));
            let documents = documents.map(document);
            engine.add(Index::build(&stemmed(), documents, Precision::I8).unwrap()).unwrap();
        }
        engine
    };
    let (large, small) = (engine(DOCUMENTS), engine(DOCUMENTS / 4));
    // A large one and a small one, whose documents come after those of the large one.
    let both = engine(DOCUMENTS - 500);
    for query in ["rain", "storm la 1984", "rain storms la soleil 1984", "orage la", "xyzzy"] {
        for (dense, language, limit) in
            [(None, None, 10), (None, Some("fr"), 3), (Some(0.3), None, 40), (Some(1.0), None, 5)]
        {
            let search = Search { language, limit, ..search(query, dense) };
            let expected = found(&small, search);
            assert_eq!(found(&large, search), expected, "{search:?}");
            assert_eq!(found(&both, search), expected, "{search:?}");
            // Explained as it was ranked.
            for (id, _, _, lexical) in expected.iter().filter(|_| dense.is_none()).take(2) {
                let place = large.find(id, None).unwrap();
                let explained = large.explain(query, place, None, dense).unwrap().unwrap();
                assert_eq!(explained.lexical.map(f32::to_bits), *lexical, "{query}, {id}");
            }
        }
    }
    // Encoded once and ranked twice.
    let mut encoded = large.encode_query("rain storms la").unwrap();
    for epsilon in [None, Some(0.05)] {
        let search = Search { epsilon, ..search("rain storms la", None) };
        let ranked = large.rank(&mut encoded, search).unwrap();
        let hits = large.hits(&encoded, search, &ranked).unwrap();
        let again: Vec<_> = hits.iter().map(|hit| (hit.id.to_owned(), hit.score)).collect();
        let expected = small.search(search).unwrap();
        let expected: Vec<_> = expected.iter().map(|hit| (hit.id.to_owned(), hit.score)).collect();
        assert_eq!(again, expected);
    }
}

#[test]
fn documents_that_something_else_proposed_rank_as_they_do_among_all() {
    let uncalibrated = || {
        let mut model = stemmed();
        model.config.calibration.clear();
        model
    };
    for model in [model(), stemmed(), uncalibrated()] {
        let engine = engine_of(model, &[0..2, 2..5]);
        let every_place: Vec<usize> = ALL.collect();
        let queries =
            ["storm", "rain salt", "soleil", "xyzzy", "stormy rain rain", "1984", "orage", ""];
        for (query, dense) in queries
            .iter()
            .flat_map(|query| [None, Some(0.0), Some(0.4)].map(|dense| (*query, dense)))
        {
            for (language, query_language) in
                [(None, None), (Some("fr"), None), (Some("sw"), None), (None, Some("fr"))]
            {
                let search = Search {
                    query,
                    query_language,
                    language,
                    dense,
                    limit: 4,
                    ..Search::default()
                };
                let encoded = engine.encode_query(search.text()).unwrap();
                let (mut here, mut there) = (encoded.clone(), encoded);
                let among_all = engine.rank(&mut here, search).unwrap();
                let found = engine.rank_hybrid_among(&mut there, search, &every_place).unwrap();
                // As text, in which 0 and -0 differ.
                assert_eq!(format!("{found:?}"), format!("{among_all:?}"), "{search:?}");
                let hits = [(&there, &found), (&here, &among_all)].map(|(encoded, ranked)| {
                    format!("{:?}", engine.hits(encoded, search, ranked).unwrap())
                });
                assert_eq!(hits[0], hits[1], "{search:?}");
            }
        }
        let search = Search { query: "storm", limit: 4, ..Search::default() };
        let mut encoded = engine.encode_query("storm").unwrap();
        let few = engine.rank_hybrid_among(&mut encoded, search, &[1, 4]).unwrap();
        let places: Vec<usize> = few.iter().map(|scored| scored.position).collect();
        assert_eq!(places, [1, 4]);
    }
}

/// `ln(1 + ratio)` to the power of 1.3; the ratio is of documents without a word to documents with it.
fn idf(ratio: f64) -> f64 {
    libm::pow(libm::log(1.0 + ratio), 1.3)
}

#[test]
fn another_form_of_a_word_is_found_by_its_stem() {
    let french = |query| Search { language: Some("fr"), ..search(query, None) };
    assert!(engine_of(model(), &[ALL]).search(french("stormtrooper")).unwrap().is_empty());
    let engine = engine_of(stemmed(), &[ALL]);
    let hits = engine.search(french("stormtrooper")).unwrap();
    assert_eq!(hits.iter().map(|hit| hit.id).take(2).collect::<Vec<_>>(), ["b", "a"]);
    // N 4, mean length 9/4. The word is nowhere; its stem has two terms of probability 1/2, each in one
    // document: expected counts of 1/2.
    let (word, stem) = (idf(4.5 / 0.5), idf(3.5 / 1.5));
    for (hit, length) in hits.iter().zip([2.0, 3.0]) {
        let part = 0.5 / (0.5 + 0.3 * (0.1 + 0.9 * length / 2.25));
        let expected = stem * part / (word + stem);
        assert!((f64::from(hit.lexical.unwrap()) - expected).abs() < 1e-6, "{hit:?}");
    }
    let place = engine.find("b", None).unwrap();
    let found = engine.explain("stormtrooper", place, None, None).unwrap().unwrap();
    assert_eq!(found.lexical, hits[0].lexical);
    let [stem] = &found.matches[..] else { panic!("{:?}", found.matches) };
    let term = Term { token: "temp-".to_owned(), probability: 0.5, count: 1 };
    assert_eq!((&stem.token[..], &stem.terms[..]), ("stor-", &[term][..]));
    // Words of the documents' own language stand for themselves, and their stems for theirs.
    let own = engine.explain("orage pluie", 0, None, None).unwrap().unwrap();
    let matches: Vec<_> = own.matches.iter().map(|found| &found.token[..]).collect();
    assert_eq!(matches, ["orage", "orag-", "pluie", "plui-"]);
}

#[test]
fn all_forms_of_a_word_in_a_document_count_as_its_stem() {
    let texts = [("a", "orage, orageux, orages"), ("b", "la tempête")];
    let documents =
        texts.map(|(id, text)| Document { id, language: "fr", text, ..Document::default() });
    let index = Index::build(&stemmed(), documents, Precision::F32).unwrap();
    let mut engine = Engine::new(stemmed()).unwrap();
    engine.add(index).unwrap();
    // N 2, mean length 5/2. The stem's two terms, of probability 1/2, are in one document each.
    let (word, stem) = (idf(2.5 / 0.5), idf(1.5 / 1.5));
    let expected = [("a", 0.5 * 3.0, 3.0), ("b", 0.5, 2.0)].map(|(id, count, length)| {
        let part = count / (count + 0.3 * (0.1 + 0.9 * length / 2.5));
        (id, stem * part / (word + stem))
    });
    let hits = engine.search(search("stormtrooper", None)).unwrap();
    for (hit, (id, lexical)) in hits.iter().zip(expected) {
        assert!(
            hit.id == id && (f64::from(hit.lexical.unwrap()) - lexical).abs() < 1e-6,
            "{hit:?}"
        );
        let place = engine.find(id, None).unwrap();
        let found = engine.explain("stormtrooper", place, None, None).unwrap().unwrap();
        assert_eq!(found.lexical, hit.lexical);
    }
    assert_eq!(hits.len(), 2);
}

#[test]
fn moving_epsilon_ranks_again_and_does_not_look_words_up_again() {
    // Elsewhere the words are those of other documents, whose vectors are as long.
    let here = french_engine(model(), &["orage", "pluie pluie", "orage et pluie"]);
    let elsewhere = french_engine(model(), &["pluie", "orage orage", "orage et pluie"]);
    let at = |epsilon| Search { epsilon: Some(epsilon), ..search("rain storm", None) };
    let mut encoded = here.encode_query("rain storm").unwrap();
    let mut before = Vec::new();
    for epsilon in [0.5, 0.0, 3.0] {
        let again = here.rank(&mut encoded, at(epsilon)).unwrap();
        let mut new = here.encode_query("rain storm").unwrap();
        assert_eq!(here.rank(&mut new, at(epsilon)).unwrap(), again);
        // What was looked up and multiplied here stays, whatever the words are elsewhere.
        assert_eq!(elsewhere.rank(&mut encoded, at(epsilon)).unwrap(), again);
        let mut new = elsewhere.encode_query("rain storm").unwrap();
        assert_ne!(elsewhere.rank(&mut new, at(epsilon)).unwrap(), again);
        assert_eq!(again.len(), 3);
        assert_ne!(again, before);
        before = again;
    }
}

#[test]
fn an_explanation_lists_the_terms_of_each_word_and_its_contributions_sum_to_the_score() {
    let engine = engine_of(model(), &[ALL]);
    for hit in engine.search(search("rain storm storm", None)).unwrap() {
        let place = engine.find(hit.id, None).unwrap();
        let found = engine.explain("rain storm storm", place, None, None).unwrap().unwrap();
        assert_eq!((found.similarity, found.lexical), (hit.similarity, hit.lexical));
        let lexical: f32 = found.matches.iter().map(|found| found.contribution).sum();
        assert!((found.weights[0] * found.similarity + lexical - hit.score).abs() < 1e-6);
        assert!((found.score - hit.score).abs() < 1e-6);
    }
    let found = engine.explain("rain storm", 0, None, None).unwrap().unwrap();
    let storm = &found.matches[1];
    assert_eq!(storm.token, "storm");
    let [Term { token, probability, count: 1 }] = &storm.terms[..] else { panic!("{storm:?}") };
    assert_eq!(token, "orage");
    assert!((probability - 0.75).abs() < 0.01, "{probability}");
}

#[test]
fn the_matches_of_documents_are_those_of_their_explanations() {
    let engine = engine_of(model(), &[ALL]);
    let count = engine.indexes().iter().map(|index| index.len()).sum();
    let places: Vec<usize> = (0..count).collect();
    for query in ["rain storm storm", "rain strom", "orage pluie", "xyzzy", ""] {
        let explained = |&place: &usize| engine.explain(query, place, None, None).unwrap().unwrap();
        let expected: Vec<_> = places.iter().map(|place| explained(place).matches).collect();
        assert_eq!(engine.matches(query, &places).unwrap(), expected, "{query}");
    }
    assert_eq!(engine.matches("rain", &[count, usize::MAX]), Ok(vec![vec![]; 2]));
    assert_eq!(engine.matches("rain", &[]), Ok(vec![]));
}

fn ids<'a>(engine: &'a Engine, query: &'a str) -> Vec<&'a str> {
    let french = Search { language: Some("fr"), ..search(query, None) };
    engine.search(french).unwrap().iter().map(|hit| hit.id).collect()
}

#[test]
fn a_misspelt_word_is_interpreted_as_the_nearest_known_one_and_the_explanation_says_so() {
    let engine = engine_of(model(), &[ALL]);
    let french = |query| Search { language: Some("fr"), ..search(query, None) };
    assert_eq!(found(&engine, french("strom")), found(&engine, french("storm")));
    let explained = engine.explain("rain strom", 0, None, None).unwrap().unwrap();
    let words: Vec<_> =
        explained.query.iter().map(|word| (&word.token[..], word.interpreted.as_deref())).collect();
    assert_eq!(words, [("rain", None), ("strom", Some("storm"))]);
    assert_eq!(explained.matches[1].token, "storm");
    let tokens = engine.tokens("rain strom xyzzy").unwrap();
    let tokens: Vec<_> =
        tokens.iter().map(|of| (&of.token[..], of.known, of.interpreted.as_deref())).collect();
    let expected = [("rain", true, None), ("strom", true, Some("storm")), ("xyzzy", false, None)];
    assert_eq!(tokens, expected);
    // Without translations nothing is corrected.
    let plain = Model { translations: Default::default(), ..model() };
    let plain = engine_of(plain, &[ALL]);
    assert!(ids(&plain, "strom").is_empty());
    assert_eq!(plain.tokens("rian").unwrap()[0].interpreted, None);
}

#[test]
fn words_of_documents_are_glossed_by_their_likeliest_sense() {
    let engine = french_engine(model(), &["pluie"]);
    let glosses = |language, words: &[&str]| {
        engine.gloss(language, &words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>())
    };
    // `orage` and `tempête` are translations of "storm", and have no other.
    let found =
        glosses("fr", &["Orage", "TEMPÊTE", "pluie", "inconnu", "l'orage", "", "orage-pluie"]);
    let expected =
        [Some("storm"), Some("storm"), Some("rain"), None, Some("storm"), None, Some("storm rain")];
    assert_eq!(found, expected.map(|gloss| gloss.map(str::to_owned)));
    // Swahili has no translations here, and German no documents.
    assert_eq!(glosses("sw", &["mvua"]), [None]);
    assert_eq!(glosses("de", &["Regen"]), [None]);
}

#[test]
fn the_spelling_of_a_text_is_not_corrected() {
    let engine = french_engine(model(), &["pluie"]);
    let most = limits::CORRECTED_WORDS;
    for words in [most - 1, most, most + 1] {
        let query = format!("raim{}", " rain".repeat(words - 1));
        let interpreted = &engine.tokens(&query).unwrap()[0].interpreted;
        assert_eq!(interpreted.is_some(), words <= most, "{words}");
    }
}

#[test]
fn a_word_that_a_document_has_is_not_misspelt() {
    let interpreted = |texts: &[&str]| {
        french_engine(model(), texts).tokens("raim").unwrap()[0].interpreted.clone()
    };
    assert_eq!(interpreted(&["pluie"]).as_deref(), Some("rain"));
    assert_eq!(interpreted(&["pluie", "raim"]), None);
}

#[test]
fn words_with_translations_alone_are_known_in_their_language_and_in_no_other() {
    let mut both = model();
    let encoders = [both.query.as_ref().unwrap(), &both.documents["sw"]];
    let entry = Entry { query: "salt", document: "chumvi", strength: 1.0 };
    let [query, document] = encoders.map(|encoder| &encoder.vocabulary);
    let table = Translations::new(&[entry], query, document).unwrap();
    both.translations.insert("sw".into(), Arc::new(table));
    let engine = engine_of(both, &[ALL]);
    let known = |query| -> Vec<bool> {
        engine.tokens(query).unwrap().iter().map(|token| token.known).collect()
    };
    assert_eq!(known("orage pluie tempête"), [true; 3]);
    assert_eq!(known("mvua chumvi tempête"), [true, true, false]);
}

#[test]
fn a_query_is_in_the_language_in_which_its_words_are_far_more_common() {
    // A weight of 1 / (1 + share): "pain" in one English text of 100, in so many French ones.
    let language = |share: f32| {
        let mut model = model();
        let with_weight = |share: f32| {
            let mut encoder = encoder(&["pain"]);
            encoder.weights = Some([1.0 / (1.0 + share)].into());
            encoder
        };
        model.query = Some(with_weight(0.01));
        model.documents = [("fr".to_owned(), with_weight(share))].into();
        let entries = [Entry { query: "pain", document: "douleur", strength: 1.0 }];
        let words = words(&["pain"]);
        let table = Translations::new(&entries, &words, &words).unwrap();
        model.translations = [("fr".to_owned(), Arc::new(table))].into();
        let engine = french_engine(model, &["pain"]);
        engine.explain("pain", 0, None, None).unwrap().unwrap().query_language
    };
    assert_eq!(language(0.25), None);
    assert_eq!(language(0.4).as_deref(), Some("fr"));
}

#[test]
fn an_index_whose_words_were_not_counted_has_scs_alone() {
    let plain = Model { translations: Default::default(), ..model() };
    let index = Index::build(&plain, documents(0..3), Precision::F32).unwrap();
    let mut engine = Engine::new(model()).unwrap();
    engine.add(index).unwrap();
    let hits = found(&engine, search("rain", None));
    let first = 0..3;
    let counted = engine_of(model(), std::slice::from_ref(&first));
    assert_eq!(hits, found(&counted, search("rain", Some(1.0))));
    assert!(hits.iter().all(|(.., lexical)| lexical.is_none()));
}

#[test]
fn a_document_is_found_by_its_id_in_whichever_index() {
    let engine = engine_of(model(), &[0..2, 2..4, 4..5]);
    assert_eq!(engine.find("c", None), Some(2));
    assert_eq!(engine.find("e", Some("fr")), Some(4));
    assert_eq!(engine.find("d", Some("fr")), None);
    assert_eq!(engine.find("x", None), None);
}

#[test]
fn a_language_without_documents_and_a_query_without_end_are_refused() {
    let engine = engine_of(model(), &[ALL]);
    let german = Search { language: Some("de"), ..search("rain", None) };
    let error = engine.search(german).unwrap_err();
    let expected = "no documents in `de` are loaded; loaded: fr, sw";
    assert_eq!((error.code(), &*error.to_string()), ("unknown-language", expected));
    let longest = "a".repeat(limits::QUERY_BYTES);
    assert!(engine.search(search(&longest, None)).is_ok());
    let longer = longest + "a";
    assert_eq!(engine.search(search(&longer, None)).unwrap_err().code(), "query-too-long");
}

#[test]
fn a_query_in_the_documents_language_is_read_by_their_side_and_not_translated() {
    let engine = engine_of(model(), &[ALL]);
    let explained = engine.explain("orage pluie", 0, None, None).unwrap().unwrap();
    assert_eq!(explained.query_language.as_deref(), Some("fr"));
    // The same words by the same encoder have the same vector.
    assert!((explained.query_norm - explained.document_norm).abs() < 1e-6);
    assert_eq!(explained.matches.len(), 2);
    assert_eq!(ids(&engine, "orage pluie")[0], "a");
    // A word that has translations, though no row, tells a language too.
    let explained = engine.explain("tempête", 1, None, None).unwrap().unwrap();
    assert_eq!(explained.query_language.as_deref(), Some("fr"));
    // Encoders that are not loaded read nothing.
    let alone = Model { documents: Default::default(), ..model() };
    let engine = Engine::new(alone).unwrap();
    assert!(engine.encode_query("orage pluie").unwrap().query().is_none());
    let explained = engine_of(model(), &[ALL]).explain("rain", 0, None, None).unwrap().unwrap();
    assert_eq!(explained.query_language, None);
}

#[test]
fn a_word_of_another_language_in_a_query_is_read_by_the_side_that_has_it() {
    let engine = engine_of(model(), &[ALL]);
    let explained = |query| engine.explain(query, 0, None, None).unwrap().unwrap();
    let (mixed, alone) = (explained("rain salt orage"), explained("rain salt"));
    assert_eq!(mixed.query_language, None);
    assert!(mixed.query.iter().all(|word| word.contribution.is_some()));
    // "orage" has the row (1, 0), as "rain": (2, 1) / 3 before tanh instead of (1, 1) / 2.
    let expected = libm::hypot(libm::tanh(2.0 / 3.0), libm::tanh(1.0 / 3.0));
    assert!((f64::from(mixed.query_norm) - expected).abs() < 1e-3, "{}", mixed.query_norm);
    assert!(mixed.query_norm != alone.query_norm);
}

#[test]
fn documents_in_the_language_of_queries_are_matched_with_the_words_themselves() {
    let mut engine = engine_of(stemmed(), &[0..2, 2..5]);
    let mut batch = engine.start_user_documents("en").unwrap();
    for (id, text) in [("x", "rain and storms"), ("y", "salt on bread"), ("z", "the sun")] {
        batch.push(&Document { id, text, ..Document::default() }).unwrap();
    }
    engine.add_user_documents(batch).unwrap();
    // The stem of a word finds another form of it, and a word that the model does not know finds itself.
    for (query, id) in [("storm", "x"), ("bread", "y"), ("rain", "x")] {
        let search = Search { language: Some("en"), ..search(query, None) };
        let hits = engine.search(search).unwrap();
        let (first, lexical) = (&hits[0], hits[0].lexical.unwrap());
        assert_eq!(first.id, id, "{query}");
        assert!(lexical > 0.0, "{query}");
        assert_eq!(first.score, 0.25 * first.similarity + 0.5 * lexical);
        let place = engine.find(id, Some("en")).unwrap();
        let why = engine.explain(query, place, None, None).unwrap().unwrap();
        assert_eq!((why.score, why.weights), (first.score, [0.25, 0.5]));
        assert!(!why.matches.is_empty());
        assert_eq!(engine.matches(query, &[place]).unwrap(), [why.matches]);
    }
    // They are read back from their file alike.
    let index = engine.user_documents().unwrap().unwrap();
    let read = Index::read(&index.write()).unwrap();
    assert_eq!(read.write(), index.write());
}

#[test]
fn shares_out_of_range_are_refused() {
    let engine = engine_of(model(), &[ALL]);
    for dense in [-0.1, 1.1, f32::NAN] {
        assert_eq!(engine.search(search("rain", Some(dense))).unwrap_err().code(), "dense");
        assert_eq!(engine.explain("rain", 0, None, Some(dense)).unwrap_err().code(), "dense");
    }
}

#[test]
fn broken_lists_are_refused_with_their_place() {
    let index = Index::build(&model(), documents(0..5), Precision::F32).unwrap().write();
    let model = model().write(Precision::F32);
    type Change = fn(&mut Vec<u8>);
    let changes: [Change; 4] = [
        |bytes| bytes.truncate(bytes.len() - 1),
        |bytes| bytes[0] = 0xff,
        |bytes| bytes.push(7),
        |bytes| bytes.clear(),
    ];
    for change in changes {
        let file = with_tensor(&index, "lists.fr", change);
        let error = Index::read(&file).unwrap_err().to_string();
        assert!(error.contains("lists.fr"), "{error}");
        let file = with_tensor(&model, "translation.fr.lists", change);
        let error = Model::read(&file).unwrap_err().to_string();
        assert!(error.contains("translation.fr.lists"), "{error}");
    }
    // "pluie" in documents 0 and 2, "vent" in 0: how many documents, then for each four times the step to it, and 0 to 2 more for a count
    // of 1 to 3, or 3 more where the count follows.
    let texts = [("fr", "pluie vent"), ("sw", "mvua"), ("fr", "pluie")];
    let documents =
        texts.map(|(language, text)| Document { id: text, language, text, ..Document::default() });
    let index = Index::build(&self::model(), documents, Precision::F32).unwrap();
    let with_lists = |lists: &[u8]| {
        Index::read(&with_tensor(&index.write(), "lists.fr", |all| *all = lists.to_vec()))
    };
    assert!(with_lists(&[2, 0, 8, 1, 0]).is_ok());
    for (what, lists) in [
        ("a term without documents", &[0, 2, 0, 8][..]),
        ("a document twice", &[2, 0, 0, 1, 0]),
        ("a document of another language", &[2, 0, 4, 1, 0]),
        ("a document that is not there", &[2, 0, 12, 1, 0]),
        ("a count of none", &[2, 1, 11, 0, 1, 0]),
        ("a count that is not there", &[2, 0, 8, 1, 3]),
        ("more words than there are", &[2, 0, 9, 1, 0]),
    ] {
        let error = with_lists(lists).err().unwrap_or_else(|| panic!("{what} is accepted"));
        assert!(error.to_string().contains("lists.fr"), "{what}: {error}");
    }
    // The translations of "rain", "salt" and "storm": how many, then for each the step to it and the
    // strength. "orage" is 0, "pluie" 1, "tempête" 2.
    let with_lists = |lists: &[u8]| {
        Model::read(&with_tensor(&model, "translation.fr.lists", |all| *all = lists.to_vec()))
    };
    assert!(with_lists(&[1, 1, 255, 0, 2, 0, 237, 2, 166]).is_ok());
    for (what, lists) in [
        ("a translation twice", &[1, 1, 255, 0, 2, 0, 237, 0, 166][..]),
        ("a translation that is not there", &[1, 3, 255, 0, 2, 0, 237, 2, 166]),
    ] {
        let error = with_lists(lists).err().unwrap_or_else(|| panic!("{what} is accepted"));
        assert!(error.to_string().contains("translation.fr.lists"), "{what}: {error}");
    }
    let model = stemmed().write(Precision::F32);
    let ends: [Change; 3] = [|bytes| bytes[1] = 2, |bytes| bytes.push(0), |bytes| bytes.clear()];
    for (name, changes) in
        [("translation.fr.stem.lists", &changes[..]), ("translation.fr.ends", &ends[..])]
    {
        for change in changes {
            let error = Model::read(&with_tensor(&model, name, change)).unwrap_err().to_string();
            assert!(error.contains(name), "{error}");
        }
    }
}

#[test]
fn an_index_of_one_of_a_models_languages_is_read_back() {
    // The model has translations of French, and these documents are Swahili.
    for part in [3..4, 0..2] {
        let index = Index::build(&model(), documents(part), Precision::F32).unwrap();
        assert_eq!(Index::read(&index.write()).unwrap(), index);
    }
}

#[test]
fn words_of_languages_in_any_order_are_read_back() {
    let mut both = model();
    let table = Translations::new(&[], &words(&["rain", "salt"]), &words(&["chumvi", "mvua"]));
    both.translations.insert("sw".into(), Arc::new(table.unwrap()));
    for order in [[3, 0], [0, 3]] {
        let documents = order.into_iter().flat_map(|at| documents(at..at + 1));
        let index = Index::build(&both, documents, Precision::F32).unwrap();
        assert_eq!(Index::read(&index.write()).unwrap(), index);
    }
}

#[test]
fn a_language_taken_away_leaves_what_never_having_it_gives_and_can_come_back() {
    let [french, swahili] = [0..3, 3..4];
    let engine_with = |languages: &[&str], parts: &[std::ops::Range<usize>]| {
        let mut few = model();
        few.documents.retain(|language, _| languages.contains(&&language[..]));
        few.translations.retain(|language, _| languages.contains(&&language[..]));
        let mut engine = Engine::new(few).unwrap();
        for part in parts {
            engine
                .add(Index::build(&model(), documents(part.clone()), Precision::F32).unwrap())
                .unwrap();
        }
        engine
    };
    let both = || engine_of(model(), &[french.clone(), swahili.clone(), 4..5]);
    let found = |engine: &Engine| {
        ["storm", "rain mvua", "pluie"].map(|query| found(engine, search(query, None)))
    };
    for (language, gone, left, parts) in [
        ("fr", vec![0, 2], "sw", vec![swahili.clone()]),
        ("sw", vec![1], "fr", vec![french.clone(), 4..5]),
    ] {
        let mut engine = both();
        assert_eq!(engine.remove_language(language).unwrap(), gone);
        assert_eq!(found(&engine), found(&engine_with(&[left], &parts)), "without {language}");
        assert_eq!(engine.languages(), [left]);
        assert!(engine.model().translations.keys().all(|of| of == left));
    }
    // An encoder without documents.
    assert_eq!(engine_with(&["fr", "sw"], &[]).remove_language("sw").unwrap(), [0; 0]);
    let mut engine = both();
    engine.remove_language("sw").unwrap();
    let mut addition = model();
    addition.query = None;
    addition.documents.remove("fr");
    addition.translations.clear();
    engine.add_encoders(addition).unwrap();
    engine
        .add(Index::build(&model(), documents(swahili.clone()), Precision::F32).unwrap())
        .unwrap();
    assert_eq!(found(&engine), found(&engine_of(model(), &[french, 4..5, swahili])));
}

#[test]
fn a_language_that_shares_its_index_or_is_not_there_is_refused_and_nothing_changes() {
    let mut engine = engine_of(model(), &[ALL]);
    let before = found(&engine, search("storm", None));
    let error = engine.remove_language("sw").unwrap_err();
    let expected =
        "documents in `sw` share an index with other languages and cannot be removed alone";
    assert_eq!((error.code(), &*error.to_string()), ("shared-index", expected));
    let error = engine.remove_language("de").unwrap_err();
    assert_eq!((error.code(), found(&engine, search("storm", None))), ("unknown-language", before));
}

#[test]
fn sides_with_translations_of_other_words_are_refused_and_nothing_changes() {
    let mut few = model();
    few.documents.remove("fr");
    few.translations.clear();
    let mut engine = Engine::new(few.clone()).unwrap();
    let mut addition = model();
    addition.query = None;
    addition.documents.remove("sw");
    let entry = Entry { query: "sun", document: "soleil", strength: 1.0 };
    let table = Translations::new(&[entry], &words(&["rain"]), &words(&["pluie"])).unwrap();
    addition.translations.insert("fr".into(), Arc::new(table));
    assert_eq!(engine.add_encoders(addition.clone()).unwrap_err().code(), "tensor-shape");
    let mut all = few.clone();
    assert_eq!(all.join(addition).unwrap_err().code(), "tensor-shape");
    assert_eq!(all, few);
    assert!(engine.model().documents.keys().eq(["sw"]) && engine.model().translations.is_empty());
}

#[test]
fn an_index_joined_of_parts_is_the_one_that_is_built_of_all() {
    let fields = [("topic".to_owned(), "rain".to_owned()), ("topic".to_owned(), "sea".to_owned())];
    let built = |range: std::ops::Range<usize>, precision| {
        let with_field = |(at, document): (usize, Document<'static>)| {
            let fields = if at.is_multiple_of(2) { &fields[..] } else { &[] };
            Document { fields, ..document }
        };
        let all = documents(ALL).enumerate().map(with_field);
        let some = all.skip(range.start).take(range.len());
        Index::build(&model(), some, precision).unwrap()
    };
    for precision in [Precision::F32, Precision::I8] {
        let whole = built(ALL, precision);
        let parts = [0..1, 1..3, 3..TEXTS.len()].map(|part| built(part, precision));
        let joined = Index::joined(&parts.each_ref()).unwrap();
        assert_eq!(joined.write(), whole.write());
        assert_eq!(joined.write_parts(2), whole.write_parts(2));
    }
    let refused = |parts: &[&Index]| Index::joined(parts).unwrap_err().code();
    let (plain, rounded) = (built(0..1, Precision::F32), built(1..2, Precision::I8));
    assert_eq!(refused(&[&plain, &rounded]), "mismatch");
    let mut other = built(1..2, Precision::F32);
    other.model = "another".into();
    assert_eq!(refused(&[&plain, &other]), "mismatch");
    let without_texts = Index::read(&plain.write_parts(1)[0].1).unwrap();
    assert_eq!(refused(&[&plain, &without_texts]), "missing-texts");
    assert_eq!(refused(&[]), "mismatch");
}
