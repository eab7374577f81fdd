//! More grades than a collection has, by the distance of its documents over links.
//!
//! A collection of three grades is a graph: a document is *linked* to another if a query that the
//! one answers (grade 2) has the other as partially relevant (grade 1); links count in both
//! directions. The distance of a document from a query is 0 where it answers the query, 1 where it
//! is partially relevant, 2 where it is linked to one of these, and grows by 1 with each further
//! link. With K grades a document at distance n has grade `K - 1 - n`, at least 0. For K = 3 these
//! are the collection's own grades.

use super::corpus::Graded;
use crate::math::random::Random;

/// The links between the documents of a collection.
#[derive(Debug, Clone)]
pub struct Links {
    /// For each document the first one with the same text.
    copies: Vec<u32>,
    /// For each document the documents that it is linked to, if it is the first of its text.
    linked: Vec<Vec<u32>>,
}

impl Links {
    /// The links that judgements of each query make; `copies` has for each document the first one
    /// with the same text.
    pub fn new(copies: Vec<u32>, judged: &[Vec<Graded>]) -> Self {
        let mut linked = vec![Vec::new(); copies.len()];
        for list in judged {
            let of_grade = |grade: u8| {
                let own = list.iter().filter(move |graded| graded.grade == grade);
                own.map(|graded| copies[graded.document as usize])
            };
            for answer in of_grade(2) {
                for partly in of_grade(1) {
                    linked[answer as usize].push(partly);
                    linked[partly as usize].push(answer);
                }
            }
        }
        for list in &mut linked {
            list.sort_unstable();
            list.dedup();
        }
        Self { copies, linked }
    }

    /// The grade of every document for a query with these judgements, of `grades` grades.
    pub fn grades(&self, judged: &[Graded], grades: usize) -> Vec<u8> {
        let best = grades.saturating_sub(1).min(usize::from(u8::MAX)) as u8;
        let mut found = vec![0; self.copies.len()];
        let first = |grade: u8| {
            let own = judged.iter().filter(move |graded| graded.grade == grade);
            own.map(|graded| self.copies[graded.document as usize])
        };
        let mut reached: Vec<u32> = Vec::new();
        let mut next: Vec<u32> = first(2).collect();
        for (distance, grade) in (1..=best).rev().enumerate() {
            next.retain(|&document| found[document as usize] == 0);
            next.iter().for_each(|&document| found[document as usize] = grade);
            reached.append(&mut next);
            // A document at distance 1 is one that is judged so.
            next = match distance {
                0 => first(1).collect(),
                _ => {
                    let linked = reached.iter().flat_map(|&at| &self.linked[at as usize]);
                    linked.copied().collect()
                }
            };
            if distance > 0 {
                reached.clear();
            }
        }
        self.copies.iter().map(|&copy| found[copy as usize]).collect()
    }
}

/// The candidates of a query in training, in the order of their positions: its judged documents, and
/// of the documents with each grade below those of its judgements up to an equal part of `sampled`,
/// fewer where there are no more. `grades` has the grade of every document.
pub fn candidates(
    grades: &[u8],
    judged: &[Graded],
    sampled: usize,
    seed: u64,
    query: &str,
) -> Vec<Graded> {
    let mut is_judged = vec![false; grades.len()];
    judged.iter().for_each(|graded| is_judged[graded.document as usize] = true);
    let least = judged.iter().map(|graded| grades[graded.document as usize]).min().unwrap_or(0);
    let levels = usize::from(least).max(1);
    let mut chosen: Vec<u32> = judged.iter().map(|graded| graded.document).collect();
    for level in 0..levels {
        let others = (0..)
            .zip(grades)
            .filter(|&(at, &grade)| usize::from(grade) == level && !is_judged[at as usize]);
        let mut others: Vec<u32> = others.map(|(at, _)| at).collect();
        Random::new(seed, &format!("grade {level} {query}")).shuffle(&mut others);
        // What is left over by the division goes to the first levels.
        let part = sampled / levels + usize::from(level < sampled % levels);
        chosen.extend(others.into_iter().take(part));
    }
    chosen.sort_unstable();
    let graded = |document: u32| Graded { document, grade: grades[document as usize] };
    chosen.into_iter().map(graded).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graded(document: u32, grade: u8) -> Graded {
        Graded { document, grade }
    }

    /// A chain of documents: query n is answered by document n, and links to the one after it.
    fn chain(length: u32) -> (Links, Vec<Vec<Graded>>) {
        let list = |at: u32| {
            let mut list = vec![graded(at, 2)];
            list.extend((at > 0).then(|| graded(at - 1, 1)));
            list.extend((at + 1 < length).then(|| graded(at + 1, 1)));
            list
        };
        let judged: Vec<Vec<Graded>> = (0..length).map(list).collect();
        (Links::new((0..length).collect(), &judged), judged)
    }

    #[test]
    fn a_grade_falls_by_one_with_each_link() {
        let (links, judged) = chain(7);
        assert_eq!(links.grades(&judged[0], 7), [6, 5, 4, 3, 2, 1, 0]);
        assert_eq!(links.grades(&judged[3], 4), [0, 1, 2, 3, 2, 1, 0]);
        assert_eq!(links.grades(&judged[3], 2), [0, 0, 0, 1, 0, 0, 0]);
    }

    #[test]
    fn three_grades_are_those_of_the_judgements() {
        let (links, judged) = chain(9);
        for list in &judged {
            let mut own = vec![0; 9];
            list.iter().for_each(|graded| own[graded.document as usize] = graded.grade);
            assert_eq!(links.grades(list, 3), own);
        }
    }

    #[test]
    fn copies_have_the_grade_of_the_first() {
        // Document 3 is a copy of 1.
        let judged = vec![vec![graded(0, 2), graded(1, 1)], vec![graded(1, 2), graded(2, 1)]];
        let links = Links::new(vec![0, 1, 2, 1, 4], &judged);
        assert_eq!(links.grades(&judged[0], 4), [3, 2, 1, 2, 0]);
    }

    #[test]
    fn each_grade_that_is_not_judged_has_an_equal_part_of_the_sample() {
        let (links, judged) = chain(40);
        let grades = links.grades(&judged[20], 5);
        let found = candidates(&grades, &judged[20], 5, 1, "q");
        assert!(found.is_sorted_by_key(|graded| graded.document));
        // Grades 4 and 3 are judged; the five samples are 1 of grade 2, 2 of grade 1, 2 of grade 0.
        let count = |grade: u8| found.iter().filter(|graded| graded.grade == grade).count();
        assert_eq!([4, 3, 2, 1, 0].map(count), [1, 2, 1, 2, 2]);
        assert_eq!(found, candidates(&grades, &judged[20], 5, 1, "q"));
        // With two grades the linked documents are the nearest of grade 0, and all are kept.
        let two = candidates(&links.grades(&judged[20], 2), &judged[20], 5, 1, "q");
        assert_eq!(two.iter().filter(|graded| graded.grade == 0).count(), 2 + 5);
    }
}
