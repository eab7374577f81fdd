use std::convert::Infallible;

use super::*;

const PLAIN: Settings = Settings {
    rounds: 1,
    tension: 0.0,
    prior: 0.0,
    null: 0.0,
    least_texts: 1,
    most_pairs: usize::MAX,
    most_cells: 0,
};

/// Of texts that come seven at a time.
fn translations(texts: &[[&[u32]; 2]], settings: &Settings) -> Vec<Translation> {
    let each = |take: Take<'_>| -> Result<(), Infallible> {
        texts.chunks(7).for_each(take);
        Ok(())
    };
    super::translations(each, settings).unwrap()
}

fn assert_close(found: f64, expected: f64, within: f64) {
    assert!((found - expected).abs() <= within, "{found}, not {expected}");
}

/// P(target | source), 0 if they never stand together.
fn there(translations: &[Translation], source: u32, target: u32) -> f64 {
    let found = translations.iter().find(|x| (x.source, x.target) == (source, target));
    found.map_or(0.0, |x| x.there)
}

/// 300 pairs of texts of up to 9 words, some empty, of 40 words a side.
fn drawn() -> Vec<[Vec<u32>; 2]> {
    let mut state = 1u32;
    let mut draw = |below: u32| {
        state = state.wrapping_mul(1664525).wrapping_add(1013904223);
        (state >> 16) % below
    };
    let mut text = || (0..draw(10)).map(|_| draw(40)).collect();
    (0..300).map(|_| [text(), text()]).collect()
}

fn slices(texts: &[[Vec<u32>; 2]]) -> Vec<[&[u32]; 2]> {
    texts.iter().map(|[source, target]| [&source[..], &target[..]]).collect()
}

#[test]
fn the_textbooks_three_phrases_give_the_textbooks_probabilities() {
    // Koehn (2010), Statistical Machine Translation, figure 4.4.
    let [das, haus, buch, ein] = [0, 1, 2, 3];
    let [the, house, book, a] = [0, 1, 2, 3];
    let texts: [[&[u32]; 2]; 3] =
        [[&[das, haus], &[the, house]], [&[das, buch], &[the, book]], [&[ein, buch], &[a, book]]];
    let figure = [
        (das, the, [0.25, 0.5, 0.6364, 0.7479]),
        (das, book, [0.25, 0.25, 0.1818, 0.1208]),
        (das, house, [0.25, 0.25, 0.1818, 0.1313]),
        (buch, the, [0.25, 0.25, 0.1818, 0.1208]),
        (buch, book, [0.25, 0.5, 0.6364, 0.7479]),
        (buch, a, [0.25, 0.25, 0.1818, 0.1313]),
        (ein, book, [0.25, 0.5, 0.4286, 0.3466]),
        (ein, a, [0.25, 0.5, 0.5714, 0.6534]),
        (haus, the, [0.25, 0.5, 0.4286, 0.3466]),
        (haus, house, [0.25, 0.5, 0.5714, 0.6534]),
    ];
    for rounds in 1..=3 {
        let found = translations(&texts, &Settings { rounds, ..PLAIN });
        assert_eq!(found.len(), figure.len());
        for (source, target, expected) in figure {
            assert_close(there(&found, source, target), expected[rounds], 5e-5);
        }
    }
}

#[test]
fn the_empty_word_takes_what_stands_everywhere() {
    let texts: [[&[u32]; 2]; 2] = [[&[0], &[0, 1]], [&[1], &[2, 1]]];
    let halves = Settings { null: 0.5, ..PLAIN };
    // First all are halved, and the empty word makes 0, 1 and 2 with 1/4, 1/2 and 1/4. Then the
    // first word makes 0 with (1/2) / (1/2 + 1/4) and 1 with (1/2) / (1/2 + 1/2).
    assert_close(there(&translations(&texts, &halves), 0, 0), 0.5, 1e-15);
    let found = translations(&texts, &Settings { rounds: 2, ..halves });
    assert_close(there(&found, 0, 0), 4.0 / 7.0, 1e-15);
    assert_close(there(&found, 0, 1), 3.0 / 7.0, 1e-15);
}

#[test]
fn alignments_are_drawn_to_the_diagonal() {
    // A repeated word, at 1/6 and 5/6, and another at 1/2: one word away halves the weight.
    let texts: [[&[u32]; 2]; 2] = [[&[0, 1, 0], &[0, 1, 2]], [&[0, 1, 0], &[3]]];
    let found = translations(&texts, &Settings { tension: 3.0 * libm::log(2.0), ..PLAIN });
    // The repeated word makes 0 and 2 with (1 + 1/4) / (7/4), 1 and 3, which stand in the middle,
    // with (1/2 + 1/2) / 2; the other makes the rest.
    for (target, expected) in (0..).zip([10.0, 7.0, 10.0, 7.0]) {
        assert_close(there(&found, 0, target), expected / 34.0, 1e-15);
    }
    for (target, expected) in (0..).zip([4.0, 7.0, 4.0, 7.0]) {
        assert_close(there(&found, 1, target), expected / 22.0, 1e-15);
    }
}

#[test]
fn a_prior_of_one_half_by_hand() {
    // First, word 0 is counted 1/2 times with 0 and once with 1, word 1 half a time with 0. Then
    // with r = exp(digamma(1) - digamma(5/2)) and 1, word 0 is counted r / (1 + r) = 0.2175 times
    // with 0; exp(digamma(0.7175)) and exp(digamma(3/2)) are normalised.
    let texts: [[&[u32]; 2]; 2] = [[&[0, 1], &[0]], [&[0], &[1]]];
    let found = translations(&texts, &Settings { rounds: 2, prior: 0.5, ..PLAIN });
    assert_close(there(&found, 0, 0), 0.230069948106095, 1e-13);
    assert_eq!(there(&found, 1, 0), 1.0);
}

#[test]
fn every_words_translations_sum_to_one() {
    let texts = drawn();
    let found = translations(&slices(&texts), &Settings::default());
    let sorted = |x: &[Translation]| (x[0].source, x[0].target) < (x[1].source, x[1].target);
    assert!(found.windows(2).all(sorted));
    let (mut there, mut back) = ([0.0; 40], [0.0; 40]);
    for x in &found {
        there[x.source as usize] += x.there;
        back[x.target as usize] += x.back;
    }
    for sum in there.into_iter().chain(back) {
        assert_close(sum, 1.0, 1e-12);
    }
}

#[test]
fn texts_swapped_swap_the_directions() {
    let texts = drawn();
    let swapped: Vec<_> = slices(&texts).iter().map(|&[source, target]| [target, source]).collect();
    let swap = |x: Translation| Translation {
        source: x.target,
        target: x.source,
        there: x.back,
        back: x.there,
    };
    let settings = Settings::default();
    let mut found: Vec<_> = translations(&swapped, &settings).into_iter().map(swap).collect();
    found.sort_by_key(|x| (x.source, x.target));
    assert_eq!(found, translations(&slices(&texts), &settings));
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let texts = drawn();
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let found = pool.install(|| translations(&slices(&texts), &Settings::default()));
        let bits = |x: Translation| [x.there.to_bits(), x.back.to_bits()];
        found.into_iter().map(bits).collect::<Vec<_>>()
    };
    assert_eq!(on(1), on(4));
}

#[test]
fn places_kept_and_places_found_anew_give_the_same_bits() {
    let texts = drawn();
    let found =
        |most_cells| translations(&slices(&texts), &Settings { most_cells, ..Settings::default() });
    assert_eq!(found(0), found(usize::MAX));
}

#[test]
fn of_too_many_pairs_of_words_those_seen_least_are_left_out() {
    // 0 stands with 0 and with 1 three times, 1 with 1 twice, all others once.
    let texts: [[&[u32]; 2]; 4] =
        [[&[0], &[0, 1]], [&[0, 1], &[1]], [&[0], &[0]], [&[0, 1, 2], &[0, 1]]];
    let found = |most_pairs| {
        let found = translations(&texts, &Settings { most_pairs, ..PLAIN });
        found.iter().map(|x| (x.source, x.target)).collect::<Vec<_>>()
    };
    assert_eq!(found(6), [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1)]);
    assert_eq!(found(5), [(0, 0), (0, 1)]);
    let found = translations(&texts, &Settings { most_pairs: 5, rounds: 3, ..PLAIN });
    assert_close(there(&found, 0, 0) + there(&found, 0, 1), 1.0, 1e-15);
}

#[test]
fn translations_of_one_text_are_left_out_unless_it_is_as_short_as_an_entry_of_a_lexicon() {
    // 0 and 0 stand together in two texts, twice in each; 9 and 9 in a short one; all others in one long text.
    let texts: [[&[u32]; 2]; 3] =
        [[&[0, 0, 1, 2], &[0, 0, 1]], [&[0, 3, 4, 5], &[0, 0, 2]], [&[9, 8], &[9]]];
    let found = |least_texts| {
        let found = translations(&texts, &Settings { least_texts, ..PLAIN });
        found.iter().map(|x| (x.source, x.target)).collect::<Vec<_>>()
    };
    assert_eq!(found(2), [(0, 0), (8, 9), (9, 9)]);
    assert_eq!(found(1).len(), 15);
    assert_eq!(found(3), []);
}

#[test]
fn both_directions_meet_in_their_geometric_mean() {
    let translation = Translation { source: 3, target: 4, there: 0.5, back: 0.125 };
    assert_eq!(translation.symmetric(), 0.25);
}

#[test]
fn empty_texts_give_nothing() {
    assert_eq!(translations(&[], &Settings::default()), []);
    assert_eq!(translations(&[[&[], &[1]], [&[1], &[]], [&[], &[]]], &Settings::default()), []);
    let found = translations(&[[&[], &[1]], [&[1], &[2]]], &Settings::default());
    assert_eq!(found, [Translation { source: 1, target: 2, there: 1.0, back: 1.0 }]);
}
