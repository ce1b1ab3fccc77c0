//! The binary `contextfit`.

fn main() -> std::process::ExitCode {
    contextfit_cli::main()
}
