//! What must hold of any bytes: for the targets, and for the tests that try again what these found.

use smooth_clir::encoder::Precision;
use smooth_clir::engine::{Engine, Search};
use smooth_clir::index::{BlockFile, Index};
use smooth_clir::model::Model;
use smooth_clir::model::changes::Changes;
use smooth_clir::text::subwords::for_each_bucket;
use smooth_clir::text::{Scratch, for_each_token, tokens};

/// A model that is accepted is read again as it was written, and searches.
pub fn model(model: Model) {
    let written = model.write(Precision::F32);
    let again = Model::read(&written).expect("what is written is read");
    assert_eq!(again.write(Precision::F32), written);
    let Ok(engine) = Engine::new(model) else { return };
    let found = engine.search(Search {
        query: "rain over the mountains pioggia",
        limit: 10,
        ..Search::default()
    });
    assert!(found.is_err() || found.is_ok_and(|hits| hits.is_empty()));
}

/// An index that is accepted, with its texts, is read again as it was written.
pub fn index(index: Index) {
    let written = index.write();
    // One whose texts lie in other files is not written whole.
    if let Ok(again) = Index::read(&written) {
        assert_eq!(again.write(), written);
    }
    let mut counted = 0;
    index.each_value(|_, _, count| counted += count);
    assert_eq!((0..index.len()).map(|place| index.fields(place).count()).sum::<usize>(), counted);
}

/// So are texts of an index.
pub fn block(block: BlockFile) {
    let written = block.write();
    assert_eq!(BlockFile::read(written.clone()).expect("what is written is read").write(), written);
}

/// Reads what was learned, for a small model.
pub fn learned(bytes: &[u8]) {
    let encoders = [("query", 5), ("document.xx", 7)];
    let _ = Changes::read(bytes, "space", 4, encoders);
}

/// A text's tokens are some, a line each; what was read before changes none; words apart stay apart.
pub fn text(text: &str) {
    let found = tokens(text);
    for token in &found {
        assert!(!token.is_empty() && !token.contains('\n'));
        for_each_bucket(token, 1000, |bucket| assert!(bucket < 1000));
    }
    let (mut again, mut scratch) = (Vec::new(), Scratch::default());
    for_each_token("東京 L’eau", &mut scratch, |_| ());
    for_each_token(text, &mut scratch, |token| again.push(token.to_owned()));
    assert_eq!(again, found);
    let twice = tokens(&format!("{text}\n{text}"));
    assert_eq!(twice, [found.clone(), found].concat());
}
