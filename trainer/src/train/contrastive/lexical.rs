//! Pairs of texts -> the translations of each language.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use smooth_clir::encoder::Encoder;
use smooth_clir::lexical::stems::Stems;
use smooth_clir::lexical::translation::{Entry, Translations};
use smooth_clir::limits;
use smooth_clir::text::stem::End;
use smooth_clir::text::vocabulary::Vocabulary;

use super::affixes::affixes;
use super::bases::{Bases, bases};
use super::pairs::{Language, Pairs, Words};
use super::plan::Kept;
use crate::alignment::{self, Translation};
use crate::error::Error;
use crate::terminal::phase::Phases;

/// A word of English is rare that stands fewer times in translations.
const RARE: u32 = 20;
/// How often an alignment goes over the texts: once for the pairs of words, and in each round.
const PASSES: usize = 6;
/// A translation stands in so many pairs of texts, or in an entry of a lexicon.
const LEAST_TEXTS: u32 = 2;

/// A table of translations for each language. Its words with a row are those of the encoders: of the queries, then of each
/// language; without a document encoder, which is then made of the table, no document word has one.
///
/// # Errors
/// If there are too many words.
pub fn translations(
    pairs: &Pairs,
    encoders: &[Encoder],
    kept: Kept,
    stems: &BTreeMap<String, End>,
) -> Result<Vec<Translations>, Error> {
    let Some((query, documents)) = encoders.split_first() else { return Ok(Vec::new()) };
    let none = Vocabulary::default();
    let documents = documents.iter().map(|encoder| &encoder.vocabulary);
    let documents = documents.chain(std::iter::repeat(&none));
    let english = &pairs.english;
    let of_language = |(language, document): (&Language, &Vocabulary)| {
        let mut table = of_words(language, english, (query, document), kept)?;
        if let Some(&end) = stems.get(&language.name) {
            let stems = of_stems(language, (english, None), end, kept)?;
            eprintln!("{}: {} translations of stems", language.name, stems.entries().len());
            table.stems = Some(stems);
        }
        Ok(table)
    };
    pairs.languages.iter().zip(documents).map(of_language).collect()
}

/// The strongest translations of a language's words, as a table for encoders with words of their own: of queries, then of
/// documents. `english` are the English words of its pairs.
///
/// # Errors
/// If there are too many words.
pub fn of_words(
    language: &Language,
    english: &Words,
    (query, document): (&Encoder, &Vocabulary),
    kept: Kept,
) -> Result<Translations, Error> {
    let words = [&english.vocabulary, &language.words.vocabulary];
    let same = words.map(|words| (0..words.len() as u32).collect());
    let found = aligned(language, same)?;
    let mut table = table(&found, kept, words, [&query.vocabulary, document])?;
    eprintln!("{}: {} translations", language.name, table.len());
    if document.is_empty() {
        let all = language.words.total() as f32;
        table.set_frequencies(|word| language.words.count(word).max(1) as f32 / all);
        table.affixes = affixes(&table, &query.senses(&table))?;
        let found = table.affixes.as_ref().map_or(0, |affixes| affixes.len());
        eprintln!("{}: {found} affixes", language.name);
    }
    Ok(table)
}

/// The translations of the bases of a language's words, from those of its words; `None` where they have no affixes. No document
/// word has a row.
///
/// # Errors
/// If there are too many words.
pub fn of_bases(
    language: &Language,
    english: &Words,
    query: &Encoder,
    kept: Kept,
    of_words: &Translations,
) -> Result<Option<(Translations, Bases)>, Error> {
    let words = &language.words.vocabulary;
    let Some(bases) = bases(words, of_words, &query.senses(of_words))? else { return Ok(None) };
    let of_english = (0..english.vocabulary.len() as u32).collect();
    let found = aligned(language, [of_english, bases.rows.clone()])?;
    let (words, none) = ([&english.vocabulary, &bases.vocabulary], Vocabulary::default());
    let mut table = table(&found, kept, words, [&query.vocabulary, &none])?;
    table.affixes = all_affixes(&bases, &table, query)?;
    set_frequencies(&mut table, || language.words.iter());
    eprintln!("{}: {} translations of bases", language.name, table.len());
    Ok(Some((table, bases)))
}

/// The affixes of bases, then those that are found among the bases, as many as a model may have.
fn all_affixes(
    bases: &Bases,
    table: &Translations,
    query: &Encoder,
) -> Result<Option<Arc<Vocabulary>>, Error> {
    let found = affixes(table, &query.senses(table))?.unwrap_or_default();
    let of_bases = bases.affixes.iter().map(String::as_str);
    let all = of_bases.chain((0..found.len()).map(|row| found.token(row)));
    Ok(Some(Arc::new(Vocabulary::from_tokens(all.take(limits::AFFIXES))?)))
}

/// Notes how frequent the document words of a table without a row are in texts of these words, each with its count: a word counts
/// as itself, or as the parts that it is read as.
pub fn set_frequencies<'a, I: Iterator<Item = (&'a str, u64)>>(
    table: &mut Translations,
    counts: impl Fn() -> I,
) {
    let mut readings: HashMap<&str, u64> = HashMap::new();
    for (word, count) in counts() {
        let parts = table.parts(word);
        let read = if parts.is_empty() { vec![word] } else { parts };
        read.into_iter().for_each(|word| *readings.entry(word).or_default() += count);
    }
    let all = counts().map(|(_, count)| count).sum::<u64>() as f32;
    table.set_frequencies(|word| readings.get(word).map_or(1, |&count| count) as f32 / all);
}

/// The strongest translations of stems: of the first letters of English words, and of an end of the language's words, or of their bases.
///
/// # Errors
/// If there are too many.
pub fn of_stems(
    language: &Language,
    (english, bases): (&Words, Option<&Bases>),
    end: End,
    kept: Kept,
) -> Result<Stems, Error> {
    let words = [&english.vocabulary, &language.words.vocabulary];
    let ends = [End::Head, end];
    let cut = |side: usize, row: usize| {
        let base = bases.filter(|_| side == 1).map(|bases| bases.of(row));
        ends[side].of(base.unwrap_or_else(|| words[side].token(row)))
    };
    let stems =
        |side: usize| Vocabulary::from_tokens((0..words[side].len()).map(|row| cut(side, row)));
    let stems = [stems(0)?, stems(1)?];
    let numbers = [0, 1].map(|side| {
        let rows = 0..words[side].len();
        rows.filter_map(|row| stems[side].row(cut(side, row))).collect()
    });
    let found = strongest(&aligned(language, numbers)?, kept);
    Ok(Stems::new(&entries(&found, stems.each_ref()), ends)?)
}

fn entries<'a>(found: &[Translation], words: [&'a Vocabulary; 2]) -> Vec<Entry<'a>> {
    let entry = |translation: &Translation| Entry {
        query: words[0].token(translation.source as usize),
        document: words[1].token(translation.target as usize),
        strength: translation.symmetric() as f32,
    };
    found.iter().map(entry).collect()
}

/// Which words translate which, as the numbers that rows of both sides' words have. Queries are no
/// translations: what they say of a word counts only where translations hardly know it.
fn aligned(language: &Language, numbers: [Vec<u32>; 2]) -> Result<Vec<Translation>, Error> {
    let Language { training, translated, .. } = language;
    let numbered = |pairs: usize, take: alignment::Take<'_>| {
        training.for_each_chunk(pairs, &mut |texts| {
            let number = |texts: &[&[u32]; 2]| {
                [0, 1].map(|side| -> Vec<u32> {
                    texts[side].iter().map(|&row| numbers[side][row as usize]).collect()
                })
            };
            let texts: Vec<[Vec<u32>; 2]> = texts.iter().map(number).collect();
            let texts = texts.iter().map(|[first, second]| [&first[..], &second[..]]);
            take(&texts.collect::<Vec<_>>());
        })
    };
    let align = |pairs: usize| {
        let aligning =
            Phases::Shown.phase(&format!("aligning {}", language.name), PASSES, "passes");
        let texts = |take: alignment::Take<'_>| {
            let done = numbered(pairs, take);
            aligning.step(1);
            done
        };
        let settings =
            alignment::Settings { least_texts: LEAST_TEXTS, ..alignment::Settings::default() };
        alignment::translations(texts, &settings)
    };
    let mut found = align(*translated)?;
    if training.len() > *translated {
        let mut seen = vec![0_u32; numbers[0].len()];
        numbered(*translated, &mut |texts| {
            let words = texts.iter().flat_map(|[english, _]| *english);
            words.for_each(|&word| seen[word as usize] += 1);
        })?;
        let is_rare = |translation: &Translation| seen[translation.source as usize] < RARE;
        found.retain(|translation| !is_rare(translation));
        found.extend(align(training.len())?.into_iter().filter(is_rare));
        found.sort_unstable_by_key(|translation| (translation.source, translation.target));
    }
    Ok(found)
}

/// The strongest of the translations found between `words`, as a table for encoders with words of
/// their own: of queries, then of documents.
///
/// # Errors
/// If there are too many words.
pub fn table(
    found: &[Translation],
    kept: Kept,
    words: [&Vocabulary; 2],
    [query, document]: [&Vocabulary; 2],
) -> Result<Translations, Error> {
    Ok(Translations::new(&entries(&strongest(found, kept), words), query, document)?)
}

/// Of each source the strongest, which have so large a share of all of its.
fn strongest(found: &[Translation], kept: Kept) -> Vec<Translation> {
    let mut strongest = Vec::new();
    for of_source in found.chunk_by(|a, b| a.source == b.source) {
        let mut own = of_source.to_vec();
        own.sort_by(|a, b| b.symmetric().total_cmp(&a.symmetric()).then(a.target.cmp(&b.target)));
        let sum = own.iter().fold(0.0, |sum, translation| sum + translation.symmetric());
        let strong = own.iter().take(kept.most).copied();
        strongest.extend(strong.filter(|translation| {
            translation.symmetric() >= f64::from(kept.share) * sum && sum > 0.0
        }));
    }
    strongest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_keeps_its_strongest_translations_by_their_share() {
        let translation =
            |source, target, there| Translation { source, target, there, back: there };
        let found = [
            translation(1, 4, 0.05),
            translation(1, 5, 0.6),
            translation(1, 6, 0.35),
            translation(2, 4, 0.2),
            translation(2, 5, 0.2),
        ];
        let kept = |share, most| -> Vec<(u32, u32)> {
            let kept = strongest(&found, Kept { share, most });
            kept.iter().map(|kept| (kept.source, kept.target)).collect()
        };
        assert_eq!(kept(0.1, 9), [(1, 5), (1, 6), (2, 4), (2, 5)]);
        assert_eq!(kept(0.0, 1), [(1, 5), (2, 4)]);
    }
}
