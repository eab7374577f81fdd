//! A table of translations turned round: the query words that each document word may stand for.

use crate::lexical::table::{TranslationTable, strength};

/// The query words of a document word that are kept, at most.
pub(super) const MOST: usize = 8;
/// The exponent of a query word's frequency beside the strength of its translation.
const FREQUENCY: f32 = 0.25;
/// The frequency, as a share of all words, of the rarest.
const RAREST: f32 = 1e-7;

/// For each document word of a table, by its number, the query words that it may stand for, the most likely first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Senses {
    /// Where the senses of each document word begin, and where those of the last end.
    starts: Vec<u32>,
    senses: Vec<Sense>,
}

/// A query word that a document word may stand for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sense {
    /// The number of the query word in the table.
    pub word: u32,
    /// Its share of the document word; those of all its query words add up to 1, also of those that are not kept.
    pub share: f32,
}

impl Senses {
    /// Turns a table round. A share is in proportion to the strength of the translation times the frequency of the query
    /// word to the power of 1/4; `frequency` is a query word's share of all words, by
    /// its number.
    pub fn new(table: &TranslationTable, frequency: impl Fn(u32) -> f32) -> Self {
        let mut all: Vec<(u32, Sense)> = Vec::new();
        for_each(table, frequency, |number, sense| all.push((number, sense)));
        // No two are equal.
        all.sort_unstable_by(|(a, one), (b, other)| {
            a.cmp(b).then(other.share.total_cmp(&one.share)).then(one.word.cmp(&other.word))
        });
        let (mut starts, mut senses) = (vec![0], Vec::new());
        let mut rest = &all[..];
        let words = all.last().map_or(0, |(last, _)| last + 1);
        for number in 0..words {
            let own = rest.iter().take_while(|(document, _)| *document == number).count();
            let (own, others) = rest.split_at(own);
            let sum = own.iter().fold(0.0, |sum, (_, sense)| sum + sense.share);
            let kept = own.iter().take(MOST);
            senses.extend(kept.map(|(_, sense)| Sense { share: sense.share / sum, ..*sense }));
            starts.push(senses.len() as u32);
            rest = others;
        }
        Self { starts, senses }
    }

    /// The senses of some document words of a table alone, by their numbers: of each as [`new`](Self::new) has them. It reads the
    /// table once, and needs no memory for other words.
    pub fn of_words(
        table: &TranslationTable,
        frequency: impl Fn(u32) -> f32,
        numbers: &[u32],
    ) -> Vec<Vec<Sense>> {
        // For each document word its place among `numbers`, plus 1.
        let most = numbers.iter().max().map_or(0, |&most| most as usize + 1);
        let (mut places, mut found) = (vec![0; most], vec![Vec::new(); numbers.len()]);
        for (place, &number) in numbers.iter().enumerate() {
            places[number as usize] = place + 1;
        }
        for word in 0..table.all_query_words() {
            for (number, step) in table.steps(word) {
                let place = places.get(number as usize).and_then(|place| place.checked_sub(1));
                if let Some(place) = place {
                    let factor = libm::powf(frequency(word).max(RAREST), FREQUENCY);
                    found[place].push(Sense { word, share: strength(step) * factor });
                }
            }
        }
        for senses in &mut found {
            let sum = senses.iter().fold(0.0, |sum, sense: &Sense| sum + sense.share);
            senses.iter_mut().for_each(|sense| sense.share /= sum);
        }
        numbers.iter().map(|&number| found[places[number as usize] - 1].clone()).collect()
    }

    /// For each document word of a table, by its number, the query word that it most likely stands for: the first of those
    /// that it may stand for.
    pub fn likeliest(table: &TranslationTable, frequency: impl Fn(u32) -> f32) -> Vec<Option<u32>> {
        let mut likeliest: Vec<Option<Sense>> = Vec::new();
        for_each(table, frequency, |number, sense| {
            let number = number as usize;
            likeliest.resize(likeliest.len().max(number + 1), None);
            // Of equal ones the first stays.
            if likeliest[number].is_none_or(|best| sense.share > best.share) {
                likeliest[number] = Some(sense);
            }
        });
        likeliest.into_iter().map(|sense| Some(sense?.word)).collect()
    }

    /// The query words that a document word of the table may stand for, by its number.
    pub fn of(&self, number: u32) -> &[Sense] {
        let ends = self.starts.get(number as usize).zip(self.starts.get(number as usize + 1));
        ends.map_or(&[], |(&start, &end)| &self.senses[start as usize..end as usize])
    }

    /// The number of document words.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Takes the number of a document word and a sense of it, of each entry of a table in the order of query words; shares
/// are in proportion to what they will be.
fn for_each(
    table: &TranslationTable,
    frequency: impl Fn(u32) -> f32,
    mut take: impl FnMut(u32, Sense),
) {
    for word in 0..table.all_query_words() {
        let factor = libm::powf(frequency(word).max(RAREST), FREQUENCY);
        for (number, strength) in table.list(word) {
            take(number, Sense { word, share: strength * factor });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexical::table::Entry;
    use crate::text::vocabulary::Vocabulary;

    #[test]
    fn shares_are_of_strength_and_frequency_and_add_up_to_one() {
        let query = Vocabulary::from_tokens(["bed", "read", "rain"]).unwrap();
        let entry = |query, document, strength| Entry { query, document, strength };
        let entries =
            [entry("bed", "lit", 0.6), entry("read", "lit", 0.2), entry("rain", "pluie", 0.5)];
        let table = TranslationTable::new(&entries, &query, &Vocabulary::default()).unwrap();
        // 16 times as frequent is twice as likely, by an exponent of 1/4.
        let senses = Senses::new(&table, |word| if word == 2 { 0.16 } else { 0.01 });
        assert_eq!(senses.len(), 2);
        // "bed", "rain" and "read" are 0, 1 and 2; "lit" and "pluie" 0 and 1.
        let [first, second] = senses.of(0) else { panic!() };
        assert_eq!((first.word, second.word), (0, 2));
        // 0.6 and 2 times 0.2; strengths are stored in steps of 3 %.
        assert!((first.share - 0.6).abs() < 0.02, "{}", first.share);
        assert!((first.share + second.share - 1.0).abs() < 1e-6);
        assert_eq!(senses.of(1), [Sense { word: 1, share: 1.0 }]);
        assert_eq!(senses.of(2), []);
        let likeliest = Senses::likeliest(&table, |word| if word == 2 { 0.16 } else { 0.01 });
        assert_eq!(likeliest, [Some(0), Some(1)]);
        // 81 times as frequent is three times as likely, so that "read" comes before "bed".
        let likeliest = Senses::likeliest(&table, |word| if word == 2 { 0.81 } else { 0.001 });
        assert_eq!(likeliest, [Some(2), Some(1)]);
    }

    #[test]
    fn the_senses_of_some_words_are_those_of_the_whole_table() {
        let query = Vocabulary::from_tokens(["bed", "read", "rain"]).unwrap();
        let entry = |query, document, strength| Entry { query, document, strength };
        let entries =
            [entry("bed", "lit", 0.6), entry("read", "lit", 0.2), entry("rain", "pluie", 0.5)];
        let table = TranslationTable::new(&entries, &query, &Vocabulary::default()).unwrap();
        let frequency = |word| if word == 1 { 0.16 } else { 0.01 };
        let all = Senses::new(&table, frequency);
        let found = Senses::of_words(&table, frequency, &[1, 0, 1]);
        let sorted = |mut senses: Vec<Sense>| {
            senses.sort_by_key(|sense| sense.word);
            senses
        };
        let expected = [1, 0, 1].map(|number| sorted(all.of(number).to_vec()));
        assert_eq!(found.into_iter().map(sorted).collect::<Vec<_>>(), expected);
        assert!(Senses::of_words(&table, frequency, &[]).is_empty());
    }

    #[test]
    fn the_most_likely_are_kept_with_their_shares_of_all() {
        let words: Vec<String> = (0..20).map(|number| format!("word{number:02}")).collect();
        let query = Vocabulary::from_tokens(words.iter().map(String::as_str)).unwrap();
        let entries: Vec<Entry<'_>> = words
            .iter()
            .map(|word| Entry { query: word, document: "mot", strength: 0.5 })
            .collect();
        let table = TranslationTable::new(&entries, &query, &Vocabulary::default()).unwrap();
        let senses = Senses::new(&table, |_| 1.0);
        assert_eq!(senses.of(0).len(), MOST);
        assert!(senses.of(0).iter().all(|sense| (sense.share - 0.05).abs() < 1e-6));
        // Of equally likely ones those with the lowest numbers.
        assert!(senses.of(0).iter().map(|sense| sense.word).eq(0..MOST as u32));
        assert_eq!(Senses::likeliest(&table, |_| 1.0), [Some(0)]);
    }
}
