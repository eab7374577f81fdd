//! Token -> buckets of its character n-grams, so that no word is unknown.
//!
//! A token is read between `<` and `>`; each run of 3 to 5 characters of that is hashed (FNV-1a of
//! its UTF-8, 32 bits) into one of the buckets, each a row of a table which all languages
//! share: what is written alike begins alike.

use crate::text::vocabulary::Vocabulary;

/// The rule's name in a model file: it changes whenever any token would have other buckets.
pub const RULE: &str = "fnv1a-3-5";
/// Characters of the shortest n-gram.
pub const SHORTEST: usize = 3;
/// Characters of the longest n-gram.
pub const LONGEST: usize = 5;

/// The buckets of each word of a vocabulary.
#[derive(Debug, Clone, Default)]
pub struct Spellings {
    ends: Vec<u32>,
    buckets: Vec<u32>,
}

impl Spellings {
    /// The buckets of a table with this many rows; none where it has none.
    pub fn new(vocabulary: &Vocabulary, buckets: usize) -> Self {
        let mut spellings = Self::default();
        for row in 0..vocabulary.len() {
            for_each_bucket(vocabulary.token(row), buckets, |bucket| {
                spellings.buckets.push(bucket);
            });
            spellings.ends.push(spellings.buckets.len() as u32);
        }
        spellings
    }

    /// The buckets of the word of a row, one for each n-gram in the order of the word.
    pub fn of(&self, row: usize) -> &[u32] {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        &self.buckets[start as usize..self.ends[row] as usize]
    }
}

/// Calls `each` with the bucket of each n-gram of a token, in the order of where they begin, then
/// of their length.
pub fn for_each_bucket(token: &str, buckets: usize, mut each: impl FnMut(u32)) {
    if buckets == 0 {
        return;
    }
    let characters = || std::iter::once('<').chain(token.chars()).chain(std::iter::once('>'));
    let length = characters().count();
    for start in 0..(length + 1).saturating_sub(SHORTEST) {
        let mut hash = 0x811c_9dc5_u32;
        let mut bytes = [0; 4];
        for (number, character) in characters().skip(start).take(LONGEST).enumerate() {
            for byte in character.encode_utf8(&mut bytes).bytes() {
                hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
            }
            if number + 1 >= SHORTEST {
                each(hash % buckets as u32);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buckets(token: &str, count: usize) -> Vec<u32> {
        let mut found = Vec::new();
        for_each_bucket(token, count, |bucket| found.push(bucket));
        found
    }

    #[test]
    fn an_n_gram_is_in_the_bucket_that_its_fnv_1a_hash_names() {
        // "foobar" hashes to 0xbf9cf968 by the authors' test vectors; here "<a>", by their recipe
        // in another language: see tests/reference/subwords.py.
        assert_eq!(buckets("a", 1 << 31), [0x0c9c_d1f0]);
    }

    #[test]
    fn a_token_has_the_n_grams_of_3_to_5_characters_between_its_ends() {
        // <ab>: <ab, <ab>, ab>.
        assert_eq!(buckets("ab", 1000).len(), 3);
        // <rain>: 4 of 3, 3 of 4, 2 of 5.
        assert_eq!(buckets("rain", 1000).len(), 9);
        assert_eq!(buckets("é", 1000).len(), 1);
        assert!(buckets("", 1000).is_empty());
        assert!(buckets("rain", 0).is_empty());
    }
}
