//! A conversation with the program over its standard input and output.
#![allow(dead_code)]

pub mod cecp;

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// A running program.
pub struct Dialog {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    settled: usize,
}

/// How long an answer may take before the test fails; far more than it ever does.
const PATIENCE: Duration = Duration::from_secs(30);

impl Dialog {
    pub fn start(arguments: &[&str]) -> Dialog {
        Dialog::start_in(arguments, &[])
    }

    pub fn start_in(arguments: &[&str], environment: &[(&str, &str)]) -> Dialog {
        let mut child = Command::new(env!("CARGO_BIN_EXE_sakijishi"))
            .args(arguments)
            .env_remove("SAKIJISHI_RULES")
            .env_remove("SAKIJISHI_ID_NAME")
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Dialog {
            input: child.stdin.take(),
            child,
            lines,
            settled: 0,
        }
    }

    pub fn send(&mut self, line: &str) {
        self.send_raw(format!("{line}\n").as_bytes());
    }

    pub fn send_raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    /// All lines up to the first that begins like this.
    pub fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        let begun = Instant::now();
        while begun.elapsed() < PATIENCE {
            if let Ok(line) = self.lines.recv_timeout(PATIENCE) {
                let found = line.starts_with(start);
                lines.push(line);
                if found {
                    return lines;
                }
            }
        }
        panic!("no `{start}` in {lines:?}");
    }

    /// All lines that are still to come from what was sent.
    pub fn settle(&mut self) -> Vec<String> {
        self.settled += 1;
        let mark = format!("setoption name settled{}", self.settled);
        self.send(&mark);
        let mut lines = self.until(&format!(
            "info string there is no option `settled{}`",
            self.settled
        ));
        lines.pop();
        lines
    }

    pub fn sfen(&mut self) -> String {
        self.send("d");
        let lines = self.settle();
        lines
            .iter()
            .find_map(|line| line.strip_prefix("sfen: "))
            .unwrap()
            .to_owned()
    }

    /// A full info line with a playable line comes right before the best move, which begins it.
    pub fn assert_answer(&mut self, lines: &[String]) {
        let [.., info, best] = lines else {
            panic!("{lines:?}")
        };
        let best = best.split(' ').nth(1).unwrap();
        let words: Vec<&str> = info.split(' ').collect();
        for word in [
            "depth", "seldepth", "score", "nodes", "nps", "hashfull", "time",
        ] {
            assert!(words.contains(&word), "{info}");
        }
        assert!(
            info.starts_with("info depth ") && best != "resign",
            "{lines:?}"
        );
        let pv = info
            .split(" pv ")
            .nth(1)
            .unwrap_or_else(|| panic!("{info}"));
        let before = self.sfen();
        self.send(&format!("position sfen {before} moves {pv}"));
        assert_eq!(self.settle(), [""; 0], "{info}");
        self.send(&format!("position sfen {before} moves {best}"));
        assert_eq!(self.settle(), [""; 0], "{lines:?}");
        self.send(&format!("position sfen {before}"));
    }

    /// Closes the input; gives the exit status, and checks that nothing was said on standard error.
    pub fn end(&mut self) -> Option<i32> {
        self.input = None;
        let status = self.child.wait().unwrap();
        let mut errors = String::new();
        self.child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut errors)
            .unwrap();
        assert_eq!(errors, "");
        status.code()
    }
}

impl Drop for Dialog {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
