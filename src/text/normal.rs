//! Unicode normalisation form NFKC, as in Unicode annex 15.
//!
//! The tables that are built in are made to be downloaded. The first text that needs them has them
//! spread out into tables that are made to be looked up in.

use std::sync::OnceLock;

// The build script writes these, most of them numbers as characters.

/// Between each character that decomposes and the next, how many do not.
const GAPS: &str = include_str!(concat!(env!("OUT_DIR"), "/gaps"));
/// Twice the number of its parts, and 1 more where these are two that compose again.
const SHAPES: &str = include_str!(concat!(env!("OUT_DIR"), "/shapes"));
/// The distance of its first part from that of the last: twice that, less 1 where it is before it.
const FIRSTS: &str = include_str!(concat!(env!("OUT_DIR"), "/firsts"));
/// Its other parts.
const OTHERS: &str = include_str!(concat!(env!("OUT_DIR"), "/others"));
/// Of each run of one combining class: how many are between it and the last, how many it has, which
/// class.
const CLASSES: &str = include_str!(concat!(env!("OUT_DIR"), "/classes"));

/// Appends the normal form of a text to `normal`.
pub fn append_nfkc(text: &str, normal: &mut String) {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    let tables = TABLES.get_or_init(Tables::new);
    let mut run = Vec::new();
    for c in text.chars() {
        tables.decompose(c, &mut run, normal);
    }
    tables.compose(&mut run, normal);
}

/// The normalisation data of a character.
#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    /// Its canonical combining class; a starter's is 0.
    class: u8,
    /// Whether it may compose with what is before it.
    joins: bool,
    /// The number of characters that it decomposes into; 0 if it does not decompose.
    length: u8,
    /// Where these begin among the parts of all.
    start: u16,
    /// The last composition that it begins, counted from 1.
    composition: u16,
}

/// A character that comes of two.
#[derive(Debug)]
struct Composition {
    second: char,
    whole: char,
    /// Another that begins with the same character, counted from 1.
    other: u16,
}

#[derive(Debug)]
struct Tables {
    /// The page of each [`PAGE`] characters; there is nothing to say of those on the first.
    pages: Vec<u16>,
    entries: Vec<[Entry; PAGE]>,
    parts: Vec<char>,
    compositions: Vec<Composition>,
}

const PAGE: usize = 64;

impl Tables {
    fn new() -> Tables {
        let (pages, entries) = (Vec::new(), vec![[Entry::default(); PAGE]]);
        let mut tables = Tables { pages, entries, parts: Vec::new(), compositions: Vec::new() };
        tables.read_decompositions();
        tables.read_classes();
        for c in VOWELS.chain(FINALS) {
            tables.entry_mut(c).joins = true;
        }
        tables
    }

    fn read_decompositions(&mut self) {
        let (mut c, mut first) = (0, 0u32);
        let mut others = OTHERS.chars();
        for ((gap, shape), step) in numbers(GAPS).zip(numbers(SHAPES)).zip(numbers(FIRSTS)) {
            c += gap;
            first = first.wrapping_add(step >> 1 ^ (step & 1).wrapping_neg());
            let (start, length) = (self.parts.len() as u16, shape as usize >> 1);
            self.parts.extend(char::from_u32(first));
            self.parts.extend(others.by_ref().take(length - 1));
            let entry = self.entry_mut(c);
            (entry.start, entry.length) = (start, length as u8);
            if shape & 1 == 1 {
                self.add_composition(c);
            }
            c += 1;
        }
    }

    /// Notes that the last two parts make a character.
    fn add_composition(&mut self, whole: u32) {
        let (Some(&[first, second]), Some(whole)) =
            (self.parts.last_chunk(), char::from_u32(whole))
        else {
            return;
        };
        self.entry_mut(second as u32).joins = true;
        let number = self.compositions.len() as u16 + 1;
        let other = std::mem::replace(&mut self.entry_mut(first as u32).composition, number);
        self.compositions.push(Composition { second, whole, other });
    }

    fn read_classes(&mut self) {
        let mut runs = numbers(CLASSES);
        let mut c = 0;
        while let (Some(gap), Some(length), Some(class)) = (runs.next(), runs.next(), runs.next()) {
            c += gap;
            for _ in 0..length {
                self.entry_mut(c).class = class as u8;
                c += 1;
            }
        }
    }

    fn entry_mut(&mut self, c: u32) -> &mut Entry {
        let place = c as usize / PAGE;
        if place >= self.pages.len() {
            self.pages.resize(place + 1, 0);
        }
        if self.pages[place] == 0 {
            self.pages[place] = self.entries.len() as u16;
            self.entries.push([Entry::default(); PAGE]);
        }
        &mut self.entries[usize::from(self.pages[place])][c as usize % PAGE]
    }

    fn entry(&self, c: char) -> Entry {
        let page = self.pages.get(c as usize / PAGE).copied().unwrap_or(0);
        self.entries[usize::from(page)][c as usize % PAGE]
    }

    /// Adds what a character decomposes to, with its classes, to a run of characters that may yet be
    /// ordered and composed. What cannot be is written to `normal` and taken from the run.
    fn decompose(&self, c: char, run: &mut Vec<(char, u8)>, normal: &mut String) {
        let entry = self.entry(c);
        if entry.length > 0 {
            let parts = &self.parts[usize::from(entry.start)..][..usize::from(entry.length)];
            parts.iter().for_each(|&part| self.decompose(part, run, normal));
            return;
        }
        if entry.class == 0 && !entry.joins {
            self.compose(run, normal);
        }
        run.push((c, entry.class));
    }

    /// Takes all of a run and writes it to `normal`, in canonical order and composed.
    fn compose(&self, run: &mut Vec<(char, u8)>, normal: &mut String) {
        run.split_mut(|&(_, class)| class == 0).for_each(order);
        let mut starter: Option<usize> = None;
        let mut kept = 0;
        for at in 0..run.len() {
            let (c, class) = run[at];
            if let Some(starter) = starter
                && (starter + 1 == kept || run[kept - 1].1 < class)
                && let Some(whole) = self.composed(run[starter].0, c)
            {
                run[starter].0 = whole;
                continue;
            }
            if class == 0 {
                starter = Some(kept);
            }
            run[kept] = (c, class);
            kept += 1;
        }
        normal.extend(run[..kept].iter().map(|&(c, _)| c));
        run.clear();
    }

    /// The composition of two characters.
    fn composed(&self, first: char, second: char) -> Option<char> {
        let composition = |number: u16| self.compositions.get(usize::from(number).checked_sub(1)?);
        let last = composition(self.entry(first).composition);
        std::iter::successors(last, |last| composition(last.other))
            .find(|composition| composition.second == second)
            .map(|composition| composition.whole)
            .or_else(|| syllable(first as u32, second as u32))
    }
}

/// Sorts marks by their class; those of one class stay in their order.
fn order(marks: &mut [(char, u8)]) {
    if marks.is_sorted_by_key(|&(_, class)| class) {
        return;
    }
    let unordered = marks.to_vec();
    let above =
        |least: u8| unordered.iter().map(|&(_, class)| class).filter(move |&c| c > least).min();
    let classes = std::iter::successors(above(0), |&class| above(class));
    let ordered = classes.flat_map(|class| unordered.iter().filter(move |mark| mark.1 == class));
    marks.iter_mut().zip(ordered).for_each(|(mark, &ordered)| *mark = ordered);
}

// The letters of Korean, and the syllables that they compose to: all of a first letter and a vowel lie
// before the next, each before those that end in a final letter as well.
const LEADS: std::ops::Range<u32> = 0x1100..0x1113;
const VOWELS: std::ops::Range<u32> = 0x1161..0x1176;
const FINALS: std::ops::Range<u32> = 0x11a8..0x11c3;
const SYLLABLES: std::ops::Range<u32> = 0xac00..0xd7a4;
const SYLLABLES_OF_A_VOWEL: u32 = 28;

fn syllable(first: u32, second: u32) -> Option<char> {
    let open = LEADS.contains(&first) && VOWELS.contains(&second);
    let closed = SYLLABLES.contains(&first)
        && (first - SYLLABLES.start).is_multiple_of(SYLLABLES_OF_A_VOWEL)
        && FINALS.contains(&second);
    if open {
        let of_lead = (first - LEADS.start) * VOWELS.len() as u32;
        let number = (of_lead + second - VOWELS.start) * SYLLABLES_OF_A_VOWEL;
        char::from_u32(SYLLABLES.start + number)
    } else if closed {
        char::from_u32(first + 1 + second - FINALS.start)
    } else {
        None
    }
}

/// Numbers that the build script wrote as characters.
fn numbers(text: &str) -> impl Iterator<Item = u32> {
    text.chars().map(|c| if c < '\u{e000}' { c as u32 } else { c as u32 - 0x800 })
}

#[cfg(test)]
mod tests {
    use super::append_nfkc;
    use proptest::prelude::*;
    use unicode_normalization::UnicodeNormalization;

    fn nfkc(text: &str) -> String {
        let mut normal = String::new();
        append_nfkc(text, &mut normal);
        normal
    }

    #[test]
    fn every_character_has_its_normal_form_alone_and_among_marks() {
        for c in '\0'..=char::MAX {
            let decomposed: String = [c].into_iter().nfd().collect();
            let text = format!("{c}{c} {decomposed}\u{327}\u{301}{c}\u{5b0}\u{307}{c}");
            assert!(text.nfkc().eq(nfkc(&text).chars()), "{text:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn every_text_has_its_normal_form(
            text in "([a-zA-Z가-힣ᄀ-ᇿ\u{300}-\u{36f}\u{591}-\u{5bd}\u{900}-\u{dff}\u{ff66}-\u{ffdc}]|.){0,24}"
        ) {
            prop_assert_eq!(nfkc(&text), text.nfkc().collect::<String>());
        }
    }

    #[test]
    fn marks_are_ordered_and_composed() {
        // Unicode annex 15, figures 5 and 6.
        assert_eq!(nfkc("\u{1e9b}\u{323}"), "\u{1e69}");
        assert_eq!(nfkc("ﬁ2⁵"), "fi25");
        assert_eq!(nfkc("\u{1112}\u{1161}\u{11ab}"), "한");
    }
}
