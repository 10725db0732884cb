//! The program as a filter: arguments and input in, output out.

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs the program to its end.
pub fn run(arguments: &[&str], input: impl AsRef<[u8]>) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sakijishi"))
        .args(arguments)
        .env_remove("SAKIJISHI_RULES")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // A program that refuses its arguments does not read its input.
    let _ = stdin.write_all(input.as_ref());
    drop(stdin);
    child.wait_with_output().unwrap()
}
