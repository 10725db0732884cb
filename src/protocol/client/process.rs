//! A process that reads and writes lines, watched.

use std::fmt;
use std::io::{BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender, TryRecvError};
use std::thread;
use std::time::{Duration, Instant};

use super::super::reader;
use super::{ClientError, Deadline, Direction, Interrupt, Tap};

/// Lines kept while nobody reads them; then the engine has to wait.
const QUEUE: usize = 4_096;
/// The most lines that an answer may take; engines write some hundred.
const FLOOD: usize = 200_000;
/// How long a closed output may precede the end of the process.
const DYING: Duration = Duration::from_millis(300);
/// How long an engine that was told to quit may take.
const QUITTING: Duration = Duration::from_millis(500);
/// How often the end of a process is looked for.
const POLL: Duration = Duration::from_millis(5);

/// How to start an engine.
#[derive(Clone)]
pub struct Launch {
    /// The program and its arguments.
    pub command: Vec<String>,
    /// Where to run it; here if `None`.
    pub dir: Option<PathBuf>,
    /// Options to set, by name.
    pub options: Vec<(String, String)>,
    /// Options to set before those, but only if the engine says that it has them.
    pub hints: Vec<(String, String)>,
    /// How long the engine may take to get ready.
    pub patience: Duration,
    /// Gets every line.
    pub tap: Option<Tap>,
    /// Ends every wait.
    pub interrupt: Interrupt,
}

impl fmt::Debug for Launch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Launch")
            .field("command", &self.command)
            .field("dir", &self.dir)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl Launch {
    /// A command with no options, ten seconds of patience and no log.
    pub fn new(command: Vec<String>) -> Launch {
        Launch {
            command,
            dir: None,
            options: Vec::new(),
            hints: Vec::new(),
            patience: Duration::from_secs(10),
            tap: None,
            interrupt: Interrupt::new(),
        }
    }
}

/// A line with the moment of its arrival.
struct Line {
    at: Instant,
    text: String,
}

/// A running engine. Dropping it kills its process group and reaps it.
pub(super) struct Process {
    child: Child,
    /// Lines for the thread that writes: an engine that does not read must not block us.
    input: Option<Sender<String>>,
    output: Receiver<Option<Line>>,
    closed: bool,
    tap: Option<Tap>,
    interrupt: Interrupt,
    /// Lines since the last question.
    lines: usize,
}

impl Process {
    pub(super) fn start(launch: &Launch) -> Result<Process, ClientError> {
        let failed = |reason: String| ClientError::Start {
            command: launch.command.join(" "),
            reason,
        };
        let mut words = launch.command.iter();
        let program = words
            .next()
            .ok_or_else(|| failed("there is no command".to_owned()))?;
        let mut command = Command::new(program);
        command
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        command.stderr(match launch.tap {
            Some(_) => Stdio::piped(),
            None => Stdio::null(),
        });
        if let Some(dir) = &launch.dir {
            command.current_dir(dir);
        }
        // A group of its own: what the engine starts can be ended with it, and a Ctrl-C at the terminal is ours alone.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| failed(error.to_string()))?;
        let (sender, output) = mpsc::sync_channel(QUEUE);
        let tap = launch.tap.clone();
        if let Some(stdout) = child.stdout.take() {
            let tap = tap.clone();
            thread::spawn(move || forward(BufReader::new(stdout), &sender, tap.as_ref()));
        }
        if let (Some(stderr), Some(tap)) = (child.stderr.take(), tap.clone()) {
            thread::spawn(move || {
                let _ = reader::read_lines(BufReader::new(stderr), |line| {
                    tap(Direction::Complaint, &line);
                    true
                });
            });
        }
        let input = child.stdin.take().map(|stdin| {
            let (sender, receiver) = mpsc::channel();
            thread::spawn(move || write_lines(stdin, &receiver));
            sender
        });
        Ok(Process {
            child,
            input,
            output,
            closed: false,
            tap,
            interrupt: launch.interrupt.clone(),
            lines: 0,
        })
    }

    /// Sends a line. That the engine is gone shows when its answer is waited for.
    pub(super) fn send(&mut self, text: &str) {
        if let Some(tap) = &self.tap {
            tap(Direction::Sent, text);
        }
        if let Some(input) = &self.input {
            let _ = input.send(text.to_owned());
        }
    }

    /// Throws away what the engine said unasked.
    pub(super) fn drain(&mut self) -> Result<(), ClientError> {
        self.lines = 0;
        loop {
            match self.output.try_recv() {
                Ok(Some(_)) => self.count()?,
                Ok(None) | Err(TryRecvError::Disconnected) => {
                    self.closed = true;
                    return Err(self.gone());
                }
                Err(TryRecvError::Empty) => return Ok(()),
            }
        }
    }

    fn count(&mut self) -> Result<(), ClientError> {
        self.lines += 1;
        match self.lines {
            FLOOD.. => Err(ClientError::Flood { lines: self.lines }),
            _ => Ok(()),
        }
    }

    /// The next line and when it came; `Ok(None)` if none comes before the deadline.
    pub(super) fn line(
        &mut self,
        deadline: &Deadline,
    ) -> Result<Option<(Instant, String)>, ClientError> {
        if self.closed {
            return Err(self.gone());
        }
        loop {
            if self.interrupt.is_raised() {
                return Err(ClientError::Interrupted);
            }
            let left = deadline.left();
            match self.output.recv_timeout(left.min(Interrupt::EVERY)) {
                Ok(Some(line)) => {
                    self.count()?;
                    return Ok(Some((line.at, line.text)));
                }
                Ok(None) | Err(RecvTimeoutError::Disconnected) => {
                    self.closed = true;
                    return Err(self.gone());
                }
                Err(RecvTimeoutError::Timeout) if left <= Interrupt::EVERY => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Waits for the line that `wanted` recognises; gives what it makes of it and when it came.
    pub(super) fn wait_for<T>(
        &mut self,
        deadline: &Deadline,
        mut wanted: impl FnMut(&str) -> Option<T>,
    ) -> Result<(Instant, T), ClientError> {
        // A flood must not get past the deadline by never letting the queue run dry.
        while !deadline.left().is_zero() {
            let Some((at, text)) = self.line(deadline)? else {
                break;
            };
            if let Some(found) = wanted(&text) {
                return Ok((at, found));
            }
        }
        Err(deadline.error())
    }

    /// Why the output is at its end.
    fn gone(&mut self) -> ClientError {
        match self.wait_exit(DYING) {
            Some(status) if !status.success() => ClientError::Crash {
                status: status.to_string(),
            },
            _ => ClientError::Disconnect,
        }
    }

    /// Waits so long for the process to end. What else is in its group is ended before the child is reaped, while the
    /// group's number is certain to be its own.
    fn wait_exit(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
        while !self.has_exited() {
            if Instant::now() >= deadline {
                return None;
            }
            thread::sleep(POLL);
        }
        self.kill_group();
        self.child.wait().ok()
    }

    #[cfg(unix)]
    fn has_exited(&mut self) -> bool {
        use rustix::process::{WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        match rustix::process::Pid::from_raw(self.child.id().cast_signed()) {
            // An error means that it has been reaped.
            Some(pid) => !matches!(waitid(WaitId::Pid(pid), options), Ok(None)),
            None => true,
        }
    }

    #[cfg(not(unix))]
    fn has_exited(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    #[cfg(unix)]
    fn kill_group(&mut self) {
        use rustix::process::{Pid, Signal, kill_process_group};
        // Once it is reaped, the number may belong to others.
        if self.reaped() {
            return;
        }
        if let Some(pid) = Pid::from_raw(self.child.id().cast_signed()) {
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }

    #[cfg(unix)]
    fn reaped(&self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Pid::from_raw(self.child.id().cast_signed())
            .is_none_or(|pid| waitid(WaitId::Pid(pid), options).is_err())
    }

    #[cfg(not(unix))]
    fn kill_group(&mut self) {
        let _ = self.child.kill();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.closed && !self.interrupt.is_raised() {
            self.send("quit");
            self.input = None;
            self.wait_exit(QUITTING);
        }
        self.kill_group();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Passes on the engine's lines with the moment of their arrival.
fn forward(
    stdout: BufReader<std::process::ChildStdout>,
    sender: &SyncSender<Option<Line>>,
    tap: Option<&Tap>,
) {
    let _ = reader::read_lines(stdout, |text| {
        let at = Instant::now();
        if let Some(tap) = tap {
            tap(Direction::Received, &text);
        }
        sender.send(Some(Line { at, text })).is_ok()
    });
    let _ = sender.send(None);
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for mut line in lines {
        line.push('\n');
        if stdin
            .write_all(line.as_bytes())
            .and_then(|()| stdin.flush())
            .is_err()
        {
            return;
        }
    }
}
