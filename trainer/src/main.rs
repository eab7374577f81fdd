//! `smooth-clir`: see the library beside it.

fn main() -> std::process::ExitCode {
    smooth_clir_trainer::run()
}

/// The heap of the program: jemalloc's.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod heap {
    use tikv_jemallocator::Jemalloc;

    #[global_allocator]
    static HEAP: Jemalloc = Jemalloc;

    /// It lies in large pages: rows and texts are read at random, and in small pages each read first waits until the processor has
    /// found its page. All threads share one heap, which gives back what it does not use: of many, each keeps what the largest work
    /// on it took, and a service whose index changes holds twice the memory.
    // SAFETY: the name is the library's own for a string that ends in 0, and nothing else has it.
    #[allow(unsafe_code)]
    #[used]
    #[unsafe(export_name = "_rjem_malloc_conf")]
    static OPTIONS: &[u8; 58] = b"thp:always,narenas:1,dirty_decay_ms:1000,muzzy_decay_ms:0\0";
}
