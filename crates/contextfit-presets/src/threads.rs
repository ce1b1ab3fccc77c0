//! The threads of a fitter: its own pool, if their number is chosen or the process was forked.
//!
//! Everything parallel runs on the current pool of `rayon`. Its global one is made once, for all cores, and its threads
//! do not exist in a forked child, which would wait for them forever.

use std::{
    collections::HashMap,
    num::NonZeroUsize,
    process,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The process that used a fitter first. The global pool belongs to it.
static FIRST: LazyLock<u32> = LazyLock::new(process::id);

/// Pools by process and number of threads, of which 0 means all cores.
type Pools = HashMap<(u32, usize), Arc<ThreadPool>>;

/// The pools that were made. A child keeps those of its parent: dropping one would wait for threads that it lacks.
static POOLS: LazyLock<Mutex<Pools>> = LazyLock::new(Mutex::default);

/// Does `work` with this number of threads; without one, with all cores.
pub(crate) fn install<T: Send>(threads: Option<NonZeroUsize>, work: impl FnOnce() -> T + Send) -> T {
    let process = process::id();
    if threads.is_none() && *FIRST == process {
        return work();
    }
    match pool(process, threads.map_or(0, NonZeroUsize::get)) {
        Some(pool) => pool.install(work),
        // No thread can be started.
        None => work(),
    }
}

fn pool(process: u32, threads: usize) -> Option<Arc<ThreadPool>> {
    let mut pools = POOLS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(pool) = pools.get(&(process, threads)) {
        return Some(Arc::clone(pool));
    }
    let name = |n: usize| format!("contextfit-{n}");
    let pool = Arc::new(ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build().ok()?);
    pools.insert((process, threads), Arc::clone(&pool));
    Some(pool)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use super::*;

    #[test]
    fn work_runs_on_the_chosen_number_of_threads() {
        for n in 1..4 {
            assert_eq!(install(NonZeroUsize::new(n), rayon::current_num_threads), n);
        }
    }

    #[test]
    fn a_child_has_a_pool_of_its_own() {
        let (parent, child) = (pool(1, 2).unwrap(), pool(2, 2).unwrap());
        assert!(!Arc::ptr_eq(&parent, &child));
        assert!(Arc::ptr_eq(&child, &pool(2, 2).unwrap()));
    }
}
