//! What options there are: names, values, defaults.

use crate::board::{
    BareKing, LionTrade, LoneRoyals, Promotion, RepetitionRule, RuleSet, StrikeScope,
};

/// What sort of value an option takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Sort {
    /// True or false.
    Check {
        /// If it is not set.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// If it is not set.
        default: i64,
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
    },
    /// One of some words.
    Combo {
        /// If it is not set.
        default: &'static str,
        /// The words.
        choices: Vec<&'static str>,
    },
    /// Something to do.
    Button,
    /// A file.
    File {
        /// If it is not set.
        default: &'static str,
    },
}

/// An option as protocols announce it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spec {
    /// Its name, without blanks.
    pub name: &'static str,
    /// What it takes.
    pub sort: Sort,
    /// What it does, in one line.
    pub help: &'static str,
}

/// The word for "as the rule set has it".
pub(super) const AS_RULE_SET: &str = "ruleset";
pub(super) const BUILT_IN: &str = "<built-in>";
pub(super) const NO_LOG: &str = "<none>";
/// A `ResignValue` that is never reached.
pub(super) const NEVER: i64 = 99_999;
/// Nodes of the look for a mate before a search.
pub(super) const MATE_NODES: i64 = 100_000;
/// The range of `USI_Elo`; its ends are skill -20 and 20.
pub(super) const ELO: std::ops::RangeInclusive<i64> = 600..=2_600;

/// The words of one of the rules' enums, after the word for the rule set's own.
fn choices<T>(words: &'static [(&'static str, T)]) -> Sort {
    let words = words.iter().map(|(word, _)| *word);
    let choices = std::iter::once(AS_RULE_SET).chain(words).collect();
    Sort::Combo {
        default: AS_RULE_SET,
        choices,
    }
}

fn yes_or_no() -> Sort {
    Sort::Combo {
        default: AS_RULE_SET,
        choices: vec![AS_RULE_SET, "true", "false"],
    }
}

fn variant() -> Sort {
    Sort::Combo {
        default: "chushogi",
        choices: vec!["chushogi"],
    }
}

/// All options, in the order in which they are announced.
pub fn specs() -> Vec<Spec> {
    let spin = |default, min, max| Sort::Spin { default, min, max };
    let spec = |name, sort, help| Spec { name, sort, help };
    let rule_sets = RuleSet::WORDS.iter().map(|(word, _)| *word).collect();
    vec![
        spec(
            "USI_Hash",
            spin(64, 1, 1 << 20),
            "size of the transposition table in MiB",
        ),
        spec(
            "USI_Ponder",
            Sort::Check { default: false },
            "think on the opponent's time",
        ),
        spec("Threads", spin(1, 1, 512), "search threads"),
        spec(
            "USI_MultiPV",
            spin(1, 1, 500),
            "lines to report (same as MultiPV)",
        ),
        spec(
            "MultiPV",
            spin(1, 1, 500),
            "lines to report (same as USI_MultiPV)",
        ),
        spec("USI_Variant", variant(), "the game; there is only one"),
        spec("UCI_Variant", variant(), "the game; there is only one"),
        spec(
            "USI_AnalyseMode",
            Sort::Check { default: false },
            "analyse: no contempt, no resignation, full strength",
        ),
        spec(
            "Skill_Level",
            spin(20, -20, 20),
            "playing strength; 20 is all there is",
        ),
        spec(
            "USI_LimitStrength",
            Sort::Check { default: false },
            "play at the strength of USI_Elo",
        ),
        spec(
            "USI_Elo",
            spin(*ELO.end(), *ELO.start(), *ELO.end()),
            "strength if it is limited",
        ),
        spec(
            "Move_Overhead",
            spin(30, 0, 5_000),
            "ms kept back of every move's time",
        ),
        spec("Clear_Hash", Sort::Button, "forget what was searched"),
        spec(
            "Debug_Log_File",
            Sort::File { default: NO_LOG },
            "append all input and output here",
        ),
        spec(
            "EvalFile",
            Sort::File { default: BUILT_IN },
            "file of the network to use, or none for piece-square values alone",
        ),
        spec(
            "ResignValue",
            spin(NEVER, 0, NEVER),
            "resign below minus this many centipawns",
        ),
        spec(
            "Contempt",
            spin(0, -1_000, 1_000),
            "centipawns by which a draw is worse than even",
        ),
        spec(
            "Mate_Nodes",
            spin(MATE_NODES, 0, 100_000_000),
            "nodes to look for a forced mate before a search; 0 for none",
        ),
        spec(
            "Rules",
            Sort::Combo {
                default: RuleSet::default().word(),
                choices: rule_sets,
            },
            "the rule set",
        ),
        spec(
            "Promotion",
            choices(Promotion::WORDS),
            "when pieces promote",
        ),
        spec(
            "LionTrade",
            choices(LionTrade::WORDS),
            "how far lion trading is restricted",
        ),
        spec(
            "BareKing",
            choices(BareKing::WORDS),
            "how a bare king loses",
        ),
        spec(
            "Repetition",
            choices(RepetitionRule::WORDS),
            "what repetition means",
        ),
        spec(
            "MaxMovesToDraw",
            spin(-1, -1, 100_000),
            "plies to a draw; -1 as the rule set, 0 never",
        ),
        spec(
            "LanceLastRank",
            yes_or_no(),
            "whether a lance promotes by reaching the last rank",
        ),
        spec(
            "StrikeScope",
            choices(StrikeScope::WORDS),
            "which captures a counter-strike ban means",
        ),
        spec(
            "StrikeExempt",
            yes_or_no(),
            "whether a lion on the fallen lion's square may be taken",
        ),
        spec(
            "LoneRoyals",
            choices(LoneRoyals::WORDS),
            "what two lone royals make",
        ),
    ]
}
