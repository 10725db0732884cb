//! Files that training can go on from.

use anyhow::{Context, Result, ensure};

use super::strip::{Parameters, ROWS, Strip};
use super::trainer::{Losses, Model};

const MAGIC: &[u8; 8] = b"SKJtrain";

impl Model {
    /// All that is needed to go on: numbers, moments, steps and losses.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for count in [self.strips.len(), self.steps, self.losses.len()] {
            bytes.extend((count as u64).to_le_bytes());
        }
        for losses in &self.losses {
            for loss in [losses.training, losses.validation, losses.result] {
                bytes.extend(loss.to_le_bytes());
            }
        }
        let strips = self.strips.iter().map(|strip| &strip.parameters);
        for parameters in strips.chain([&self.head]) {
            let moments = parameters.moments.as_flattened();
            for value in parameters
                .values
                .iter()
                .chain(moments)
                .flat_map(|row| &row.0)
            {
                bytes.extend(value.to_le_bytes());
            }
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// The model in the bytes of a file.
    ///
    /// # Errors
    ///
    /// They are no such file, or a damaged one.
    pub fn from_bytes(bytes: &[u8]) -> Result<Model> {
        let content = bytes
            .strip_prefix(MAGIC)
            .context("no checkpoint, or one of another version")?;
        let (content, checksum) = content
            .split_last_chunk()
            .context("a checkpoint that is cut off")?;
        let hash = crc32fast::hash(&bytes[..bytes.len() - 4]);
        ensure!(
            hash.to_le_bytes() == *checksum,
            "damaged or cut off: wrong checksum"
        );
        let mut rest = Rest(content);
        let [strips, steps, epochs] = [rest.count()?, rest.count()?, rest.count()?];
        let losses = (0..epochs).map(|_| {
            Ok(Losses {
                training: f64::from_le_bytes(rest.take()?),
                validation: f64::from_le_bytes(rest.take()?),
                result: f64::from_le_bytes(rest.take()?),
            })
        });
        let losses = losses.collect::<Result<_>>()?;
        let strips = (0..strips).map(|_| rest.parameters(ROWS).map(Strip::new));
        Ok(Model {
            strips: strips.collect::<Result<_>>()?,
            head: rest.parameters(1)?,
            steps,
            losses,
        })
    }
}

/// What has not been read yet.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (head, tail) = self.0.split_first_chunk().context("too short")?;
        self.0 = tail;
        Ok(*head)
    }

    fn count(&mut self) -> Result<usize> {
        Ok(u64::from_le_bytes(self.take()?) as usize)
    }

    fn parameters(&mut self, rows: usize) -> Result<Parameters> {
        let mut parameters = Parameters::new(rows);
        let moments = parameters.moments.as_flattened_mut();
        for value in parameters
            .values
            .iter_mut()
            .chain(moments)
            .flat_map(|row| &mut row.0)
        {
            *value = f32::from_le_bytes(self.take()?);
        }
        Ok(parameters)
    }
}
