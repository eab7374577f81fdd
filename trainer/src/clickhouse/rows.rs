//! Rows of tables: their batches, and the sums that servers compute too.

/// How a batch must be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Batch {
    /// How many rows it has.
    pub rows: u64,
    /// The sum of its rows.
    pub sum: u64,
}

/// Adds a length to a row in RowBinary: seven bits a byte, the lowest first.
pub fn push_length(row: &mut Vec<u8>, mut length: usize) {
    while length > 127 {
        row.push((length & 127) as u8 | 128);
        length >>= 7;
    }
    row.push(length as u8);
}

/// ClickHouse's `intHash64`: a constant, and the end of MurmurHash3.
pub fn mixed(number: u64) -> u64 {
    let mut x = number ^ 0x4cf2_d2ba_ae6d_a887;
    x ^= x >> 33;
    x = x.wrapping_mul(0xff51_afd7_ed55_8ccd);
    x ^= x >> 33;
    x = x.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    x ^ (x >> 33)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_mixed_as_by_a_server() {
        // SELECT intHash64(1), intHash64(123456789012345) of ClickHouse 18.16.
        assert_eq!(mixed(1), 10_577_349_846_663_553_072);
        assert_eq!(mixed(123_456_789_012_345), 8_266_723_286_077_511_066);
    }
}
