//! Paragraphs that many pages of a collection have: headers, menus and notices, which their elements do not tell.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use crate::document::{Found, Part};

/// The fewest pages that are many.
const PAGES: usize = 8;

/// A paragraph is left out that one page in so many has. Of the 2,561 pages of LibreOffice's French help, what is not
/// their own is on 1,015 or more, and the most frequent paragraph that is, on 137; of the 127 of Debian's French
/// handbook, on all, and on 3 or fewer.
const PARAGRAPH: usize = 6;

/// A heading is left out that one page in so many has: many pages have the same sections, such as "Syntax".
const HEADING: usize = 2;

/// Leaves out the paragraphs and headings that many pages have. Returns how many.
pub fn leave_out(pages: &mut [Found]) -> u64 {
    // The same in each run.
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    let mut counts: HashMap<u64, usize> = HashMap::new();
    for page in &*pages {
        let own: HashSet<u64> = page.parts.iter().map(|part| hasher.hash_one(&part.text)).collect();
        own.into_iter().for_each(|hash| *counts.entry(hash).or_default() += 1);
    }
    let [of_paragraph, of_heading] =
        [PARAGRAPH, HEADING].map(|one| PAGES.max(pages.len().div_ceil(one)));
    let is_own = |part: &Part| {
        let found = counts.get(&hasher.hash_one(&part.text)).copied().unwrap_or_default();
        found < if part.is_heading { of_heading } else { of_paragraph }
    };
    let mut left_out = 0;
    for page in pages {
        let before = page.parts.len();
        page.parts.retain(is_own);
        left_out += (before - page.parts.len()) as u64;
    }
    left_out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left of pages, of which so many have the paragraph `Menu` and the heading `Syntax`.
    fn left(pages: usize, with: usize) -> (Vec<String>, u64) {
        let page = |at: usize| {
            let own = Part::plain(format!("own {at}"));
            let heading = Part { is_heading: true, ..Part::plain("Syntax".into()) };
            let shared = [Part::plain("Menu".into()), heading];
            let shared = shared.into_iter().filter(|_| at < with);
            Found { parts: shared.chain([own]).collect(), ..Found::default() }
        };
        let mut pages: Vec<Found> = (0..pages).map(page).collect();
        let left_out = leave_out(&mut pages);
        let parts = pages.into_iter().flat_map(|page| page.parts).map(|part| part.text);
        let mut texts: Vec<String> = parts.filter(|text| !text.starts_with("own")).collect();
        texts.sort();
        texts.dedup();
        (texts, left_out)
    }

    #[test]
    fn a_paragraph_of_one_page_in_six_and_a_heading_of_one_in_two_are_left_out() {
        for (pages, with, expected) in [
            (60, 9, &["Menu", "Syntax"][..]),
            (60, 10, &["Syntax"]),
            (60, 29, &["Syntax"]),
            (60, 30, &[]),
            // Eight are the fewest that are many.
            (8, 7, &["Menu", "Syntax"]),
            (8, 8, &[]),
            (14, 8, &[]),
            (1, 1, &["Menu", "Syntax"]),
        ] {
            let (texts, left_out) = left(pages, with);
            assert_eq!(texts, expected, "{with} of {pages}");
            assert_eq!(left_out as usize, with * (2 - expected.len()));
        }
    }

    #[test]
    fn a_paragraph_that_one_page_repeats_is_its_own() {
        let parts = vec![Part::plain("again".into()); 20];
        let mut pages = vec![Found { parts, ..Found::default() }];
        assert_eq!(leave_out(&mut pages), 0);
    }
}
