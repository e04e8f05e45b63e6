//! A file that gets a line of JSON as each part of a check is done.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::cli_error::CliError;

/// Lines of JSON; they go nowhere if no file was named.
#[derive(Debug)]
pub(super) struct JsonLines {
    file: Option<(File, PathBuf)>,
}

impl JsonLines {
    pub(super) fn create(path: Option<&Path>) -> Result<Self, CliError> {
        let file = path.map(|path| match File::create(path) {
            Ok(file) => Ok((file, path.to_path_buf())),
            Err(cause) => Err(CliError::WriteFile {
                file: path.to_path_buf(),
                cause,
            }),
        });
        Ok(Self {
            file: file.transpose()?,
        })
    }

    pub(super) fn write(&mut self, line: &impl Serialize) -> io::Result<()> {
        let Some((file, _)) = &mut self.file else {
            return Ok(());
        };
        let mut text = serde_json::to_vec(line)?;
        text.push(b'\n');
        file.write_all(&text)
    }

    /// The last line.
    pub(super) fn finish(mut self, line: &impl Serialize) -> Result<(), CliError> {
        let written = self.write(line);
        let file = self.file.map(|(_, path)| path).unwrap_or_default();
        written.map_err(|cause| CliError::WriteFile { file, cause })
    }
}
