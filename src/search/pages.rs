//! Memory that is read here and there, where a search waits longest for the system to find the page.

/// So many default values, on large pages if the system has them.
pub(super) fn spread<T: Default>(count: usize) -> Vec<T> {
    let mut values = Vec::<T>::with_capacity(count);
    // It has to be asked before the memory is written to.
    kevy_madvise::advise_hugepage(values.as_ptr().cast(), count * size_of::<T>());
    values.resize_with(count, T::default);
    values
}
