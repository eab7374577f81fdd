//! `smooth-clir`: see the library beside it.

fn main() -> std::process::ExitCode {
    smooth_clir_trainer::run()
}
