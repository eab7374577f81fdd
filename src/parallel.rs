//! Independent tasks, on as many threads as there are; one where the feature `rayon` is off.

/// Does every task, in any order.
pub(crate) fn for_each<T: Send>(tasks: Vec<T>, work: impl Fn(T) + Sync + Send) {
    #[cfg(feature = "rayon")]
    if tasks.len() > 1 {
        use rayon::iter::{IntoParallelIterator, ParallelIterator};
        tasks.into_par_iter().for_each(work);
        return;
    }
    tasks.into_iter().for_each(work);
}

/// How many tasks run at once.
pub(crate) fn threads() -> usize {
    #[cfg(feature = "rayon")]
    let threads = rayon::current_num_threads();
    #[cfg(not(feature = "rayon"))]
    let threads = 1;
    threads
}
