//! Where in a vocabulary a token is: a hash table with open addressing, eight bytes a token.

/// Rows by the hash of their tokens. A search takes few steps whatever the tokens are: one that
/// would lie further from where its hash points is left out.
#[derive(Debug, Clone, PartialEq)]
pub struct Places {
    /// A row plus 1, below some bits of its token's hash that tell most others apart; or 0.
    slots: Vec<u32>,
    /// The number of bits of a row plus 1.
    row_bits: u32,
}

/// The result of a search.
pub enum Place {
    /// The token, in this row.
    Row(u32),
    /// The token is not in the vocabulary.
    Nowhere,
    /// Too many others: the token may have been left out.
    Crowded,
}

const SLOTS_FOR_A_TOKEN: usize = 2;
const MOST_STEPS: usize = 32;

impl Places {
    /// The places of tokens, each in the row of its position.
    pub fn new<'a>(tokens: impl ExactSizeIterator<Item = &'a str>) -> Self {
        let count = tokens.len();
        let slots = vec![0; count * SLOTS_FOR_A_TOKEN + MOST_STEPS];
        let mut places = Self { slots, row_bits: usize::BITS - count.leading_zeros() };
        for (token, entry) in tokens.zip(1..) {
            let hash = hash(token.as_bytes());
            let (first, tagged) = (places.first_slot(hash), places.tagged(hash, entry));
            let near = &mut places.slots[first..first + MOST_STEPS];
            if let Some(free) = near.iter_mut().find(|slot| **slot == 0) {
                *free = tagged;
            }
        }
        places
    }

    /// Searches a token; `token_of` gives the token of a row.
    pub fn search<'a>(&self, token: &str, token_of: impl Fn(u32) -> &'a [u8]) -> Place {
        let hash = hash(token.as_bytes());
        let first = self.first_slot(hash);
        for &found in &self.slots[first..first + MOST_STEPS] {
            if found == 0 {
                return Place::Nowhere;
            }
            let entry = found & !(u32::MAX << self.row_bits);
            if found == self.tagged(hash, entry) && token_of(entry - 1) == token.as_bytes() {
                return Place::Row(entry - 1);
            }
        }
        Place::Crowded
    }

    fn first_slot(&self, hash: u64) -> usize {
        let firsts = (self.slots.len() - MOST_STEPS) as u64;
        (((hash >> 32) * firsts) >> 32) as usize
    }

    fn tagged(&self, hash: u64, entry: u32) -> u32 {
        (hash as u32) << self.row_bits | entry
    }
}

impl Default for Places {
    fn default() -> Self {
        Self::new([].into_iter())
    }
}

/// Eight bytes at a time, multiplied and folded: the same on every machine.
pub fn hash(token: &[u8]) -> u64 {
    let (words, _) = token.as_chunks();
    let start = (token.len() as u64).wrapping_mul(FACTOR);
    let state = words.iter().fold(start, |state, word| fold(state, u64::from_le_bytes(*word)));
    fold(state, last_bytes(token))
}

/// The last eight bytes, or all there are, the last again and again: without a branch that depends
/// on how many there are, which no processor could foresee.
fn last_bytes(token: &[u8]) -> u64 {
    match (token.last_chunk(), token.len().checked_sub(1)) {
        (Some(last), _) => u64::from_le_bytes(*last),
        (_, Some(last)) => {
            u64::from_le_bytes([0, 1, 2, 3, 4, 5, 6, 7].map(|at| token[last.min(at)]))
        }
        (_, None) => 0,
    }
}

fn fold(state: u64, word: u64) -> u64 {
    let product = (state ^ word).wrapping_mul(FACTOR);
    product ^ product >> 29
}

/// Odd, its bits without a pattern: 2^64 divided by the golden ratio.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

#[cfg(test)]
mod tests {
    use super::super::Vocabulary;
    use super::*;

    #[test]
    fn a_search_finds_every_token_and_no_other_in_few_steps() {
        let words: Vec<String> = (0..20_000).map(|n| format!("{:x}", n * 7919)).collect();
        let vocabulary = Vocabulary::from_tokens(words.iter().map(String::as_str)).unwrap();
        let places = &vocabulary.places;
        let steps = |token: &str| {
            let first = places.first_slot(hash(token.as_bytes()));
            places.slots[first..].iter().take_while(|&&slot| slot != 0).count()
        };
        let mut sum = 0;
        for word in &words {
            let row = vocabulary.row(word).unwrap();
            assert_eq!(vocabulary.token(row as usize), word);
            let absent = format!("{word}.");
            assert_eq!(vocabulary.row(&absent), None);
            sum += steps(&absent);
        }
        // Knuth (1998), 6.4, theorem K: 2.5 slots are probed in vain where half are occupied,
        // the last of them free.
        let mean = sum as f64 / words.len() as f64;
        assert!(mean < 1.55, "{mean}");
    }

    #[test]
    fn tokens_made_to_crowd_are_found_all_the_same() {
        const COUNT: usize = 100;
        let first = |token: &String| {
            let slots = vec![0; COUNT * SLOTS_FOR_A_TOKEN + MOST_STEPS];
            Places { slots, row_bits: 0 }.first_slot(hash(token.as_bytes()))
        };
        let crowd = (0..).map(|n: u32| n.to_string()).filter(|token| first(token) == 199);
        let crowd: Vec<String> = crowd.take(2 * COUNT).collect();
        let known = crowd.iter().take(COUNT).map(String::as_str);
        let vocabulary = Vocabulary::from_tokens(known).unwrap();
        assert!(vocabulary.places.slots[199..199 + MOST_STEPS].iter().all(|&slot| slot > 0));
        for (position, token) in crowd.iter().enumerate() {
            let found = vocabulary.row(token).map(|row| vocabulary.token(row as usize));
            assert_eq!(found, (position < COUNT).then_some(token.as_str()));
        }
    }
}
