//! The threads of a fitter: its own pool, if their number is chosen or the process was forked.
//!
//! Everything parallel runs on the current pool of `rayon`. Its global one is made once, for all cores, and its threads
//! do not exist in a forked child, which would wait for them forever.

use std::{
    collections::HashMap,
    num::NonZeroUsize,
    process,
    sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError},
};

use rayon::{ThreadPool, ThreadPoolBuilder};

/// The process that used a fitter first. The global pool belongs to it.
static FIRST: LazyLock<u32> = LazyLock::new(process::id);

/// The pools that were made, by process and number of threads, of which 0 means all cores. Of those with one thread,
/// these are idle. A child keeps those of its parent: dropping one would wait for threads that it lacks.
type Pools = HashMap<(u32, usize), Vec<Arc<ThreadPool>>>;

static POOLS: LazyLock<Mutex<Pools>> = LazyLock::new(Mutex::default);

/// Does `work` with this number of threads; without one, with all cores.
pub(crate) fn install<T: Send>(threads: Option<NonZeroUsize>, work: impl FnOnce() -> T + Send) -> T {
    let process = process::id();
    if threads.is_none() && *FIRST == process {
        return work();
    }
    let number = threads.map_or(0, NonZeroUsize::get);
    // Callers of one thread each must not wait for each other, so each takes a pool of its own for a while.
    let is_single = number == 1;
    if is_single && rayon::current_thread_index().is_some() && rayon::current_num_threads() == 1 {
        return work();
    }
    // Without a pool, no thread can be started.
    let Some(pool) = take(process, number) else { return work() };
    let done = pool.install(work);
    if is_single {
        pools().entry((process, number)).or_default().push(pool);
    }
    done
}

fn pools() -> MutexGuard<'static, Pools> {
    POOLS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A pool with this number of threads, which no one else has if it is one.
fn take(process: u32, threads: usize) -> Option<Arc<ThreadPool>> {
    let mut pools = pools();
    let made = pools.entry((process, threads)).or_default();
    let found = if threads == 1 { made.pop() } else { made.first().cloned() };
    if found.is_some() {
        return found;
    }
    let name = |n: usize| format!("contextfit-{n}");
    let pool = Arc::new(ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build().ok()?);
    if threads != 1 {
        made.push(Arc::clone(&pool));
    }
    Some(pool)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests fail by panicking")]
mod tests {
    use std::{sync::Barrier, thread};

    use super::*;

    #[test]
    fn work_runs_on_the_chosen_number_of_threads() {
        for n in 1..4 {
            assert_eq!(install(NonZeroUsize::new(n), rayon::current_num_threads), n);
        }
    }

    #[test]
    fn a_child_has_a_pool_of_its_own() {
        let (parent, child) = (take(1, 2).unwrap(), take(2, 2).unwrap());
        assert!(!Arc::ptr_eq(&parent, &child));
        assert!(Arc::ptr_eq(&child, &take(2, 2).unwrap()));
    }

    #[test]
    fn callers_of_one_thread_each_do_not_wait_for_each_other() {
        let one = NonZeroUsize::new(1);
        // Each waits for the other inside of its work.
        let barrier = Barrier::new(2);
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| install(one, || install(one, || barrier.wait())));
            }
        });
    }
}
