//! Bytes -> a safetensors file whose header is nearly right: it reaches what lies behind the checks of syntax, which
//! bytes at random seldom pass.

use std::fmt::Write;

const KINDS: [&str; 4] = ["model", "index", "texts", "other"];
const TYPES: [(&str, usize); 8] = [
    ("U8", 1),
    ("U16", 2),
    ("U32", 4),
    ("I8", 1),
    ("F16", 2),
    ("F32", 4),
    ("F64", 8),
    ("BOOL", 1),
];
/// Of models, indexes and texts.
const NAMES: [&str; 28] = [
    "query.vocabulary",
    "query.embedding",
    "query.scale",
    "query.weights",
    "subword.embedding",
    "subword.scale",
    "document.fr.vocabulary",
    "document.fr.embedding",
    "document.fr.scale",
    "translation.fr.words",
    "translation.fr.terms",
    "translation.fr.lists",
    "deep.centre",
    "deep.projection",
    "vectors",
    "scale",
    "norms",
    "language",
    "lengths",
    "terms.fr",
    "lists.fr",
    "field.0.values",
    "field.0.values.offsets",
    "field.0.starts",
    "field.0.of",
    "ids",
    "ids.offsets",
    "texts",
];
const CONFIGS: [&str; 4] = [
    r#"{\"dimension\":1,\"encoder\":\"average\",\"epsilon\":0.5,\"languages\":[\"fr\"],\"text\":{\"rule\":\"unicode-words\",\"version\":1},\"thresholds\":[0.1]}"#,
    r#"{\"dimension\":2,\"fields\":[\"topic\"],\"languages\":[\"fr\",\"sw\"],\"text\":{\"rule\":\"unicode-words\",\"version\":1}}"#,
    r#"{\"block\":0}"#,
    r#"{\"block\":18446744073709551615,\"texts\":[],\"languages\":[]}"#,
];

/// A file by these choices; the last of them are its data.
pub fn file(bytes: &[u8]) -> Vec<u8> {
    let mut choices = bytes.iter().copied();
    let mut choose = |count: usize| usize::from(choices.next().unwrap_or(0)) % count;
    let kind = KINDS[choose(KINDS.len())];
    let config = CONFIGS[choose(CONFIGS.len())];
    let mut entries = String::new();
    let mut end = 0;
    for _ in 0..choose(40) {
        let name = NAMES[choose(NAMES.len())];
        let (dtype, size) = TYPES[choose(TYPES.len())];
        let shape: Vec<usize> = (0..choose(4)).map(|_| choose(5)).collect();
        let (start, skew) = (end, choose(50));
        end = start + size * shape.iter().product::<usize>();
        // Seldom a byte too few or too many, or a number that is none.
        let stated = match skew {
            0 => (end + 1).to_string(),
            1 => "-1".into(),
            2 => u64::MAX.to_string(),
            _ => end.to_string(),
        };
        let _ = write!(
            entries,
            r#","{name}":{{"dtype":"{dtype}","shape":{shape:?},"data_offsets":[{start},{stated}]}}"#
        );
    }
    let header = format!(
        r#"{{"__metadata__":{{"format":"smooth-clir","version":"1","kind":"{kind}","config":"{config}","provenance":"{{}}","model":"a","space":"a"}}{entries}}}"#
    );
    let mut data: Vec<u8> = choices.collect();
    data.resize(end, 0);
    [&(header.len() as u64).to_le_bytes(), header.as_bytes(), &data].concat()
}
