//! The options of the engine, by name, for every protocol.

mod eval_file;
mod spec;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;

use crate::board::{
    BareKing, LionTrade, LoneRoyals, Promotion, RepetitionRule, RuleSet, Rules, StrikeScope,
};
use crate::eval::{Network, Score};
use eval_file::EvalFile;
use spec::{AS_RULE_SET, BUILT_IN, ELO, MATE_NODES, NEVER, NO_LOG};
pub use spec::{Sort, Spec, specs};

/// Why an option was not set.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("there is no option `{0}`")]
    Unknown(String),
    /// The value is not of the option's sort; the old one is kept.
    #[error("option {name}: `{value}` is not {wanted}; it stays {kept}")]
    Value {
        /// The option.
        name: &'static str,
        /// What was given.
        value: String,
        /// What would be accepted.
        wanted: String,
        /// The value that is kept.
        kept: String,
    },
    /// The file cannot be used; the old one is kept.
    #[error("option {name}: `{value}`: {reason}; it stays {kept}")]
    File {
        /// The option.
        name: &'static str,
        /// What was given.
        value: String,
        /// What is wrong with it.
        reason: String,
        /// The value that is kept.
        kept: String,
    },
}

/// What else has to happen when an option was set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    Plain,
    ClearTable,
    Rules,
}

/// One row of the rules table that an option overrides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Overrides {
    promotion: Option<Promotion>,
    lance_last_rank: Option<bool>,
    lion_trade: Option<LionTrade>,
    strike_scope: Option<StrikeScope>,
    strike_exempt: Option<bool>,
    bare_king: Option<BareKing>,
    repetition: Option<RepetitionRule>,
    lone_royals: Option<LoneRoyals>,
    /// -1 is as the rule set has it, 0 none.
    move_limit: i64,
}

/// The values of all options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Mebibytes of the transposition table.
    pub hash: usize,
    /// Search threads.
    pub threads: usize,
    /// Lines to report.
    pub multi_pv: usize,
    /// Whether the GUI lets the engine think on the opponent's time.
    pub ponder: bool,
    /// Whether positions are analysed: no contempt, no resignation, full strength.
    pub analyse: bool,
    /// -20 … 20, 20 is full strength.
    pub skill: i32,
    /// Whether `elo` is used instead of `skill`.
    pub limit_strength: bool,
    /// Playing strength if it is limited.
    pub elo: i32,
    /// Milliseconds kept back for the way to the GUI.
    pub move_overhead: u64,
    /// What a draw is worth less than nothing, in centipawns.
    pub contempt: i32,
    /// The most nodes that a look for a mate takes before a search; 0 for none.
    pub mate_nodes: u64,
    resign_value: i64,
    log: Option<PathBuf>,
    eval_file: EvalFile,
    rule_set: RuleSet,
    overrides: Overrides,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash: 64,
            threads: 1,
            multi_pv: 1,
            ponder: false,
            analyse: false,
            skill: 20,
            limit_strength: false,
            elo: *ELO.end() as i32,
            move_overhead: 30,
            contempt: 0,
            mate_nodes: MATE_NODES as u64,
            resign_value: NEVER,
            log: None,
            eval_file: EvalFile::default(),
            rule_set: RuleSet::default(),
            overrides: Overrides {
                move_limit: -1,
                ..Overrides::default()
            },
        }
    }
}

impl Options {
    /// The rules: the rule set with what other options change.
    pub fn rules(&self) -> Rules {
        let base = Rules::from(self.rule_set);
        let own = &self.overrides;
        Rules {
            promotion: own.promotion.unwrap_or(base.promotion),
            lance_last_rank: own.lance_last_rank.unwrap_or(base.lance_last_rank),
            lion_trade: own.lion_trade.unwrap_or(base.lion_trade),
            strike_scope: own.strike_scope.unwrap_or(base.strike_scope),
            strike_exempt: own.strike_exempt.unwrap_or(base.strike_exempt),
            bare_king: own.bare_king.unwrap_or(base.bare_king),
            repetition: own.repetition.unwrap_or(base.repetition),
            lone_royals: own.lone_royals.unwrap_or(base.lone_royals),
            move_limit: match own.move_limit {
                0 => None,
                1.. => Some(own.move_limit as u32),
                _ => base.move_limit,
            },
        }
    }

    /// Where all input and output is to be logged.
    pub fn log(&self) -> Option<&PathBuf> {
        self.log.as_ref()
    }

    /// The network that corrects the piece-square values, if one does.
    pub fn network(&self) -> Option<&Arc<Network>> {
        self.eval_file.network()
    }

    pub(super) fn overhead(&self) -> Duration {
        Duration::from_millis(self.move_overhead)
    }

    /// The score under which the engine resigns, if it ever does.
    pub(super) fn resign_score(&self) -> Option<Score> {
        let resigns = !self.analyse && self.resign_value < NEVER;
        resigns.then(|| -(self.resign_value as Score))
    }

    /// The skill level to play at, -20 … 20, from either option.
    pub(super) fn level(&self) -> i32 {
        if self.analyse {
            return 20;
        }
        if !self.limit_strength {
            return self.skill;
        }
        let span = (ELO.end() - ELO.start()) as i32;
        (self.elo - *ELO.start() as i32) * 40 / span - 20
    }

    /// The value of an option as text; `None` for a button or an unknown name.
    pub fn get(&self, name: &str) -> Option<String> {
        let own = &self.overrides;
        let or_rule_set = |word: Option<&'static str>| word.unwrap_or(AS_RULE_SET).to_owned();
        let yes_no =
            |value: Option<bool>| or_rule_set(value.map(|v| if v { "true" } else { "false" }));
        Some(match name.to_ascii_lowercase().as_str() {
            "usi_hash" => self.hash.to_string(),
            "usi_ponder" => self.ponder.to_string(),
            "threads" => self.threads.to_string(),
            "usi_multipv" | "multipv" => self.multi_pv.to_string(),
            "usi_variant" | "uci_variant" => "chushogi".to_owned(),
            "usi_analysemode" => self.analyse.to_string(),
            "skill_level" => self.skill.to_string(),
            "usi_limitstrength" => self.limit_strength.to_string(),
            "usi_elo" => self.elo.to_string(),
            "move_overhead" => self.move_overhead.to_string(),
            "debug_log_file" => self
                .log
                .as_ref()
                .map_or(NO_LOG.to_owned(), |path| path.display().to_string()),
            "evalfile" => self.eval_file.to_string(),
            "resignvalue" => self.resign_value.to_string(),
            "contempt" => self.contempt.to_string(),
            "mate_nodes" => self.mate_nodes.to_string(),
            "rules" => self.rule_set.word().to_owned(),
            "promotion" => or_rule_set(own.promotion.map(Promotion::word)),
            "liontrade" => or_rule_set(own.lion_trade.map(LionTrade::word)),
            "bareking" => or_rule_set(own.bare_king.map(BareKing::word)),
            "repetition" => or_rule_set(own.repetition.map(RepetitionRule::word)),
            "maxmovestodraw" => own.move_limit.to_string(),
            "lancelastrank" => yes_no(own.lance_last_rank),
            "strikescope" => or_rule_set(own.strike_scope.map(StrikeScope::word)),
            "strikeexempt" => yes_no(own.strike_exempt),
            "loneroyals" => or_rule_set(own.lone_royals.map(LoneRoyals::word)),
            _ => return None,
        })
    }

    /// Sets an option by its name, in any case. Numbers out of range are set to the nearest that is in it.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<Effect, OptionError> {
        let unknown = || OptionError::Unknown(name.to_owned());
        let specs = specs();
        let spec = specs
            .iter()
            .find(|spec| spec.name.eq_ignore_ascii_case(name))
            .ok_or_else(unknown)?;
        let refuse = |wanted: String| OptionError::Value {
            name: spec.name,
            value: value.to_owned(),
            wanted,
            kept: self.get(spec.name).unwrap_or_default(),
        };
        match &spec.sort {
            Sort::Check { .. } => {
                let value = yes(value).ok_or_else(|| refuse("true or false".to_owned()))?;
                Ok(self.set_check(spec.name, value))
            }
            Sort::Spin { min, max, .. } => {
                let number = whole_number(value)
                    .ok_or_else(|| refuse(format!("a whole number from {min} to {max}")))?;
                Ok(self.set_spin(spec.name, number.clamp(*min, *max)))
            }
            Sort::Combo { choices, .. } => {
                let value = self.synonym(spec.name, value);
                let word = choices
                    .iter()
                    .find(|choice| choice.eq_ignore_ascii_case(value))
                    .ok_or_else(|| refuse(format!("one of {}", choices.join(", "))))?;
                Ok(self.set_combo(spec.name, word))
            }
            Sort::Button => Ok(Effect::ClearTable),
            Sort::File { .. } => self.set_file(spec.name, value),
        }
    }

    /// `on` and `off` for a bare king: the rule set's own rule, or the default's where it has none; and no rule.
    fn synonym<'a>(&self, name: &str, value: &'a str) -> &'a str {
        if name != "BareKing" {
            return value;
        }
        match value.to_ascii_lowercase().as_str() {
            "off" | "false" => "none",
            "on" | "true" if Rules::from(self.rule_set).bare_king == BareKing::None => {
                Rules::default().bare_king.word()
            }
            "on" | "true" => AS_RULE_SET,
            _ => value,
        }
    }

    fn set_check(&mut self, name: &str, value: bool) -> Effect {
        match name {
            "USI_Ponder" => self.ponder = value,
            "USI_AnalyseMode" => self.analyse = value,
            _ => self.limit_strength = value,
        }
        Effect::Plain
    }

    fn set_spin(&mut self, name: &str, value: i64) -> Effect {
        match name {
            "USI_Hash" => self.hash = value as usize,
            "Threads" => self.threads = value as usize,
            "USI_MultiPV" | "MultiPV" => self.multi_pv = value as usize,
            "Skill_Level" => self.skill = value as i32,
            "USI_Elo" => self.elo = value as i32,
            "Move_Overhead" => self.move_overhead = value as u64,
            "ResignValue" => self.resign_value = value,
            "Contempt" => self.contempt = value as i32,
            "Mate_Nodes" => self.mate_nodes = value as u64,
            _ => {
                self.overrides.move_limit = value;
                return Effect::Rules;
            }
        }
        Effect::Plain
    }

    fn set_combo(&mut self, name: &str, word: &str) -> Effect {
        let own = &mut self.overrides;
        match name {
            "Rules" => self.rule_set = RuleSet::from_word(word).unwrap_or(self.rule_set),
            "Promotion" => own.promotion = Promotion::from_word(word),
            "LionTrade" => own.lion_trade = LionTrade::from_word(word),
            "BareKing" => own.bare_king = BareKing::from_word(word),
            "Repetition" => own.repetition = RepetitionRule::from_word(word),
            "LanceLastRank" => own.lance_last_rank = yes(word),
            "StrikeScope" => own.strike_scope = StrikeScope::from_word(word),
            "StrikeExempt" => own.strike_exempt = yes(word),
            "LoneRoyals" => own.lone_royals = LoneRoyals::from_word(word),
            _ => return Effect::Plain,
        }
        Effect::Rules
    }

    fn set_file(&mut self, name: &'static str, value: &str) -> Result<Effect, OptionError> {
        let is_default = [BUILT_IN, NO_LOG, "<empty>", ""].contains(&value);
        if name == "Debug_Log_File" {
            self.log = (!is_default).then(|| value.into());
            return Ok(Effect::Plain);
        }
        let value = if is_default { BUILT_IN } else { value };
        self.eval_file = EvalFile::open(value).map_err(|reason| OptionError::File {
            name,
            value: value.to_owned(),
            reason,
            kept: self.eval_file.to_string(),
        })?;
        Ok(Effect::Plain)
    }
}

fn yes(value: &str) -> Option<bool> {
    match value.to_ascii_lowercase().as_str() {
        "true" | "on" | "yes" | "1" => Some(true),
        "false" | "off" | "no" | "0" => Some(false),
        _ => None,
    }
}

/// A whole number; one that is too large for any range becomes the largest.
fn whole_number(value: &str) -> Option<i64> {
    let digits = value.strip_prefix(['-', '+']).unwrap_or(value);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let limit = if value.starts_with('-') {
        i64::MIN
    } else {
        i64::MAX
    };
    Some(value.parse().unwrap_or(limit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_option_has_its_default_and_can_be_set_to_it() {
        let mut options = Options::default();
        for spec in specs() {
            let default = match spec.sort {
                Sort::Check { default } => default.to_string(),
                Sort::Spin { default, .. } => default.to_string(),
                Sort::Combo { default, .. } | Sort::File { default } => default.to_owned(),
                Sort::Button => continue,
            };
            assert_eq!(
                options.get(spec.name),
                Some(default.clone()),
                "{}",
                spec.name
            );
            options.set(&spec.name.to_uppercase(), &default).unwrap();
        }
        assert_eq!(options, Options::default());
    }

    #[test]
    fn every_choice_is_kept() {
        for spec in specs() {
            if let Sort::Combo { choices, .. } = spec.sort {
                for choice in choices {
                    let mut options = Options::default();
                    options.set(spec.name, choice).unwrap();
                    assert_eq!(options.get(spec.name).as_deref(), Some(choice));
                }
            }
        }
    }

    #[test]
    fn numbers_are_clamped_and_nonsense_is_refused() {
        let mut options = Options::default();
        options.set("Skill_Level", "99").unwrap();
        assert_eq!(options.skill, 20);
        options.set("skill_level", "-99999999999999999999").unwrap();
        assert_eq!(options.skill, -20);
        let error = options.set("Threads", "many").unwrap_err().to_string();
        assert_eq!(
            error,
            "option Threads: `many` is not a whole number from 1 to 512; it stays 1"
        );
        assert!(options.set("Treads", "2").is_err());
    }

    #[test]
    fn rules_come_from_the_set_and_the_overrides() {
        let mut options = Options::default();
        assert_eq!(options.rules(), Rules::default());
        options.set("Rules", "lishogi").unwrap();
        options.set("LionTrade", "none").unwrap();
        options.set("MaxMovesToDraw", "0").unwrap();
        options.set("BareKing", "off").unwrap();
        let expected = Rules {
            lion_trade: LionTrade::None,
            move_limit: None,
            bare_king: BareKing::None,
            ..Rules::from(RuleSet::Lishogi)
        };
        assert_eq!(options.rules(), expected);
        options.set("Rules", "edo").unwrap();
        options.set("BareKing", "on").unwrap();
        assert_eq!(options.rules().bare_king, BareKing::Renmei);
    }
}
