//! The `scanner` program.

fn main() -> std::process::ExitCode {
    scanner::cli::main()
}
