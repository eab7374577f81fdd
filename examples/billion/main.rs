//! What a billion documents would take: measured on an index of a million, carried on from there, and simulated where
//! machines work together. `docs/scale.md` has what it printed, and says what follows.
//!
//!     cargo run --release --example billion -- MODELS INDEX QUERIES
//!
//! MODELS is a folder with the sides of a model, INDEX an index in segments with 32-bit numbers that was made by it,
//! QUERIES a file with a query in each line.

mod cells;
mod collection;
mod growth;
mod shards;

use std::error::Error;
use std::path::Path;

use collection::Collection;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, index, queries] = &arguments[..] else {
        return Err("usage: billion MODELS INDEX QUERIES".into());
    };
    let collection = Collection::read(Path::new(model), Path::new(index), Path::new(queries))?;
    collection.print();
    growth::print(&collection);
    cells::print(&collection);
    shards::print(&collection);
    Ok(())
}
