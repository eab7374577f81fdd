//! The documents and the queries that everything is measured on.

use std::fs;
use std::path::{Path, PathBuf};

use smooth_clir::encoder::{Rows, Table};
use smooth_clir::index::{Index, VECTORS_FILE};
use smooth_clir::model::Model;
use smooth_clir::ranking::scan::Query;
use smooth_clir::storage::SharedBytes;

use crate::Result;

/// So many queries, evenly taken from those in the file.
const QUERIES: usize = 200;

pub struct Collection {
    pub dimension: usize,
    pub epsilon: f32,
    /// One document's vector after the other's.
    pub vectors: Rows,
    pub norms: Vec<f32>,
    pub queries: Vec<Query>,
    /// Bytes of all files with vectors, words and fields.
    searched: u64,
    /// Bytes of all files with texts.
    shown: u64,
}

impl Collection {
    pub fn read(model: &Path, index: &Path, queries: &Path) -> Result<Self> {
        let sides = files_of(model)?
            .into_iter()
            .filter(|file| file.extension().is_some_and(|e| e == "safetensors"));
        let sides = sides.map(fs::read).collect::<std::io::Result<Vec<_>>>()?;
        let model = Model::read_parts(sides.into_iter().map(SharedBytes::from))?;
        let query = model.query_encoder()?;
        let lines = fs::read_to_string(queries)?;
        let vectors =
            lines.lines().map(|line| query.encode(line)).filter(|v| v.iter().any(|&x| x != 0.0));
        let mut asked: Vec<Query> = vectors.map(Query::new).collect();
        let step = (asked.len() / QUERIES).max(1);
        asked = asked.into_iter().step_by(step).take(QUERIES).collect();

        let (mut values, mut norms, mut searched, mut shown) = (Vec::new(), Vec::new(), 0, 0);
        for folder in segments(index)? {
            for file in files_of(&folder)? {
                let size = fs::metadata(&file)?.len();
                *(if file.ends_with(VECTORS_FILE) { &mut searched } else { &mut shown }) += size;
            }
            let index = Index::read(&fs::read(folder.join(VECTORS_FILE))?)?;
            let Rows::F32(table) = index.vectors() else {
                return Err("the index has not 32-bit numbers".into());
            };
            values.extend_from_slice(table.values());
            norms.extend((0..index.len()).map(|at| index.norm(at)));
        }
        let dimension = model.config.dimension;
        let vectors = Rows::F32(Table::new(dimension, values));
        Ok(Self {
            dimension,
            epsilon: model.config.epsilon,
            vectors,
            norms,
            queries: asked,
            searched,
            shown,
        })
    }

    pub fn len(&self) -> usize {
        self.norms.len()
    }

    /// A document's vector.
    pub fn vector(&self, at: usize) -> &[f32] {
        match &self.vectors {
            Rows::F32(table) => &table.values()[at * self.dimension..][..self.dimension],
            _ => &[],
        }
    }

    pub fn print(&self) {
        let each = |bytes: u64| bytes as f64 / self.len() as f64;
        let vector = 4 * self.dimension;
        println!(
            "{} documents of {} numbers, {} queries\n",
            self.len(),
            self.dimension,
            self.queries.len()
        );
        println!("| bytes of a document | |\n|---|---|");
        println!("| vector, 32 bits | {vector} |");
        println!("| vector, 8 bits, with its scale | {} |", self.dimension + 4);
        println!(
            "| norm, language, id, words and how often each | {:.0} |",
            each(self.searched) - vector as f64
        );
        println!("| title and text | {:.0} |\n", each(self.shown));
        let mut norms = self.norms.clone();
        norms.sort_by(f32::total_cmp);
        let at = |share: f64| norms[((norms.len() - 1) as f64 * share) as usize];
        println!(
            "norms: least {:.2}, median {:.2}, most {:.2}; epsilon {}\n",
            at(0.0),
            at(0.5),
            at(1.0),
            self.epsilon
        );
    }
}

fn segments(index: &Path) -> Result<Vec<PathBuf>> {
    let list: serde_json::Value = serde_json::from_slice(&fs::read(index.join("segments.json"))?)?;
    let names = list["segments"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|segment| segment["name"].as_str());
    Ok(names.map(|name| index.join(name)).collect())
}

fn files_of(folder: &Path) -> Result<Vec<PathBuf>> {
    let files = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    files.collect::<std::io::Result<Vec<_>>>().map_err(Into::into)
}
