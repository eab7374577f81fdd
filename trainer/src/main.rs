//! `smooth-clir`: see the library beside it.

fn main() -> std::process::ExitCode {
    smooth_clir_trainer::run()
}

/// The heap lies in large pages: rows and texts are read at random, and in small pages each read first waits until the processor
/// has found its page. Training takes three quarters of the time.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod heap {
    use tikv_jemallocator::Jemalloc;

    #[global_allocator]
    static HEAP: Jemalloc = Jemalloc;

    // SAFETY: the name is the library's for a string that ends in 0, and nothing else has it.
    #[allow(unsafe_code)]
    #[used]
    #[unsafe(export_name = "_rjem_malloc_conf")]
    static OPTIONS: &[u8; 11] = b"thp:always\0";
}
