//! Whole numbers in as few bytes as they take: seven bits in each, lowest first, the eighth set in
//! all but the last (LEB128).

/// Adds a number.
pub fn push(bytes: &mut Vec<u8>, mut number: u32) {
    while number > 0x7f {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes the number that begins at `place` and moves there on; `None` where the bytes end first or
/// the number needs more than 32 bits.
#[inline]
pub fn take(bytes: &[u8], place: &mut usize) -> Option<u32> {
    // Most are small.
    let first = *bytes.get(*place)?;
    if first < 0x80 {
        *place += 1;
        return Some(first.into());
    }
    take_long(bytes, place)
}

fn take_long(bytes: &[u8], place: &mut usize) -> Option<u32> {
    let mut number = 0;
    for shift in (0..32).step_by(7) {
        let byte = u32::from(*bytes.get(*place)?);
        *place += 1;
        number |= (byte & 0x7f) << shift;
        if byte < 0x80 {
            return (shift < 28 || byte < 0x10).then_some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_bytes_of_the_standard_s_examples() {
        // DWARF 5, figure 22.
        let examples: [(u32, &[u8]); 5] = [
            (2, &[2]),
            (127, &[0x7f]),
            (128, &[0x80, 1]),
            (129, &[0x81, 1]),
            (12_857, &[0xb9, 0x64]),
        ];
        for (number, expected) in examples {
            let mut bytes = Vec::new();
            push(&mut bytes, number);
            assert_eq!(bytes, expected);
        }
    }

    #[test]
    fn every_number_comes_back_and_no_other_bytes_are_one() {
        for number in [0, 1, 127, 128, 16_383, 16_384, u32::MAX - 1, u32::MAX] {
            let mut bytes = vec![0x80];
            push(&mut bytes, number);
            let mut place = 1;
            assert_eq!(take(&bytes, &mut place), Some(number));
            assert_eq!(place, bytes.len());
            assert_eq!(take(&bytes[..bytes.len() - 1], &mut 1), None);
        }
        assert_eq!(take(&[0xff, 0xff, 0xff, 0xff, 0x10], &mut 0), None);
        assert_eq!(take(&[0x80; 6], &mut 0), None);
    }
}
