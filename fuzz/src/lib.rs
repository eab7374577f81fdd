//! What the targets share: a bound on memory, and files for what reads files.

pub mod checks;
pub mod header;

use std::alloc::{GlobalAlloc, Layout, System};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// As many times its length an input may take in memory, unless `FUZZ_TIMES` says otherwise: a large one may consist of
/// what takes most, as the tests of costs have it,
const TIMES: usize = 10;
/// beside buffers that do not depend on it.
const BUFFERS: usize = 1 << 20;

static HELD: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

impl Counting {
    fn grown(by: usize) {
        MOST.fetch_max(HELD.fetch_add(by, Relaxed) + by, Relaxed);
    }
}

// SAFETY: the system's allocator does it all; sizes are counted beside it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Self::grown(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Self::grown(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        Self::grown(size);
        HELD.fetch_sub(layout.size(), Relaxed);
        unsafe { System.realloc(pointer, layout, size) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(pointer, layout) }
    }
}

/// Does `work` on an input of so many bytes.
///
/// # Panics
/// If it takes more memory than such an input may.
pub fn bounded<T>(bytes: usize, work: impl FnOnce() -> T) -> T {
    let before = HELD.load(Relaxed);
    MOST.store(before, Relaxed);
    let done = work();
    let taken = MOST.load(Relaxed).saturating_sub(before);
    assert!(taken <= times() * bytes + BUFFERS, "{bytes} bytes took {taken} bytes of memory");
    done
}

fn times() -> usize {
    static STATED: OnceLock<usize> = OnceLock::new();
    let stated = || std::env::var("FUZZ_TIMES").ok()?.parse().ok();
    *STATED.get_or_init(|| stated().unwrap_or(TIMES))
}

/// Does `work` on a file of these bytes, in memory, whose name ends so, alone in its folder.
///
/// # Panics
/// If the file cannot be written, or `work` takes too much memory.
pub fn on_file<T>(ending: &str, bytes: &[u8], work: impl FnOnce(&Path) -> T) -> T {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
        folder.join(format!("smooth-clir-fuzz-{}", std::process::id()))
    });
    let path = folder.join(ending).join(format!("input{ending}"));
    if std::fs::write(&path, bytes).is_err() {
        std::fs::create_dir_all(folder.join(ending)).expect("a folder for the input");
        std::fs::write(&path, bytes).expect("the input is written");
    }
    bounded(bytes.len(), || work(&path))
}
