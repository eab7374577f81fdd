//! An unknown word -> the nearest known spelling.

use crate::text::vocabulary::Vocabulary;

/// Characters of the shortest word that may be another with a letter wrong.
const SHORTEST: usize = 4;
/// Characters of the shortest word that may have two letters wrong.
const LONG: usize = 8;

/// Of words that sound alike, the most letters that only one of them has: `fotograf` and `photograph`.
const SOUND_DIFFERS: usize = 4;

/// Of words that sound alike, the most letters that one has more: `aaaa` is no way to write `a`.
const SOUND_LONGER: usize = 2;

/// Known words, and the weight that each has in the mean of a text: the less, the more common. Of
/// words without weights none is as common as those with them.
pub type Known<'a> = (&'a Vocabulary, Option<&'a [f32]>);

/// How near a known word is, smaller is nearer: its distance, whether it sounds different, whether it begins with another
/// letter, its weight.
type Rank = (usize, bool, bool, f32);

/// The known word with the fewest letters changed, added, left out or swapped with their neighbour
/// (optimal string alignment): one, or two of eight and more. A word that sounds alike (see `Sound`) is
/// one letter away, whatever its letters. Among equally near words, one that sounds alike is preferred, then one with the
/// same first letter, then the most common, then the first. `None` where there is none, for short words and for
/// words with digits.
pub fn nearest<'a>(token: &str, known: &[Known<'a>]) -> Option<&'a str> {
    let letters: Vec<char> = token.chars().collect();
    if letters.len() < SHORTEST || letters.iter().any(|letter| letter.is_numeric()) {
        return None;
    }
    let most = if letters.len() < LONG { 1 } else { 2 };
    let mask = mask(token);
    let (mut other, mut rows) = (Vec::new(), [const { Vec::new() }; 3]);
    let mut best: Option<(Rank, &str)> = None;
    for &(vocabulary, weights) in known {
        for row in 0..vocabulary.len() {
            let word = vocabulary.token(row);
            // A letter changed is one fewer and one more; of words that sound alike a few more differ.
            let differ = (mask ^ self::mask(word)).count_ones() as usize;
            if differ > (2 * most).max(SOUND_DIFFERS) {
                continue;
            }
            other.clear();
            other.extend(word.chars());
            let longer = other.len().abs_diff(letters.len());
            let sounds_alike = longer <= SOUND_LONGER && Sound::of(token).eq(Sound::of(word));
            let is_far = differ > 2 * most || longer > most;
            let distance = if sounds_alike {
                1
            } else if is_far {
                continue;
            } else {
                distance(&letters, &other, &mut rows)
            };
            if distance > most {
                continue;
            }
            let weight = weights.map_or(f32::INFINITY, |weights| weights[row]);
            let found: Rank = (distance, !sounds_alike, other.first() != letters.first(), weight);
            if best.as_ref().is_none_or(|(best, _)| found < *best) {
                best = Some((found, word));
            }
        }
    }
    best.map(|(_, word)| word)
}

/// The letters by which words are told to sound alike, roughly as in English: `elefant` as `elephant`, `fotograf` as
/// `photograph`, `adress` as `address`.
struct Sound<'a> {
    letters: std::iter::Peekable<std::str::Chars<'a>>,
    last: Option<char>,
}

impl<'a> Sound<'a> {
    fn of(word: &'a str) -> Self {
        Self { letters: word.chars().peekable(), last: None }
    }
}

impl Iterator for Sound<'_> {
    type Item = char;

    fn next(&mut self) -> Option<char> {
        loop {
            let letter = self.letters.next()?;
            let next = self.letters.peek().copied();
            let sound = match (letter, next) {
                ('p', Some('h')) => {
                    self.letters.next();
                    'f'
                }
                ('c', Some('e' | 'i' | 'y')) => 's',
                ('c', Some('h')) => 'c',
                ('c' | 'q', _) => 'k',
                ('z', _) => 's',
                ('y', _) => 'i',
                _ => letter,
            };
            // Doubled letters sound like one, and `ck` like `k`.
            if self.last != Some(sound) {
                self.last = Some(sound);
                return Some(sound);
            }
        }
    }
}

/// Which letters a word has, as far as 32 bits tell them apart.
fn mask(word: &str) -> u32 {
    word.chars().fold(0, |mask, letter| mask | 1 << (letter as u32 % 32))
}

/// The number of letters to change, add, leave out or swap with their neighbour to make one word of another
/// (optimal string alignment).
pub(crate) fn edits(a: &str, b: &str) -> usize {
    let [a, b] = [a, b].map(|word| word.chars().collect::<Vec<_>>());
    distance(&a, &b, &mut [const { Vec::new() }; 3])
}

/// Optimal string alignment distance. `rows` is what it works in.
fn distance(a: &[char], b: &[char], rows: &mut [Vec<usize>; 3]) -> usize {
    for row in rows.iter_mut() {
        row.clear();
        row.extend(0..=b.len());
    }
    let [before_last, last, row] = rows;
    for i in 0..a.len() {
        row[0] = i + 1;
        for j in 0..b.len() {
            let changed = last[j] + usize::from(a[i] != b[j]);
            row[j + 1] = changed.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
                row[j + 1] = row[j + 1].min(before_last[j - 1] + 1);
            }
        }
        std::mem::swap(before_last, last);
        std::mem::swap(last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(tokens: &[&str]) -> Vocabulary {
        Vocabulary::from_tokens(tokens.iter().copied()).unwrap()
    }

    #[test]
    fn a_letter_changed_added_left_out_or_two_swapped_is_one_step() {
        let steps = |a: &str, b: &str| {
            let letters = |word: &str| word.chars().collect::<Vec<_>>();
            distance(&letters(a), &letters(b), &mut [const { Vec::new() }; 3])
        };
        // Wagner and Fischer's, Damerau's and Boytsov's examples.
        for (a, b, expected) in [
            ("kitten", "sitting", 3),
            ("saturday", "sunday", 3),
            ("été", "ete", 2),
            ("ca", "abc", 3),
            ("form", "from", 1),
            ("rain", "rain", 0),
            ("", "rain", 4),
        ] {
            assert_eq!((steps(a, b), steps(b, a)), (expected, expected), "{a} {b}");
        }
    }

    #[test]
    fn the_nearest_word_is_taken_then_one_that_begins_alike_then_the_most_common() {
        let common = words(&["calendar", "cat", "horse", "house", "mouse", "under"]);
        let rare = words(&["thunder", "tuberculosis"]);
        let weights = [0.9, 0.9, 0.7, 0.2, 0.1, 0.1];
        let known = [(&common, Some(&weights[..])), (&rare, None)];
        for (typed, expected) in [
            ("calender", Some("calendar")),
            ("tuberculoses", Some("tuberculosis")),
            ("hourse", Some("house")),
            ("tunder", Some("thunder")),
            ("ct", None),
            ("hous3", None),
            ("kalendir", Some("calendar")),
            ("mise", None),
            ("", None),
        ] {
            assert_eq!(nearest(typed, &known), expected, "{typed}");
        }
    }

    #[test]
    fn a_word_that_sounds_alike_is_nearer_than_one_with_a_letter_changed() {
        // `elegant` is the more common, and as near by letters as a word can be.
        let known = words(&["chorus", "elegant", "elephant", "photograph", "process", "rhythm"]);
        let weights = [0.5, 0.1, 0.9, 0.5, 0.5, 0.5];
        let known = [(&known, Some(&weights[..]))];
        for (typed, expected) in [
            ("elefant", Some("elephant")),
            ("elefent", None),
            ("fotograf", Some("photograph")),
            ("prosess", Some("process")),
            ("chorrus", Some("chorus")),
            ("rythm", Some("rhythm")),
            ("proccesssss", None),
        ] {
            assert_eq!(nearest(typed, &known), expected, "{typed}");
        }
    }

    #[test]
    fn words_of_four_letters_are_the_shortest_that_may_be_meant_otherwise() {
        let known = words(&["rain", "sun"]);
        let known = [(&known, None)];
        assert_eq!(nearest("raim", &known), Some("rain"));
        assert_eq!(nearest("sum", &known), None);
    }

    #[test]
    fn of_words_that_are_alike_in_all_the_first_is_taken() {
        let known = words(&["hoose", "house"]);
        assert_eq!(nearest("hoase", &[(&known, None)]), Some("hoose"));
    }
}
