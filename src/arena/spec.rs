//! Engines as the command line describes them: `cmd=… proto=usi name=… tc=10+0.1 option.X=Y`, or `self`.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use crate::protocol::client::TimeControl;

/// How an engine is talked to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Speaks {
    /// It is ours and runs in this process.
    InProcess,
    /// A process that speaks USI.
    Usi(Vec<String>),
    /// A process that speaks CECP.
    Cecp(Vec<String>),
}

/// An engine that takes part in a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineSpec {
    /// What results call it.
    pub name: String,
    /// How it is run.
    pub speaks: Speaks,
    /// Where it is run; here if `None`.
    pub dir: Option<PathBuf>,
    /// Options to set before the first game.
    pub options: Vec<(String, String)>,
    /// What it has for its moves.
    pub control: TimeControl,
}

/// The words that begin an item; `option.` takes any name.
const KEYS: [&str; 10] = [
    "cmd=",
    "proto=",
    "name=",
    "dir=",
    "tc=",
    "byoyomi=",
    "movetime=",
    "nodes=",
    "depth=",
    "option.",
];
/// Those that say what an engine has for its moves.
const LIMITS: [&str; 5] = ["tc", "byoyomi", "movetime", "nodes", "depth"];

/// Splits a description into keys and values. Both may have blanks: an item goes on until the next one begins.
fn items(text: &str) -> Result<Vec<(String, String)>> {
    let mut items: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let begins = KEYS.iter().any(|key| word.starts_with(key));
        match items.last_mut() {
            _ if begins => items.push(word.to_owned()),
            None if word == "self" => items.push("cmd=self".to_owned()),
            None => bail!("`{word}` begins none of {}", KEYS.join(" ")),
            Some(item) => item.push_str(&format!(" {word}")),
        }
    }
    let pair = |item: &String| {
        let (key, value) = item.split_once('=').unwrap_or((item, ""));
        (key.to_owned(), value.to_owned())
    };
    Ok(items.iter().map(pair).collect())
}

impl EngineSpec {
    /// Reads a description. Items of `each` hold where the engine's own do not say otherwise.
    ///
    /// # Errors
    ///
    /// What is wrong, quoting it.
    pub fn parse(text: &str, each: &str) -> Result<EngineSpec> {
        let mut spec = EngineSpec {
            name: String::new(),
            speaks: Speaks::InProcess,
            dir: None,
            options: Vec::new(),
            control: TimeControl::default(),
        };
        let own = items(text).with_context(|| format!("engine `{text}`"))?;
        let shared = items(each).with_context(|| format!("`{each}` for each engine"))?;
        let (mut command, mut protocol) = (None, "usi".to_owned());
        // An engine with limits of its own does not get those that are meant for all.
        let is_limit = |key: &str| LIMITS.contains(&key);
        let has_limits = own.iter().any(|(key, _)| is_limit(key));
        let shared = shared
            .iter()
            .filter(|(key, _)| !(has_limits && is_limit(key)));
        for (key, value) in shared.chain(&own) {
            let set = || format!("`{key}={value}` of engine `{text}`");
            match key.as_str() {
                "cmd" => command = Some(value.clone()),
                "proto" => protocol.clone_from(value),
                "name" => {
                    if let Some(stray) = value.split(' ').find(|word| word.contains('=')) {
                        let keys = KEYS.join(" ");
                        bail!("engine `{text}`: `{stray}` begins none of {keys}");
                    }
                    spec.name.clone_from(value);
                }
                "dir" => spec.dir = Some(value.into()),
                "tc" => {
                    (spec.control.main, spec.control.increment) = tc(value).with_context(set)?
                }
                "byoyomi" => spec.control.byoyomi = seconds(value).with_context(set)?,
                "movetime" => spec.control.move_time = Some(seconds(value).with_context(set)?),
                "nodes" => spec.control.nodes = Some(value.parse().with_context(set)?),
                "depth" => spec.control.depth = Some(value.parse().with_context(set)?),
                _ => {
                    let name = key.strip_prefix("option.").unwrap_or(key);
                    spec.options.retain(|(known, _)| known != name);
                    spec.options.push((name.to_owned(), value.clone()));
                }
            }
        }
        let command = command.with_context(|| format!("engine `{text}` has no `cmd=`"))?;
        spec.speak(&command, &protocol)?;
        ensure!(
            spec.control != TimeControl::default(),
            "engine `{}` has no limit: give tc=, byoyomi=, movetime=, nodes= or depth=",
            spec.name
        );
        ensure!(
            !(matches!(spec.speaks, Speaks::Cecp(_)) && spec.control.nodes.is_some()),
            "engine `{}`: CECP knows no limit of nodes",
            spec.name
        );
        Ok(spec)
    }

    fn speak(&mut self, command: &str, protocol: &str) -> Result<()> {
        if command == "self" {
            if self.name.is_empty() {
                "self".clone_into(&mut self.name);
            }
            return Ok(());
        }
        let words = shlex::split(command)
            .filter(|words| !words.is_empty())
            .with_context(|| format!("`{command}` is no command"))?;
        if self.name.is_empty() {
            let program = words.first().and_then(|word| word.rsplit('/').next());
            program.unwrap_or("engine").clone_into(&mut self.name);
        }
        self.speaks = match protocol {
            "usi" => Speaks::Usi(words),
            "cecp" | "xboard" => Speaks::Cecp(words),
            other => bail!("`proto={other}`: protocols are usi and cecp"),
        };
        Ok(())
    }
}

/// Reads all engines; equal names get numbers.
///
/// # Errors
///
/// What is wrong, quoting it.
pub fn parse_all(texts: &[String], each: &str) -> Result<Vec<EngineSpec>> {
    let mut specs: Vec<EngineSpec> = Vec::new();
    for text in texts {
        let mut spec = EngineSpec::parse(text, each)?;
        let taken = |name: &str| specs.iter().any(|other| other.name == name);
        if taken(&spec.name) {
            let free = (2..).map(|n| format!("{}-{n}", spec.name));
            spec.name = free
                .into_iter()
                .find(|name| !taken(name))
                .unwrap_or_default();
        }
        specs.push(spec);
    }
    Ok(specs)
}

/// Seconds, with a fraction.
fn seconds(text: &str) -> Result<Duration> {
    let seconds: f64 = text
        .parse()
        .with_context(|| format!("`{text}` is no number of seconds"))?;
    Duration::try_from_secs_f64(seconds).with_context(|| format!("`{text}` is no time"))
}

/// `base` or `base+increment`, in seconds; the base may be `minutes:seconds`.
fn tc(text: &str) -> Result<(Duration, Duration)> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    let base = match base.split_once(':') {
        Some((minutes, rest)) => seconds(minutes)? * 60 + seconds(rest)?,
        None => seconds(base)?,
    };
    Ok((base, seconds(increment)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_may_have_blanks() {
        let text = "cmd=stdbuf -oL 'my engine' --variant=chu proto=cecp option.Allow repeats=1 tc=1:30+0.5";
        let spec = EngineSpec::parse(text, "option.memory=64 nodes=5").unwrap();
        let words = ["stdbuf", "-oL", "my engine", "--variant=chu"].map(str::to_owned);
        assert_eq!(spec.speaks, Speaks::Cecp(words.to_vec()));
        assert_eq!(spec.name, "stdbuf");
        let options = [("memory", "64"), ("Allow repeats", "1")];
        let options = options.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(spec.options, options);
        let control = TimeControl {
            main: Duration::from_secs(90),
            increment: Duration::from_millis(500),
            ..TimeControl::default()
        };
        assert_eq!(spec.control, control);
    }

    #[test]
    fn names_are_made_different() {
        let specs = ["self", "self name=a b", "self"].map(str::to_owned);
        let specs = parse_all(&specs, "nodes=10").unwrap();
        let names: Vec<&str> = specs.iter().map(|spec| spec.name.as_str()).collect();
        assert_eq!(names, ["self", "a b", "self-2"]);
    }

    #[test]
    fn what_is_wrong_is_quoted() {
        let error = |text: &str| format!("{:#}", EngineSpec::parse(text, "").unwrap_err());
        assert!(error("self").contains("has no limit"));
        assert!(error("foo").contains("`foo` begins none of"));
        assert!(error("self name=x nodse=5 nodes=1").contains("`nodse=5` begins none of"));
        assert!(error("name=x nodes=1").contains("no `cmd=`"));
        assert!(error("self nodes=x").contains("`nodes=x`"));
        assert!(error("cmd=x proto=uci nodes=1").contains("`proto=uci`"));
        assert!(error("cmd=x proto=cecp nodes=1").contains("no limit of nodes"));
        assert!(error("self tc=-1").contains("`-1` is no time"));
    }
}
