//! Threads that stay awake between tasks, because a training step is shorter than waking a thread.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// Rounds of busy waiting before a thread yields to others, and before it sleeps: some tens of
/// microseconds each.
const SPINS: usize = 1000;
const YIELDS: usize = 100;

/// The caller's thread and further threads, which share tasks.
#[derive(Debug)]
pub(crate) struct Team {
    shared: Arc<Shared>,
    members: Vec<JoinHandle<()>>,
    /// Held during a job: a shared team runs one job at a time.
    busy: Mutex<()>,
}

#[derive(Debug, Default)]
struct Shared {
    job: Mutex<Option<Job>>,
    /// The number of jobs so far; increases when a job begins.
    jobs: AtomicUsize,
    /// The number of tasks that were taken of each thread's share.
    taken: Vec<Count>,
    /// The number of members that have not finished the job.
    at_work: AtomicUsize,
    panicked: AtomicBool,
    over: AtomicBool,
    sleepers: AtomicUsize,
    sleep: Mutex<()>,
    wake: Condvar,
}

/// A value on a cache line of its own.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Count(AtomicUsize);

/// A function to call with each number below `tasks`.
#[derive(Debug, Clone, Copy)]
struct Job {
    work: Work,
    tasks: usize,
}

/// Borrowed from the caller of [`Team::run`], which returns only after the last use by a member.
#[derive(Clone, Copy)]
struct Work(*const (dyn Fn(usize) + Sync));

impl std::fmt::Debug for Work {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Work")
    }
}

// SAFETY: the target is `Sync`, and `Team::run` keeps it alive while members use it.
#[allow(unsafe_code)]
unsafe impl Send for Work {}

impl Team {
    /// Starts a team of the caller and `threads - 1` further threads.
    pub(crate) fn new(threads: usize) -> Self {
        let threads = if cfg!(target_arch = "wasm32") { 1 } else { threads.max(1) };
        let taken = (0..threads).map(|_| Count::default()).collect();
        let shared = Arc::new(Shared { taken, ..Shared::default() });
        let member = |number| {
            let shared = shared.clone();
            std::thread::spawn(move || shared.member(number))
        };
        let members = (1..threads).map(member).collect();
        Self { shared, members, busy: Mutex::default() }
    }

    /// The number of threads, including the caller's.
    pub(crate) fn threads(&self) -> usize {
        self.members.len() + 1
    }

    /// Runs every task, in any order. With `n` threads, task `i` belongs to thread `i % n`, and
    /// other threads take it only if that thread is late. Tasks that use the same memory can
    /// therefore have the same thread each time.
    ///
    /// # Panics
    /// If a task does.
    pub(crate) fn for_each<T: Send>(&self, tasks: Vec<T>, work: impl Fn(T) + Sync) {
        if self.members.is_empty() || tasks.len() < 2 {
            return tasks.into_iter().for_each(work);
        }
        let tasks: Vec<Mutex<Option<T>>> =
            tasks.into_iter().map(|task| Mutex::new(Some(task))).collect();
        self.run(tasks.len(), &|number| {
            let task = lock(&tasks[number]).take();
            if let Some(task) = task {
                work(task);
            }
        });
    }

    fn run(&self, tasks: usize, work: &(dyn Fn(usize) + Sync)) {
        let _one_at_a_time = lock(&self.busy);
        let shared = &*self.shared;
        // SAFETY: only the lifetime changes. Only members use the job, and `Finish` waits, on
        // return and on panic, until every member has finished with it.
        #[allow(unsafe_code)]
        let work = Work(unsafe {
            std::mem::transmute::<
                *const (dyn Fn(usize) + Sync + '_),
                *const (dyn Fn(usize) + Sync + 'static),
            >(std::ptr::from_ref(work))
        });
        let job = Job { work, tasks };
        *lock(&shared.job) = Some(job);
        shared.taken.iter().for_each(|count| count.0.store(0, Ordering::Relaxed));
        shared.at_work.store(self.members.len(), Ordering::Relaxed);
        shared.jobs.fetch_add(1, Ordering::SeqCst);
        if shared.sleepers.load(Ordering::SeqCst) > 0 {
            let _awake = lock(&shared.sleep);
            shared.wake.notify_all();
        }
        let finish = Finish(shared);
        shared.drain(job, 0);
        drop(finish);
        assert!(!shared.panicked.swap(false, Ordering::Relaxed), "a thread of the team panicked");
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::SeqCst);
        self.shared.jobs.fetch_add(1, Ordering::SeqCst);
        {
            let _awake = lock(&self.shared.sleep);
            self.shared.wake.notify_all();
        }
        for member in self.members.drain(..) {
            // The panic of a member was reported to the caller of its task.
            let _ = member.join();
        }
    }
}

/// Waits on drop until all members have finished the job.
struct Finish<'a>(&'a Shared);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        let mut rounds = 0;
        while self.0.at_work.load(Ordering::Acquire) > 0 {
            pause(rounds);
            rounds += 1;
        }
        *lock(&self.0.job) = None;
    }
}

impl Shared {
    fn member(&self, number: usize) {
        let mut done = 0;
        loop {
            done = self.wait_for_job(done);
            if self.over.load(Ordering::SeqCst) {
                return;
            }
            let job = *lock(&self.job);
            if let Some(job) = job {
                let drained = std::panic::AssertUnwindSafe(|| self.drain(job, number));
                if std::panic::catch_unwind(drained).is_err() {
                    self.panicked.store(true, Ordering::Relaxed);
                }
                self.at_work.fetch_sub(1, Ordering::Release);
            }
        }
    }

    /// Waits for a new job: returns the number of jobs once it differs from `done`.
    fn wait_for_job(&self, done: usize) -> usize {
        for round in 0..SPINS + YIELDS {
            let jobs = self.jobs.load(Ordering::SeqCst);
            if jobs != done {
                return jobs;
            }
            pause(round);
        }
        let mut asleep = lock(&self.sleep);
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        let mut jobs = self.jobs.load(Ordering::SeqCst);
        while jobs == done {
            asleep = self.wake.wait(asleep).unwrap_or_else(PoisonError::into_inner);
            jobs = self.jobs.load(Ordering::SeqCst);
        }
        self.sleepers.fetch_sub(1, Ordering::SeqCst);
        jobs
    }

    /// Runs the tasks of thread `number`, then the remaining tasks of the others.
    fn drain(&self, job: Job, number: usize) {
        // SAFETY: the job is alive, see `Team::run`.
        #[allow(unsafe_code)]
        let work = unsafe { &*job.work.0 };
        let threads = self.taken.len();
        for whose in (number..number + threads).map(|whose| whose % threads) {
            loop {
                let task = whose + threads * self.taken[whose].0.fetch_add(1, Ordering::Relaxed);
                if task >= job.tasks {
                    break;
                }
                work(task);
            }
        }
    }
}

fn pause(round: usize) {
    if round < SPINS { std::hint::spin_loop() } else { std::thread::yield_now() }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_task_is_done_once_on_any_number_of_threads() {
        for threads in [1, 2, 8] {
            let team = Team::new(threads);
            // Repeated, with pauses in which members fall asleep.
            for round in 0..if cfg!(miri) { 5 } else { 200 } {
                let mut done = vec![0; round % 23];
                team.for_each(done.iter_mut().collect(), |count: &mut u32| *count += 1);
                assert!(done.iter().all(|&count| count == 1), "{threads} threads: {done:?}");
                if round % 50 == 49 {
                    std::thread::sleep(std::time::Duration::from_millis(5));
                }
            }
        }
    }

    #[test]
    fn a_team_shared_by_two_callers_does_the_tasks_of_both() {
        let team = Team::new(3);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    for _ in 0..20 {
                        let sum = AtomicUsize::new(0);
                        team.for_each((0..10).collect(), |x| {
                            sum.fetch_add(x, Ordering::Relaxed);
                        });
                        assert_eq!(sum.into_inner(), 45);
                    }
                });
            }
        });
    }

    #[test]
    fn a_panic_reaches_the_caller_and_the_team_works_on() {
        let team = Team::new(2);
        let run = || team.for_each((0..8).collect(), |task: u32| assert!(task != 5));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
        let sum = AtomicUsize::new(0);
        team.for_each((0..10).collect(), |x| {
            sum.fetch_add(x, Ordering::Relaxed);
        });
        assert_eq!(sum.into_inner(), 45);
    }

    #[test]
    fn the_threads_end_with_the_team() {
        let team = Team::new(3);
        team.for_each((0..8).collect(), |_: u32| {});
        let shared = Arc::downgrade(&team.shared);
        drop(team);
        assert!(shared.upgrade().is_none());
    }
}
