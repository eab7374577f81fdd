//! The container against the `safetensors` library: each reads what the other writes, and what
//! the library refuses, the container does.

use std::collections::BTreeMap;

use proptest::prelude::*;
use safetensors::tensor::{Dtype, SafeTensors, TensorView, serialize};
use smooth_clir::Error;
use smooth_clir::storage::container::{Element, Reader, Writer};

const KIND: &str = "test";
const METADATA: &str = r#""__metadata__":{"format":"smooth-clir","kind":"test","version":"1"}"#;

/// A file of this header and data.
fn file(header: &[u8], data: &[u8]) -> Vec<u8> {
    [&(header.len() as u64).to_le_bytes(), header, data].concat()
}

/// A file with these entries, which its header ends with, and so many bytes of data.
fn file_of(entries: &str, data: usize) -> Vec<u8> {
    file(format!("{{{METADATA},{entries}}}").as_bytes(), &vec![0; data])
}

/// Why the container holds the file to be no safetensors, if it does.
fn refusal(bytes: &[u8]) -> Option<String> {
    match Reader::open(bytes, KIND).err()? {
        Error::NotSafetensors { reason, .. } => Some(reason),
        _ => None,
    }
}

/// One tensor of each type that the container writes.
fn each_element() -> Writer {
    let mut writer = Writer::new(KIND);
    writer.text("text", "été\n");
    writer.bytes("none", &[]);
    writer.u32("offsets", &[0, 7, u32::MAX]);
    writer.i8("small", &[3, 1], &[-127, 0, 5]);
    writer.f16("half", &[1, 2], &[0x3800, 0xc000]);
    writer.f32("a \"full\" one", &[2, 2], &[1.0, -0.25, 0.0, 3.5]);
    writer.metadata("note", "\"quoted\"\tand é".into());
    writer
}

#[test]
fn the_library_reads_what_the_container_writes() {
    let bytes = each_element().into_bytes();
    let (_, header) = SafeTensors::read_metadata(&bytes).unwrap();
    let metadata = header.metadata().as_ref().unwrap();
    assert_eq!(metadata["kind"], KIND);
    assert_eq!(metadata["note"], "\"quoted\"\tand é");
    let read = SafeTensors::deserialize(&bytes).unwrap();
    assert_eq!(read.len(), 6);
    let expect = |name, dtype, shape: &[usize], data: &[u8]| {
        let view = read.tensor(name).unwrap();
        assert_eq!((view.dtype(), view.shape(), view.data()), (dtype, shape, data), "{name}");
    };
    expect("text", Dtype::U8, &[6], "été\n".as_bytes());
    expect("none", Dtype::U8, &[0], &[]);
    expect("offsets", Dtype::U32, &[3], &[0, 0, 0, 0, 7, 0, 0, 0, 255, 255, 255, 255]);
    expect("small", Dtype::I8, &[3, 1], &[129, 0, 5]);
    // IEEE 754: 0.5 is 0x3800 and -2 is 0xc000; 1, -0.25 and 3.5 end in 3f80, be80 and 4060.
    expect("half", Dtype::F16, &[1, 2], &[0, 0x38, 0, 0xc0]);
    let full = [0, 0, 0x80, 0x3f, 0, 0, 0x80, 0xbe, 0, 0, 0, 0, 0, 0, 0x60, 0x40];
    expect("a \"full\" one", Dtype::F32, &[2, 2], &full);
}

/// These tensors as the library writes them, with the metadata that the container requires.
fn by_library(tensors: &[(&str, Dtype, &[usize], &[u8])], extensions: &str) -> Vec<u8> {
    let views = tensors.iter().map(|&(name, dtype, shape, data)| {
        (name, TensorView::new(dtype, shape.to_vec(), data).unwrap())
    });
    let metadata =
        [("format", "smooth-clir"), ("kind", KIND), ("version", "1"), ("extensions", extensions)];
    let metadata = metadata.map(|(key, value)| (key.to_owned(), value.to_owned()));
    serialize(views, Some(metadata.into_iter().collect())).unwrap()
}

#[test]
fn the_container_reads_what_the_library_writes() {
    let bytes = by_library(
        &[
            ("words", Dtype::U8, &[5], "mvua\n".as_bytes()),
            ("offsets", Dtype::U32, &[2], &[1, 0, 0, 0, 0, 1, 0, 0]),
            ("small", Dtype::I8, &[2, 2], &[127, 255, 0, 2]),
            ("scale", Dtype::F32, &[2], &[0, 0, 0, 0x3f, 0, 0, 0x80, 0x3f]),
            ("half", Dtype::F16, &[2, 1], &[0, 0x3c, 0, 0xb8]),
            ("full", Dtype::F32, &[1, 2], &[0, 0, 0x20, 0x40, 0, 0, 0x80, 0xbf]),
        ],
        "[]",
    );
    let mut reader = Reader::open(&bytes, KIND).unwrap();
    let mut table = |name, dimension| {
        let allowed = [Element::F32, Element::F16, Element::I8];
        let rows = reader.rows(name, "scale", None, dimension, &allowed).unwrap();
        rows.widened().into_values()
    };
    // 8-bit integers times their row's scale, which are 0.5 and 1.
    assert_eq!(table("small", 2), [63.5, -0.5, 0.0, 2.0]);
    assert_eq!(table("half", 1), [1.0, -0.5]);
    assert_eq!(table("full", 2), [2.5, -1.0]);
    assert_eq!(reader.text("words").unwrap(), "mvua\n");
    assert_eq!(*reader.u32("offsets").unwrap(), [1, 256]);
    reader.finish().unwrap();
}

#[test]
fn tensors_of_every_type_that_the_library_knows_may_be_extensions() {
    for (dtype, shape, length) in [
        (Dtype::BOOL, [3], 3),
        (Dtype::F4, [6], 3),
        (Dtype::F6_E2M3, [4], 3),
        (Dtype::F6_E3M2, [4], 3),
        (Dtype::U8, [3], 3),
        (Dtype::I8, [3], 3),
        (Dtype::F8_E5M2, [3], 3),
        (Dtype::F8_E4M3, [3], 3),
        (Dtype::F8_E8M0, [3], 3),
        (Dtype::F8_E4M3FNUZ, [3], 3),
        (Dtype::F8_E5M2FNUZ, [3], 3),
        (Dtype::I16, [3], 6),
        (Dtype::U16, [3], 6),
        (Dtype::F16, [3], 6),
        (Dtype::BF16, [3], 6),
        (Dtype::I32, [3], 12),
        (Dtype::U32, [3], 12),
        (Dtype::F32, [3], 12),
        (Dtype::C64, [3], 24),
        (Dtype::F64, [3], 24),
        (Dtype::I64, [3], 24),
        (Dtype::U64, [3], 24),
    ] {
        let bytes = by_library(&[("theirs", dtype, &shape, &vec![0; length])], "[\"theirs\"]");
        Reader::open(&bytes, KIND).unwrap().finish().unwrap();
    }
}

#[test]
fn tensors_may_lie_in_any_order() {
    let bytes = file(
        format!(
            "{{{}, {}, {METADATA}, {}}}  ",
            r#""a": {"shape": [2], "data_offsets": [3, 5], "dtype": "U8"}"#,
            r#""c": {"dtype": "U8", "shape": [0], "data_offsets": [3, 3]}"#,
            r#""b": {"dtype": "U8", "shape": [3], "data_offsets": [0, 3]}"#,
        )
        .as_bytes(),
        b"onetw",
    );
    assert!(SafeTensors::deserialize(&bytes).is_ok());
    let mut reader = Reader::open(&bytes, KIND).unwrap();
    let texts = ["a", "b", "c"].map(|name| reader.text(name).unwrap());
    assert_eq!(texts, ["tw", "one", ""]);
}

#[test]
fn a_file_without_metadata_lacks_its_format() {
    let bytes = file(b"{}", b"");
    assert!(SafeTensors::deserialize(&bytes).is_ok());
    assert_eq!(Reader::open(&bytes, KIND).err().unwrap().code(), "metadata");
}

#[test]
fn what_the_library_refuses_the_container_refuses_and_says_why() {
    let entry = |dtype: &str, shape: &str, offsets: &str| {
        format!(r#""x":{{"dtype":{dtype},"shape":{shape},"data_offsets":{offsets}}}"#)
    };
    let two = |first: &str, second: &str, shape: &str| {
        let second = entry("\"U8\"", shape, second).replace("\"x\"", "\"y\"");
        format!("{},{second}", entry("\"U8\"", "[4]", first))
    };
    let good = entry("\"U8\"", "[4]", "[0,4]");
    assert_eq!(refusal(&file_of(&good, 4)), None);
    let types = "no `dtype` that the format knows";
    let shapes = "no `shape` that is a list of whole numbers";
    let offsets = "no `data_offsets` that are two whole numbers";
    let size = "not the size of shape";
    let gap = "gap or overlap";
    for (entries, data, part) in [
        // Places.
        (good.clone(), 3, "ends at byte 4 of the data, which are cut off at 3"),
        (good.clone(), 5, "found an end at byte 4 of the data, expected 5"),
        (entry("\"U8\"", "[4]", "[1,5]"), 5, gap),
        (entry("\"U8\"", "[0]", "[4,0]"), 4, size),
        (two("[0,4]", "[5,9]", "[4]"), 9, gap),
        (two("[0,4]", "[3,7]", "[4]"), 7, gap),
        (two("[0,4]", "[0,4]", "[4]"), 4, gap),
        (two("[0,4]", "[2,2]", "[0]"), 4, gap),
        // Sizes; 2^32 * 2^32 and 2^61 * 8 are 2^64.
        (entry("\"U8\"", "[3]", "[0,4]"), 4, size),
        (entry("\"F32\"", "[4]", "[0,4]"), 4, size),
        (entry("\"F4\"", "[7]", "[0,4]"), 4, size),
        (entry("\"U8\"", "[]", "[0,0]"), 0, size),
        (entry("\"U8\"", "[4294967296,4294967296]", "[0,0]"), 0, size),
        (entry("\"U8\"", "[4294967296,4294967296,0]", "[0,0]"), 0, size),
        (entry("\"U8\"", "[2305843009213693952]", "[0,0]"), 0, size),
        // Fields.
        (entry("\"U9\"", "[4]", "[0,4]"), 4, types),
        (entry("\"u8\"", "[4]", "[0,4]"), 4, types),
        (entry("8", "[4]", "[0,4]"), 4, types),
        (entry("\"U8\"", "4", "[0,4]"), 4, shapes),
        (entry("\"U8\"", "[-4]", "[0,4]"), 4, shapes),
        (entry("\"U8\"", "[4.0]", "[0,4]"), 4, shapes),
        (entry("\"U8\"", "[18446744073709551616]", "[0,4]"), 4, shapes),
        (entry("\"U8\"", "[4]", "[4]"), 4, offsets),
        (entry("\"U8\"", "[4]", "[0,4,4]"), 4, offsets),
        (entry("\"U8\"", "[4]", "[\"0\",4]"), 4, offsets),
        (entry("\"U8\"", "[4]", "[0,null]"), 4, offsets),
        (good.replace("\"dtype\":\"U8\",", ""), 4, types),
        (good.replace("\"shape\":[4],", ""), 4, shapes),
        (good.replace(",\"data_offsets\":[0,4]", ""), 4, offsets),
        ("\"x\":4".into(), 4, types),
        ("\"x\":null".into(), 4, types),
        // Keys twice.
        (format!("{good},{METADATA}"), 4, "twice"),
        (good.replace("\"dtype\"", "\"dtype\":\"I8\",\"dtype\""), 4, "twice"),
        // The header as a whole.
        (format!("{good},"), 4, "not JSON"),
        (format!("{good}}}"), 4, "not JSON"),
        (format!("{good},\"\\ud800\":{{}}"), 4, "not JSON"),
        (format!("{good},\"y\":{}", "[".repeat(1000)), 4, "not JSON"),
    ] {
        let bytes = file_of(&entries, data);
        assert!(SafeTensors::deserialize(&bytes).is_err(), "the library accepts {entries}");
        let reason = refusal(&bytes).unwrap_or_else(|| panic!("{entries} is accepted"));
        assert!(reason.contains(part), "{entries}: no {part:?} in {reason}");
    }
    for (bytes, part) in [
        (vec![], "shorter than the 8 bytes"),
        (vec![0; 7], "shorter than the 8 bytes"),
        (file(b"", b""), "not JSON"),
        (file(b"[]", b""), "not a JSON object"),
        (file(b"{}", b"x"), "found an end at byte 0 of the data, expected 1"),
        (file(b"{\"\xff\":1}", b""), "not UTF-8"),
        (file(b"\xef\xbb\xbf{}", b""), "not JSON"),
        (file(br#"{"__metadata__":{"version":1}}"#, b""), "no map of strings"),
        (file(br#"{"__metadata__":["format"]}"#, b""), "no map of strings"),
        ([&[3, 0, 0, 0, 0, 0, 0, 0], &b"{}"[..]].concat(), "cut off inside its header"),
        ([[0xff; 8], [b'{'; 8]].concat(), "more than"),
    ] {
        assert!(SafeTensors::deserialize(&bytes).is_err(), "the library accepts {bytes:?}");
        let reason = refusal(&bytes).unwrap_or_else(|| panic!("{bytes:?} is accepted"));
        assert!(reason.contains(part), "{bytes:?}: no {part:?} in {reason}");
    }
}

/// As the format has it, and the library does not ask.
#[test]
fn a_header_begins_with_its_brace_and_has_no_key_twice_or_unknown() {
    let entry = r#""x":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}"#;
    for (header, part) in [
        (format!(" {{{METADATA}}}"), "from its first byte"),
        (format!("{{{METADATA},{entry},{entry}}}"), "twice"),
        (
            format!("{{{METADATA},{}}}", entry.replace("\"dtype\"", "\"note\":[],\"dtype\"")),
            "`x` has `note`, which the format does not know",
        ),
        (format!("{{{}}}", METADATA.replace("\"kind\"", "\"kind\":\"y\",\"kind\"")), "twice"),
    ] {
        let bytes = file(header.as_bytes(), b"");
        assert!(SafeTensors::deserialize(&bytes).is_ok(), "{header}");
        assert!(refusal(&bytes).unwrap().contains(part), "{header}");
    }
    // Colons, quotes and backslashes within strings are no keys.
    let name = r#""a:\":\\":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}"#;
    assert_eq!(refusal(&file_of(name, 0)), None);
}

// ---- anything at all -----------------------------------------------------------------------

/// Takes every tensor out as everything that it might be.
fn take_all(bytes: &[u8]) {
    let open = || Reader::open(bytes, KIND).ok();
    let names: Vec<String> =
        open().iter().flat_map(|reader| reader.left()).map(str::to_owned).collect();
    for name in &names {
        let _ = open().map(|mut reader| reader.text(name));
        let _ = open().map(|mut reader| reader.u32(name));
        let _ = open().map(|mut reader| reader.magnitudes(name, 4));
        let every = [Element::F32, Element::F16, Element::I8, Element::U8, Element::U32];
        let _ = open().map(|mut reader| reader.rows(name, "scale", None, 2, &every));
    }
    let _ = open().map(Reader::finish);
}

/// Whether the library reads the file as the container does, but for what only this refuses.
fn agree(bytes: &[u8]) -> bool {
    match (refusal(bytes), SafeTensors::deserialize(bytes)) {
        (Some(reason), Ok(_)) => {
            let only_here = ["twice", "does not know", "first byte"];
            only_here.iter().any(|part| reason.contains(part))
        }
        (None, Err(_)) => false,
        _ => true,
    }
}

/// A byte that may stand in a header.
fn header_byte() -> impl Strategy<Value = u8> {
    prop_oneof![
        8 => prop::sample::select(&br#"{}[]",:\0123456789-.eE tnu"#[..]),
        1 => any::<u8>(),
    ]
}

/// The entry of a tensor whose size is nearly always right, and how many bytes it takes.
fn entry(name: usize, (dtype, shape, skew): &(&str, Vec<u64>, i64), start: u64) -> (String, u64) {
    let width = BTreeMap::from([("U8", 1), ("F16", 2), ("F32", 4), ("F64", 8)])[dtype];
    let size = shape.iter().product::<u64>() * width;
    let start_written = start as i64 + skew.signum();
    let end_written = (start + size) as i64 + skew / 2;
    let entry = format!(
        r#""{name}":{{"dtype":"{dtype}","shape":{shape:?},"data_offsets":[{start_written},{end_written}]}}"#
    );
    (entry, size)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn changed_and_cut_files_are_held_to_be_what_the_library_holds_them_to_be(
        changes in prop::collection::vec((any::<prop::sample::Index>(), header_byte()), 0..4),
        removed in prop::option::of(any::<prop::sample::Index>()),
        inserted in prop::option::of((any::<prop::sample::Index>(), header_byte())),
        kept in prop_oneof![4 => Just(None), 1 => any::<prop::sample::Index>().prop_map(Some)],
    ) {
        let good = each_element().into_bytes();
        let length = u64::from_le_bytes(good[..8].try_into().unwrap()) as usize;
        let (mut header, data) = (good[8..8 + length].to_vec(), &good[8 + length..]);
        for (at, byte) in changes {
            let at = at.index(header.len());
            header[at] = byte;
        }
        if let Some(at) = removed {
            header.remove(at.index(header.len()));
        }
        if let Some((at, byte)) = inserted {
            header.insert(at.index(header.len()), byte);
        }
        let mut bytes = file(&header, data);
        if let Some(at) = kept {
            bytes.truncate(at.index(bytes.len()));
        }
        prop_assert!(agree(&bytes), "{:?}: {:?}", refusal(&bytes), String::from_utf8_lossy(&header));
        take_all(&bytes);
    }

    #[test]
    fn tensors_laid_out_by_chance_are_held_to_be_what_the_library_holds_them_to_be(
        tensors in prop::collection::vec((
            prop::sample::select(&["U8", "F16", "F32", "F64"][..]),
            prop::collection::vec(0..4u64, 0..3),
            prop_oneof![12 => Just(0), 1 => -2..=2i64],
        ), 0..5),
        turned in 0..5usize,
        extra in prop_oneof![6 => Just(0), 1 => 0..9usize],
    ) {
        let mut start = 0;
        let mut entries = vec![METADATA.to_owned()];
        for (name, tensor) in tensors.iter().enumerate() {
            let (entry, size) = entry(name, tensor, start);
            entries.push(entry);
            start += size;
        }
        let most = entries.len();
        entries.rotate_left(turned % most);
        let bytes = file(
            format!("{{{}}}", entries.join(",")).as_bytes(),
            &vec![0; start as usize + extra],
        );
        prop_assert!(agree(&bytes), "{:?}: {entries:?}", refusal(&bytes));
        let skewed = tensors.iter().any(|(_, _, skew)| *skew != 0);
        prop_assert!(skewed || extra > 0 || refusal(&bytes).is_none());
        take_all(&bytes);
    }
}
