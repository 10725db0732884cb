//! The value of `EvalFile`: which network is used.

use std::fmt;
use std::fs;
use std::sync::Arc;

use super::spec::BUILT_IN;
use crate::eval::Network;

/// The word for piece-square values alone.
const NONE: &str = "none";

/// Which network is used.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) enum EvalFile {
    #[default]
    BuiltIn,
    /// Piece-square values alone.
    None,
    /// That of a file, and the file's name.
    File(String, Arc<Network>),
}

impl EvalFile {
    /// The built-in network, none, or that of a file; the error says what is wrong with it.
    pub(super) fn open(name: &str) -> Result<EvalFile, String> {
        if name == BUILT_IN {
            return Ok(EvalFile::BuiltIn);
        }
        if name.eq_ignore_ascii_case(NONE) {
            return Ok(EvalFile::None);
        }
        let bytes = fs::read(name).map_err(|error| error.to_string())?;
        let network = Network::from_bytes(&bytes).map_err(|error| error.to_string())?;
        Ok(EvalFile::File(name.to_owned(), Arc::new(network)))
    }

    pub(super) fn network(&self) -> Option<&Arc<Network>> {
        match self {
            EvalFile::BuiltIn => Network::built_in(),
            EvalFile::None => None,
            EvalFile::File(_, network) => Some(network),
        }
    }
}

impl fmt::Display for EvalFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EvalFile::BuiltIn => BUILT_IN,
            EvalFile::None => NONE,
            EvalFile::File(name, _) => name,
        })
    }
}
