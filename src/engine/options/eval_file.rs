//! The value of `EvalFile`: which network is used.

use std::fmt;
use std::fs;
use std::sync::Arc;

use super::spec::BUILT_IN;
use crate::eval::Network;

/// The word for piece-square values alone.
const NONE: &str = "none";

/// A network, and what it is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct EvalFile {
    name: String,
    network: Option<Arc<Network>>,
}

impl Default for EvalFile {
    fn default() -> EvalFile {
        EvalFile {
            name: BUILT_IN.to_owned(),
            network: Network::built_in(),
        }
    }
}

impl EvalFile {
    /// The built-in network, none, or that of a file; the error says what is wrong with it.
    pub(super) fn open(name: &str) -> Result<EvalFile, String> {
        if name == BUILT_IN {
            return Ok(EvalFile::default());
        }
        let network = if name.eq_ignore_ascii_case(NONE) {
            None
        } else {
            let bytes = fs::read(name).map_err(|error| error.to_string())?;
            let network = Network::from_bytes(&bytes).map_err(|error| error.to_string())?;
            Some(Arc::new(network))
        };
        Ok(EvalFile {
            name: name.to_owned(),
            network,
        })
    }

    pub(super) fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref()
    }
}

impl fmt::Display for EvalFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
