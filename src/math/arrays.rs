//! Two-dimensional arrays as the slices that [`kernels`](super::kernels) take.
//!
//! `ndarray` stores, slices and views values. Its sums and products are not used where bits are
//! promised, because their order is not specified.

use ndarray::{Array2, ArrayRef, ArrayRef2, ArrayView2, ArrayViewMut2, Dimension, aview2};

/// An array of `values.len() / columns` rows; a last incomplete one is cut off.
pub fn of_rows<A: Default>(columns: usize, mut values: Vec<A>) -> Array2<A> {
    let rows = values.len() / columns.max(1);
    values.truncate(rows * columns);
    // The values match the shape, so it is always accepted.
    Array2::from_shape_vec((rows, columns), values).unwrap_or_default()
}

/// Views values in row order as an array; a last incomplete row is left out.
pub fn view_of_rows<A>(columns: usize, values: &[A]) -> ArrayView2<'_, A> {
    let rows = values.len() / columns.max(1);
    let view = ArrayView2::from_shape((rows, columns), &values[..rows * columns]);
    view.unwrap_or_else(|_| aview2::<A, 0>(&[]))
}

/// [`view_of_rows`], mutable.
pub fn view_of_rows_mut<A>(columns: usize, values: &mut [A]) -> ArrayViewMut2<'_, A> {
    let rows = values.len() / columns.max(1);
    let view = ArrayViewMut2::from_shape((rows, columns), &mut values[..rows * columns]);
    view.unwrap_or_else(|_| ArrayViewMut2::from(&mut [] as &mut [[A; 0]]))
}

/// The values of an array in row order.
pub fn into_values<A: Clone>(array: Array2<A>) -> Vec<A> {
    if array.is_standard_layout() {
        array.into_raw_vec_and_offset().0
    } else {
        array.iter().cloned().collect()
    }
}

/// All values of an array in row order.
///
/// # Panics
/// If the array is not stored in row order, such as a transposed view.
#[inline]
pub fn values<A, D: Dimension>(array: &ArrayRef<A, D>) -> &[A] {
    assert!(array.is_standard_layout(), "rows lie one after the other");
    array.as_slice().unwrap_or_default()
}

/// All values of an array in row order, mutable.
///
/// # Panics
/// As [`values`].
#[inline]
pub fn values_mut<A, D: Dimension>(array: &mut ArrayRef<A, D>) -> &mut [A] {
    assert!(array.is_standard_layout(), "rows lie one after the other");
    array.as_slice_mut().unwrap_or_default()
}

/// A row of an array.
///
/// # Panics
/// If the row does not exist, and as [`values`].
#[inline]
pub fn row<A>(array: &ArrayRef2<A>, row: usize) -> &[A] {
    &values(array)[row * array.ncols()..][..array.ncols()]
}

/// A row of an array, mutable.
///
/// # Panics
/// As [`row`].
#[inline]
pub fn row_mut<A>(array: &mut ArrayRef2<A>, row: usize) -> &mut [A] {
    let columns = array.ncols();
    &mut values_mut(array)[row * columns..][..columns]
}
