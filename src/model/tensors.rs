//! Networks and tables <-> tensors of a file.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use ndarray::Array2;

use crate::Error;
use crate::encoder::{
    Cell, Convolution, Linear, MOST_OF_FOUR_BITS, Network, OF_TWO_BITS, Precision, Quantised,
    ReadOut, Recurrent, Rows, SparseCode, Table, WINDOW, Weight,
};
use crate::math::arrays::values;
use crate::storage::container::{Element, Reader, Writer, metadata_error, value_error};

/// The precisions in which a model's rows may be stored.
pub(crate) const ROWS: [Element; 5] =
    [Element::F32, Element::F16, Element::I8, Element::U8, Element::U16];

/// Takes the tensors of a network of `kind`, under names that begin with `prefix`. How many filters
/// or hidden units it has, the file says; how many atoms a text is made of at most, its `config`.
///
/// # Errors
/// If anything is missing, of another type or shape, or not finite.
pub fn read_network(
    reader: &mut Reader<'_>,
    prefix: &str,
    kind: &str,
    words: usize,
    dimension: usize,
) -> Result<Network, Error> {
    let words = read_words(reader, prefix, words, dimension)?;
    let mut layers = Layers { reader, prefix };
    let read_out = match kind {
        "cnn" => {
            let filters = layers.linear("convolution", None, WINDOW * dimension)?;
            let output = layers.linear("linear", Some(dimension), filters.bias.len())?;
            return Ok(Network::Convolution(Convolution { words, filters, output }));
        }
        "lstm" => ReadOut::Last,
        "lstm-first" => ReadOut::First,
        "average" => return Ok(Network::Average(words)),
        "linear" => return Ok(Network::Linear(words)),
        "sparse_code" => return layers.sparse_code(words).map(Network::SparseCode),
        other => {
            let expected = Network::KINDS.join(" or ");
            return Err(metadata_error("config/encoder", other, &expected));
        }
    };
    let forward = layers.cell("forward", None, dimension)?;
    let hidden = forward.hidden.ncols();
    let backward = layers.cell("backward", Some(hidden), dimension)?;
    let output = layers.linear("linear", Some(dimension), 2 * hidden)?;
    Ok(Network::Recurrent(Recurrent { words, forward, backward, output, read_out }))
}

/// Takes a row for each word. Words may share rows: a file then has fewer rows than words, and the tensor `row`, for each
/// word 0 if the next row of the table is its own, else 1 and the number of the row that it shares.
fn read_words(
    reader: &mut Reader<'_>,
    prefix: &str,
    words: usize,
    dimension: usize,
) -> Result<Rows, Error> {
    let (name, scale) = (format!("{prefix}.embedding"), format!("{prefix}.scale"));
    let row = format!("{prefix}.row");
    if !reader.has(&row) {
        return reader.rows(&name, &scale, Some(words), dimension, &ROWS);
    }
    let shared = reader.u16(&row, words)?;
    let own = shared.iter().filter(|&&number| number == 0).count();
    let rows = reader.rows(&name, &scale, Some(own), dimension, &ROWS)?;
    if let Some(position) = shared.iter().position(|&number| usize::from(number) > own) {
        let (name, found) = (row, shared[position].to_string());
        let expected = "0, or 1 and the number of a row";
        return Err(Error::TensorValue { name, position, found, expected });
    }
    let mut next = 0;
    let number = |&number: &u16| {
        u32::from(number).checked_sub(1).unwrap_or_else(|| {
            next += 1;
            next - 1
        })
    };
    Ok(rows.chosen(&shared.iter().map(number).collect::<Vec<_>>()))
}

/// Adds the tensors of a network, under names that begin with `prefix`: the words' rows in the
/// precision requested, all others, which are small, as they are.
pub fn write_network(writer: &mut Writer, prefix: &str, network: &Network, precision: Precision) {
    let scale = format!("{prefix}.scale");
    let words = network.words();
    let name = format!("{prefix}.embedding");
    write_in(writer, &name, &scale, words, precision);
    for Weight { name, values: weight } in network.weights() {
        writer.f32(&format!("{prefix}.{name}"), weight.shape(), values(&weight));
    }
}

/// As [`write_network`], the words' rows in the fewest bits that hold them as they are, and each of equal rows once.
pub(crate) fn write_network_as_it_is(writer: &mut Writer, prefix: &str, network: &Network) {
    let words = network.words();
    let mut places: BTreeMap<Vec<u32>, u16> = BTreeMap::new();
    let (mut own, mut shared) = (Vec::new(), Vec::with_capacity(words.len()));
    for number in 0..words.len() {
        let bits: Vec<u32> = words.row(number).iter().map(|x| x.to_bits()).collect();
        // From 1.
        let next = u16::try_from(own.len() + 1).unwrap_or(u16::MAX);
        match places.entry(bits) {
            Entry::Occupied(place) => shared.push(*place.get()),
            Entry::Vacant(place) => {
                place.insert(next);
                own.push(number as u32);
                shared.push(0);
            }
        }
    }
    if own.len() == words.len() || own.len() >= usize::from(u16::MAX) {
        return write_network(writer, prefix, network, narrowest(words));
    }
    writer.u16(&format!("{prefix}.row"), &shared);
    let mut network = network.clone();
    *network.words_mut() = words.chosen(&own);
    write_network(writer, prefix, &network, narrowest(words));
}

/// Writes rows in a precision.
pub(crate) fn write_in(
    writer: &mut Writer,
    name: &str,
    scale: &str,
    rows: &Rows,
    precision: Precision,
) {
    match (precision, rows) {
        (Precision::I4, Rows::I8 { dimension, rows }) if has_four_bits(rows) => {
            writer.i4(name, *dimension, &rows.values);
            writer.f32(scale, &[rows.scales.len()], &rows.scales);
        }
        (Precision::I2, Rows::I8 { dimension, rows }) if has_two_bits(rows) => {
            writer.i2(name, *dimension, &rows.values);
            writer.f32(scale, &[rows.scales.len()], &rows.scales);
        }
        (Precision::I4 | Precision::I2, _) => {
            let rows = Rows::new(rows.widened(), precision);
            write_in(writer, name, scale, &rows, precision);
        }
        _ if rows.precision() == precision => write_rows(writer, name, scale, rows),
        _ => write_rows(writer, name, scale, &Rows::new(rows.widened(), precision)),
    }
}

/// The precision of the fewest bits that holds rows as they are.
pub(crate) fn narrowest(rows: &Rows) -> Precision {
    match rows {
        Rows::I8 { rows, .. } if has_two_bits(rows) => Precision::I2,
        Rows::I8 { rows, .. } if has_four_bits(rows) => Precision::I4,
        _ => rows.precision(),
    }
}

fn has_four_bits(rows: &Quantised) -> bool {
    rows.values.iter().all(|x| x.unsigned_abs() <= MOST_OF_FOUR_BITS.unsigned_abs())
}

fn has_two_bits(rows: &Quantised) -> bool {
    rows.values.iter().all(|x| OF_TWO_BITS.contains(x))
}

/// Writes rows as they are, with a tensor of scales where they are of 8 bits.
pub(crate) fn write_rows(writer: &mut Writer, name: &str, scale: &str, rows: &Rows) {
    let shape = [rows.len(), rows.dimension()];
    match rows {
        Rows::F32(table) => writer.f32(name, &shape, table.values()),
        Rows::F16 { bits, .. } => writer.f16(name, &shape, bits),
        Rows::I8 { rows, .. } => {
            writer.i8(name, &shape, &rows.values);
            writer.f32(scale, &[shape[0]], &rows.scales);
        }
        Rows::Changed(rows) => write_rows(writer, name, scale, &rows.rounded()),
        Rows::Mixed(_) => write_rows(writer, name, scale, &Rows::F32(rows.widened())),
    }
}

/// The layers of one encoder of a file.
struct Layers<'a, 'b> {
    reader: &'a mut Reader<'b>,
    prefix: &'a str,
}

impl Layers<'_, '_> {
    /// A layer with this many outputs; without a number, as many as its bias has.
    fn linear(
        &mut self,
        name: &str,
        outputs: Option<usize>,
        inputs: usize,
    ) -> Result<Linear, Error> {
        let bias = self.bias(&format!("{name}.bias"), outputs)?;
        let weight = self.matrix(&format!("{name}.weight"), bias.len(), inputs)?;
        Ok(Linear { weight, bias })
    }

    /// A direction with this many hidden units; without a number, a quarter of what its bias has.
    fn cell(&mut self, name: &str, hidden: Option<usize>, inputs: usize) -> Result<Cell, Error> {
        let bias = self.bias(&format!("{name}.bias"), hidden.map(|hidden| 4 * hidden))?;
        let hidden = bias.len() / 4;
        let input = self.matrix(&format!("{name}.input"), 4 * hidden, inputs)?;
        let hidden = self.matrix(&format!("{name}.hidden"), 4 * hidden, hidden)?;
        if hidden.nrows() != bias.len() {
            let name = format!("{}.{name}.bias", self.prefix);
            let expected = "a length that 4 divides".into();
            return Err(Error::TensorShape { name, found: vec![bias.len()], expected });
        }
        Ok(Cell { input, hidden, bias })
    }

    fn sparse_code(&mut self, words: Rows) -> Result<SparseCode, Error> {
        let atoms = words.dimension();
        let config = self.reader.json("config")?;
        let sparsity = config["sparsity"].as_u64().filter(|n| (1..=atoms as u64).contains(n));
        let sparsity = sparsity.ok_or_else(|| {
            let found = config["sparsity"].to_string();
            metadata_error("config/sparsity", &found, &format!("a number from 1 to {atoms}"))
        })?;
        let gram = self.matrix("gram", atoms, atoms)?;
        if let Some(at) = wrong_in_gram(&gram) {
            let name = format!("{}.gram", self.prefix);
            return Err(value_error(&name, at, values(&gram)[at], GRAM));
        }
        let map = if self.reader.has(&format!("{}.map", self.prefix)) {
            Some(self.matrix("map", atoms, atoms)?)
        } else {
            None
        };
        Ok(SparseCode { words, gram, map, sparsity: sparsity as usize })
    }

    fn bias(&mut self, name: &str, length: Option<usize>) -> Result<Vec<f32>, Error> {
        let name = format!("{}.{name}", self.prefix);
        let bias = self.reader.numbers(&name, length)?;
        if bias.is_empty() {
            Err(Error::TensorShape { name, found: vec![0], expected: "some".into() })
        } else {
            Ok(bias)
        }
    }

    fn matrix(&mut self, name: &str, rows: usize, columns: usize) -> Result<Array2<f32>, Error> {
        let name = format!("{}.{name}", self.prefix);
        self.reader.table(&name, Some(rows), columns).map(Table::into_array)
    }
}

/// The tolerance of the dot products of atoms.
const ROUNDING: f32 = 1e-3;
const GRAM: &str = "1 on the diagonal, and beside it from -1 to 1 and the same in either order";

/// The place of a number that dot products of atoms of unit length do not have.
fn wrong_in_gram(gram: &Array2<f32>) -> Option<usize> {
    let right = |row: usize, column: usize| {
        let (x, other) = (gram[(row, column)], gram[(column, row)]);
        let most = 1.0 + ROUNDING;
        if row == column {
            (x - 1.0).abs() <= ROUNDING
        } else {
            x.abs() <= most && other.abs() <= most && (x - other).abs() <= ROUNDING
        }
    };
    let mut places = (0..gram.nrows()).flat_map(|row| (0..=row).map(move |column| (row, column)));
    places
        .find(|&(row, column)| !right(row, column))
        .map(|(row, column)| row * gram.ncols() + column)
}
