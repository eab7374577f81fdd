//! Which entry of a file is for which row of a table.

use smooth_clir::encoder::Table;
use smooth_clir::text::tokens;
use smooth_clir::text::vocabulary::Vocabulary;

/// The rows of a table, by the words they are for.
pub struct Rows<'a> {
    vocabulary: &'a Vocabulary,
    table: &'a mut Table,
    claims: Vec<Option<Claim>>,
    composed: u64,
    skipped: u64,
}

/// An entry that a row is filled from.
#[derive(Clone, Copy)]
struct Claim {
    entry: u64,
    /// Whether its word is spelled as the row's.
    exact: bool,
}

impl<'a> Rows<'a> {
    /// Rows that nothing was found for yet.
    pub fn new(vocabulary: &'a Vocabulary, table: &'a mut Table) -> Self {
        let claims = vec![None; vocabulary.len()];
        Self { vocabulary, table, claims, composed: 0, skipped: 0 }
    }

    /// The row to fill from an entry with this word, if there is one that no better entry came
    /// before.
    pub fn claim(&mut self, word: &[u8], entry: u64) -> Option<usize> {
        let Ok(word) = std::str::from_utf8(word) else {
            self.skipped += 1;
            return None;
        };
        // `</s>`, `<UNK>` and their like stand for no word.
        if word.starts_with('<') && word.ends_with('>') {
            return None;
        }
        let known = self.vocabulary.row(word);
        let row = known.or_else(|| match &tokens(word)[..] {
            [only] => self.vocabulary.row(only),
            _ => None,
        })? as usize;
        let exact = known.is_some();
        match self.claims[row] {
            Some(before) if before.exact || !exact => None,
            _ => {
                self.claims[row] = Some(Claim { entry, exact });
                Some(row)
            }
        }
    }

    /// Counts an entry whose word is no text.
    pub fn skip(&mut self) {
        self.skipped += 1;
    }

    /// Entries and the rows they fill, by entry.
    pub fn claimed(&self) -> Vec<(u64, usize)> {
        let claims = self.claims.iter().enumerate();
        let mut claimed: Vec<(u64, usize)> =
            claims.filter_map(|(row, claim)| Some((claim.as_ref()?.entry, row))).collect();
        claimed.sort_unstable();
        claimed
    }

    /// The rows that no entry fills, with their words.
    pub fn unclaimed(&self) -> impl Iterator<Item = (usize, &str)> {
        let claims = self.claims.iter().enumerate();
        claims
            .filter(|(_, claim)| claim.is_none())
            .map(|(row, _)| (row, self.vocabulary.token(row)))
    }

    /// Numbers in a row.
    pub fn dimension(&self) -> usize {
        self.table.dimension()
    }

    /// Fills a row.
    pub fn set(&mut self, row: usize, numbers: impl IntoIterator<Item = f32>) {
        let start = row * self.dimension();
        let values = &mut self.table.values_mut()[start..];
        for (value, number) in values.iter_mut().zip(numbers) {
            *value = number;
        }
    }

    /// Fills a row that no entry is for.
    pub fn compose(&mut self, row: usize, numbers: impl IntoIterator<Item = f32>) {
        self.composed += 1;
        self.set(row, numbers);
    }

    /// Refuses vectors of another length than the table's.
    pub fn check_dimension(&self, found: u64) -> Result<(), String> {
        let wanted = self.dimension();
        match found == wanted as u64 {
            true => Ok(()),
            false => Err(format!(
                "its vectors have {found} dimensions, expected {wanted}: train with --dimension {found}"
            )),
        }
    }

    /// Rows found, composed, and entries skipped.
    pub fn counts(&self) -> (u64, u64, u64) {
        let found = self.claims.iter().flatten().count() as u64;
        (found, self.composed, self.skipped)
    }
}
