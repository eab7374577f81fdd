//! An unknown word -> the known words that it is made of, with affixes before, between and after them.
//!
//! German "krankenversicherung" is made of "kranken" and "versicherung", and Arabic "والكتاب" of the affix "وال" and "كتاب".
//! No rule of any language is here: affixes are found in a language's vocabulary, where a model is trained.
//!
//! Affixes are written with hyphens where the rest of the word stands: `wa-` begins a word, `-ni` ends one and `-s-` links two
//! known words; `--` says that two may follow each other.

use crate::text::vocabulary::Vocabulary;

/// Letters of the shortest part.
pub const LEAST: usize = 3;
/// Letters of the longest word that has parts.
const MOST: usize = 40;
/// A part costs more than an affix.
const PART: usize = 2;

/// The cheapest division of the beginning of a word.
#[derive(Clone, Copy)]
struct Way {
    cost: usize,
    /// The first letter of its last part.
    part: usize,
    /// Where the part before it ends.
    before: usize,
}

/// The known words that a word is made of, in order: as few as possible, with as few affixes as possible between them; of
/// equal divisions, the one whose last part is the longest. None for a known word, for one with a digit, for a very long one,
/// and where there is no division.
pub fn parts<'a>(token: &'a str, words: &Vocabulary, affixes: &Vocabulary) -> Vec<&'a str> {
    // Where each letter begins, and where the last ends.
    let starts = token.char_indices().map(|(at, _)| at).chain([token.len()]);
    let starts: Vec<usize> = starts.take(MOST + 2).collect();
    let letters = starts.len() - 1;
    if letters > MOST || words.row(token).is_some() || token.contains(char::is_numeric) {
        return Vec::new();
    }
    let mut ways: Vec<Option<Way>> = vec![None; letters + 1];
    ways[0] = Some(Way { cost: 0, part: 0, before: 0 });
    let mut best: Option<(usize, usize)> = None;
    for from in 0..letters {
        let Some(way) = ways[from] else { continue };
        let rest = &token[starts[from]..];
        let mut go_on = |affix: &str| {
            let part = from + affix.chars().count();
            let cost = way.cost + PART + usize::from(!affix.is_empty());
            for end in part + LEAST..=letters {
                let is_cheaper = ways[end].is_none_or(|other| cost < other.cost);
                if is_cheaper && words.row(&token[starts[part]..starts[end]]).is_some() {
                    ways[end] = Some(Way { cost, part, before: from });
                }
            }
        };
        if from == 0 {
            go_on("");
        }
        for row in 0..affixes.len() {
            let written = affixes.token(row);
            let affix = written.trim_matches('-');
            let is_after = written.starts_with('-');
            if is_after == (from > 0) && rest.starts_with(affix) {
                if written.ends_with('-') {
                    go_on(affix);
                } else if affix == rest && best.is_none_or(|(cost, _)| way.cost + 1 < cost) {
                    best = Some((way.cost + 1, from));
                }
            }
        }
    }
    if let Some(way) = ways[letters]
        && best.is_none_or(|(cost, _)| way.cost <= cost)
    {
        best = Some((way.cost, letters));
    }
    let mut end = best.map_or(0, |(_, end)| end);
    let mut parts = Vec::new();
    while let Some(way) = ways[end].filter(|_| end > 0) {
        parts.push(&token[starts[way.part]..starts[end]]);
        end = way.before;
    }
    parts.reverse();
    parts
}

/// The base of an unknown word: the known word that it is made of with affixes alone.
pub fn base<'a>(token: &'a str, words: &Vocabulary, affixes: &Vocabulary) -> Option<&'a str> {
    match parts(token, words, affixes)[..] {
        [base] => Some(base),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts_of<'a>(token: &'a str, words: &[&str], affixes: &[&str]) -> Vec<&'a str> {
        let vocabulary = |tokens: &[&str]| Vocabulary::from_tokens(tokens.iter().copied()).unwrap();
        parts(token, &vocabulary(words), &vocabulary(affixes))
    }

    #[test]
    fn a_compound_is_divided_into_known_words_with_links_between_them() {
        let words = [
            "arbeit",
            "geber",
            "haus",
            "kranken",
            "kunst",
            "luft",
            "nacht",
            "versicherung",
            "wetter",
        ];
        let of = |token| parts_of(token, &words, &["--", "-s-", "-en"]);
        assert_eq!(of("krankenversicherung"), ["kranken", "versicherung"]);
        assert_eq!(of("arbeitsnachtwetter"), ["arbeit", "nacht", "wetter"]);
        assert_eq!(of("kunsthausversicherungen"), ["kunst", "haus", "versicherung"]);
        // Known, one letter left over, a digit, an affix that may not stand there.
        for whole in ["versicherung", "luftxhaus", "haus2kunst", "shaus", "hausenluft", ""] {
            assert!(of(whole).is_empty(), "{whole}");
        }
        // Where words do not follow each other in a language, they are no parts.
        assert!(parts_of("krankenversicherung", &words, &["-en"]).is_empty());
    }

    #[test]
    fn affixes_stand_before_and_after_words_of_any_script() {
        let arabic = |token| parts_of(token, &["كتاب", "بيت"], &["وال-", "ال-", "-نا"]);
        assert_eq!(arabic("والكتاب"), ["كتاب"]);
        assert_eq!(arabic("البيت"), ["بيت"]);
        assert_eq!(arabic("بيتنا"), ["بيت"]);
        assert_eq!(parts_of("nyumbani", &["nyumba"], &["-ni", "ki-"]), ["nyumba"]);
        assert_eq!(parts_of("kitabuni", &["tabu"], &["-ni", "ki-"]), ["tabu"]);
    }

    #[test]
    fn few_parts_come_before_many_and_a_long_last_one_before_a_short_one() {
        let words = ["bau", "baum", "haus", "schule", "mhaus", "baumschule"];
        let of = |token| parts_of(token, &words, &["--", "-s-"]);
        assert_eq!(of("baumschulehaus"), ["baumschule", "haus"]);
        assert_eq!(of("baumhaus"), ["bau", "mhaus"]);
    }

    #[test]
    fn a_very_long_word_has_no_parts_and_takes_no_time() {
        let long = |times: usize| "haus".repeat(times);
        assert_eq!(parts_of(&long(10), &["haus"], &["--"]).len(), 10);
        assert!(parts_of(&long(11), &["haus"], &["--"]).is_empty());
        assert!(parts_of(&long(25_000_000), &["haus"], &["--"]).is_empty());
    }
}
