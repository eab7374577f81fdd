//! Numbers as text.

/// The fewest digits that stand for a number, as JSON writes them where it is finite. What the
/// standard library displays numbers with would take 7 KB of the page's module.
pub(crate) fn decimal(number: f32) -> String {
    let mut buffer = zmij::Buffer::new();
    let digits = buffer.format(number);
    digits.strip_suffix(".0").unwrap_or(digits).into()
}

/// A list of them.
pub(crate) fn decimals(numbers: &[f32]) -> String {
    let numbers: Vec<String> = numbers.iter().map(|&number| decimal(number)).collect();
    format!("[{}]", numbers.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_digits_of_a_number_are_json_that_stands_for_it(number: f32) {
            prop_assume!(number.is_finite());
            let read: serde_json::Value = serde_json::from_str(&decimal(number)).unwrap();
            prop_assert_eq!(read.as_f64().unwrap() as f32, number);
        }
    }

    #[test]
    fn whole_numbers_have_no_point_and_others_no_more_digits_than_they_need() {
        assert_eq!(decimals(&[1.0, -0.1, 1e-7, 3e20]), "[1, -0.1, 1e-7, 3e+20]");
        assert_eq!([f32::NAN, f32::NEG_INFINITY].map(decimal), ["NaN", "-inf"]);
    }
}
