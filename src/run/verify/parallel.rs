//! The same work for many things, on all cores, its results in the order of the things.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Does `work` for each thing; the first error in their order ends it.
pub(super) fn in_order<T: Sync, R: Send>(
    things: &[T],
    work: impl Fn(&T) -> io::Result<R> + Sync,
) -> io::Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(things.len()));
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(things.len());
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some((number, thing)) = taken(&next, things) {
                    let result = work(thing);
                    done.lock().unwrap_or_else(|held| held.into_inner()).push((number, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(|held| held.into_inner());
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

/// The next thing and its number.
fn taken<'a, T>(next: &AtomicUsize, things: &'a [T]) -> Option<(usize, &'a T)> {
    let number = next.fetch_add(1, Ordering::Relaxed);
    things.get(number).map(|thing| (number, thing))
}
