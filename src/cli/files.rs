//! Files that are written whole or not at all.

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result};

/// Writes a file under another name first, so that nobody ever sees half of it. `-` is standard output.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    if path == Path::new("-") {
        io::stdout().write_all(bytes)?;
        return Ok(());
    }
    let mut part = path.as_os_str().to_owned();
    part.push(".part");
    std::fs::write(&part, bytes)
        .and_then(|()| std::fs::rename(&part, path))
        .with_context(|| format!("cannot write {}", path.display()))
}
