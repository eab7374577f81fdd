//! Words, numbered in the order in which they are first met: a hash table with open addressing.

use std::collections::BTreeMap;

use super::vocabulary::hash;

/// The most slots that a search looks at. Words that would lie further from where their hash points are kept elsewhere, so that
/// no text makes a search slow.
const MOST_STEPS: usize = 32;

/// The number of each of some words.
#[derive(Debug, Clone, Default)]
pub(crate) struct Interner {
    /// The words, one after the other.
    text: String,
    /// Where each word ends.
    ends: Vec<usize>,
    /// The first bits of a word's hash, and its number plus 1; or 0. At most half of them are taken.
    slots: Vec<(u32, u32)>,
    /// The numbers of the words without a slot.
    crowded: BTreeMap<Box<str>, u32>,
}

impl Interner {
    /// Bytes that a word takes beside its own, at most.
    pub const BYTES: usize = size_of::<usize>() + 8 * size_of::<(u32, u32)>();

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The word with a number below [`len`](Self::len).
    pub fn word(&self, number: usize) -> &str {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[number]]
    }

    /// The number of a word, which is [`len`](Self::len) before the call if the word is new.
    pub fn number(&mut self, word: &str) -> usize {
        if self.slots.len() < (self.len() + 1) * 2 {
            self.grow();
        }
        let bits = bits(word);
        let first = self.first_slot(bits);
        for slot in first..first + MOST_STEPS {
            let (found, entry) = self.slots[slot];
            let Some(number) = (entry as usize).checked_sub(1) else {
                self.slots[slot] = (bits, self.len() as u32 + 1);
                return self.push(word);
            };
            if found == bits && self.word(number) == word {
                return number;
            }
        }
        if let Some(&number) = self.crowded.get(word) {
            return number as usize;
        }
        self.crowded.insert(word.into(), self.len() as u32);
        self.push(word)
    }

    /// Forgets all words.
    pub fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
        self.slots.fill((0, 0));
        self.crowded.clear();
    }

    fn push(&mut self, word: &str) -> usize {
        self.text.push_str(word);
        self.ends.push(self.text.len());
        self.len() - 1
    }

    fn grow(&mut self) {
        let firsts = (self.len() * 4).next_power_of_two().max(MOST_STEPS);
        self.slots = vec![(0, 0); firsts + MOST_STEPS];
        self.crowded.clear();
        for number in 0..self.len() {
            let bits = bits(self.word(number));
            let first = self.first_slot(bits);
            let near = &mut self.slots[first..first + MOST_STEPS];
            match near.iter_mut().find(|(_, entry)| *entry == 0) {
                Some(free) => *free = (bits, number as u32 + 1),
                None => {
                    self.crowded.insert(self.word(number).into(), number as u32);
                }
            }
        }
    }

    fn first_slot(&self, bits: u32) -> usize {
        // Without the last slots, their number is a power of two.
        bits as usize & (self.slots.len() - MOST_STEPS - 1)
    }
}

fn bits(word: &str) -> u32 {
    (hash(word.as_bytes()) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn a_word_has_the_number_of_its_first_time() {
        let mut interner = Interner::default();
        let words: Vec<String> = (0..5000).map(|n: u32| format!("{:x}", n * n % 3001)).collect();
        let mut expected: HashMap<&str, usize> = HashMap::new();
        for word in words.iter().map(String::as_str).chain(["", "été", ""]) {
            let next = expected.len();
            let number = *expected.entry(word).or_insert(next);
            assert_eq!(interner.number(word), number, "{word}");
            assert_eq!((interner.word(number), interner.len()), (word, expected.len()));
        }
        interner.clear();
        assert_eq!((interner.number("été"), interner.number("0"), interner.len()), (0, 1, 2));
    }

    #[test]
    fn words_made_to_crowd_have_their_numbers_all_the_same() {
        // Alike in the bits that tell the first of 1024 slots.
        let crowd = (0..).map(|n: u32| n.to_string()).filter(|word| bits(word) & 1023 == 7);
        let crowd: Vec<String> = crowd.take(100).collect();
        let mut interner = Interner::default();
        for _ in 0..2 {
            for (number, word) in crowd.iter().enumerate() {
                assert_eq!(interner.number(word), number);
            }
        }
        assert!(!interner.crowded.is_empty());
        assert!((0..100).all(|number| interner.word(number) == crowd[number]));
    }
}
