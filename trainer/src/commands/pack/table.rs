//! The translations of a pack: given to it, and fewer of them until its file fits.

use std::collections::BTreeMap;
use std::sync::Arc;

use smooth_clir::encoder::{Encoder, Precision};
use smooth_clir::lexical::stems::Stems;
use smooth_clir::lexical::translation::{Entry, Translations};
use smooth_clir::model::Model;
use smooth_clir::text::vocabulary::Vocabulary;

use crate::error::Error;
use crate::train::contrastive::{Kept, Words};

/// Which translations are kept.
pub const KEPT: Kept = Kept { share: 0.01, most: 20 };
/// Where a pack would be too large, translations of words that are no more often in the pairs go first.
const RAREST: u64 = 10;
/// The step of the least share of a translation, where a pack would still be too large.
const STEP: f32 = 1.25;

/// Gives a pack the translations of its language, of which its document encoder is made.
pub fn give(pack: &mut Model, language: &str, table: Translations) {
    pack.translations = BTreeMap::from([(language.to_owned(), Arc::new(table))]);
    pack.documents.clear();
    pack.translate();
}

/// What of a pack's translations is kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Least {
    /// Of a word without a row in the query encoder, if it is more often in the pairs.
    pub count: u64,
    /// A translation of such a share of its word's.
    pub share: f32,
}

/// Leaves out translations of a pack until its file is no larger: first of rare English words that the query encoder does not
/// know, then the weakest of all.
pub fn fit_in(
    pack: &mut Model,
    (language, english): (&str, &Words),
    most: u64,
) -> Result<Least, Error> {
    let mut least = Least { count: 0, share: KEPT.share };
    loop {
        let bytes = file_of(pack).len() as u64;
        if bytes <= most || least.share > 0.5 {
            return Ok(least);
        }
        if least.count < RAREST {
            least.count += 1;
        } else {
            least.share *= STEP;
        }
        let Least { count, share } = least;
        eprintln!(
            "{language}: {bytes} bytes: left out are translations of English words without a row that stand up to {count} times in the pairs, and of a share of less than {share:.3}"
        );
        let Some(table) = pack.translations.get(language) else { return Ok(least) };
        let encoder = pack.query_encoder()?;
        let (query, none) = (&encoder.vocabulary, Vocabulary::default());
        let mut kept = table.entries(query, &none);
        kept.retain(|entry| query.row(entry.query).is_some() || english.count(entry.query) > count);
        let is_shorter = share > KEPT.share;
        let kept = if is_shorter { likely(kept, share) } else { kept };
        let mut fewer = of_entries(&kept, table, encoder)?;
        if let Some(stems) = table.stems.as_ref().filter(|_| is_shorter) {
            fewer.stems = Some(Stems::new(&likely(stems.entries(), share), stems.ends)?);
        }
        give(pack, language, fewer);
    }
}

/// The translations of these entries of a table, for queries by an encoder: its stems, frequencies and affixes.
pub fn of_entries(
    entries: &[Entry<'_>],
    own: &Translations,
    encoder: &Encoder,
) -> Result<Translations, Error> {
    let mut table = Translations::new(entries, &encoder.vocabulary, &Vocabulary::default())?;
    let row = |word: &str| own.document_words_without_row().row(word);
    table.set_frequencies(|word| row(word).map_or(0.0, |row| own.frequency(row)));
    table.affixes.clone_from(&own.affixes);
    table.stems.clone_from(&own.stems);
    Ok(table)
}

/// Of entries in the order of their query words, those of such a share of the word's strengths.
fn likely(entries: Vec<Entry<'_>>, share: f32) -> Vec<Entry<'_>> {
    let of_word = |entries: &[Entry<'_>]| entries.iter().map(|entry| entry.strength).sum::<f32>();
    let chunks = entries.chunk_by(|a, b| a.query == b.query);
    chunks
        .flat_map(|entries| {
            let least = share * of_word(entries);
            entries.iter().filter(move |entry| entry.strength >= least).copied()
        })
        .collect()
}

/// The file of a pack.
pub fn file_of(pack: &Model) -> Vec<u8> {
    let alone = Model { query: None, deep: None, ..pack.clone() };
    let mut parts = alone.write_parts(Precision::F32).into_iter();
    parts.next().map(|(_, bytes)| bytes).unwrap_or_default()
}
