//! Results of finished batches on disk: a check that was stopped goes on where it was.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::result::CheckResult;

const FORMAT: &str = "tamis.check-batch/1";

/// The work directory of a check. Nobody else works in it as long as this is there.
#[derive(Debug)]
pub(crate) struct WorkPlace {
    place: PathBuf,
    _lock: File,
}

/// Which programs of a plan are in a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BatchRange {
    pub(crate) first: usize,
    pub(crate) n_programs: usize,
}

/// Why a work directory cannot be used.
#[derive(Debug)]
pub(crate) enum OpenError {
    Locked,
    Io(io::Error),
}

#[derive(Debug, Serialize, Deserialize)]
struct Saved {
    format: String,
    result: CheckResult,
}

impl WorkPlace {
    /// Opens it; with `fresh` nothing of earlier checks is left.
    pub(crate) fn open(place: &Path, fresh: bool) -> Result<Self, OpenError> {
        fs::create_dir_all(place).map_err(OpenError::Io)?;
        let lock = File::create(place.join("lock")).map_err(OpenError::Io)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(OpenError::Locked),
            Err(TryLockError::Error(cause)) => return Err(OpenError::Io(cause)),
        }
        let work = Self {
            place: place.to_path_buf(),
            _lock: lock,
        };
        // What a check was at when it was stopped is of no use.
        remove_directory(&work.place.join("running")).map_err(OpenError::Io)?;
        if fresh {
            remove_directory(&work.batches()).map_err(OpenError::Io)?;
        }
        fs::create_dir_all(work.batches()).map_err(OpenError::Io)?;
        Ok(work)
    }

    /// Where a batch runs.
    pub(crate) fn running(&self, range: BatchRange) -> PathBuf {
        self.place.join("running").join(range.name())
    }

    /// The result of a batch, if it is finished. One that cannot be read is not.
    pub(crate) fn load(&self, range: BatchRange) -> Option<CheckResult> {
        let text = fs::read(self.file(range)).ok()?;
        let saved: Saved = serde_json::from_slice(&text).ok()?;
        (saved.format == FORMAT).then_some(saved.result)
    }

    /// Keeps the result of a batch, as a whole or not at all.
    pub(crate) fn save(&self, range: BatchRange, result: &CheckResult) -> io::Result<()> {
        let saved = Saved {
            format: FORMAT.to_owned(),
            result: result.clone(),
        };
        let mut file = tempfile::NamedTempFile::new_in(self.batches())?;
        serde_json::to_writer(&mut file, &saved)?;
        file.flush()?;
        file.as_file().sync_all()?;
        file.persist(self.file(range))
            .map_err(|error| error.error)?;
        Ok(())
    }

    fn batches(&self) -> PathBuf {
        self.place.join("batches")
    }

    fn file(&self, range: BatchRange) -> PathBuf {
        self.batches().join(format!("{}.json", range.name()))
    }
}

impl BatchRange {
    /// A batch that was cut short is another one.
    fn name(self) -> String {
        format!("{:07}-{}", self.first, self.n_programs)
    }

    /// All batches of so many programs.
    pub(crate) fn all(n_programs: usize, batch: usize) -> Vec<Self> {
        let firsts = (0..n_programs).step_by(batch.max(1));
        firsts
            .map(|first| Self {
                first,
                n_programs: batch.max(1).min(n_programs - first),
            })
            .collect()
    }
}

fn remove_directory(directory: &Path) -> io::Result<()> {
    match fs::remove_dir_all(directory) {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => Err(cause),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RANGE: BatchRange = BatchRange {
        first: 0,
        n_programs: 3,
    };

    fn result() -> CheckResult {
        CheckResult {
            n_programs: 3,
            ..CheckResult::default()
        }
    }

    #[test]
    fn what_is_saved_is_there_the_next_time_unless_all_is_to_be_fresh() {
        let dir = tempfile::tempdir().unwrap();
        for _ in 0..2 {
            let work = WorkPlace::open(dir.path(), false).unwrap();
            work.save(RANGE, &result()).unwrap();
        }
        fs::create_dir_all(dir.path().join("running/half")).unwrap();
        let work = WorkPlace::open(dir.path(), false).unwrap();
        assert!(!work.running(RANGE).parent().unwrap().exists());
        assert_eq!(work.load(RANGE), Some(result()));
        let other = BatchRange {
            n_programs: 2,
            ..RANGE
        };
        assert_eq!(work.load(other), None);
        drop(work);
        assert_eq!(WorkPlace::open(dir.path(), true).unwrap().load(RANGE), None);
    }

    #[test]
    fn a_damaged_or_foreign_result_is_none() {
        let dir = tempfile::tempdir().unwrap();
        let work = WorkPlace::open(dir.path(), false).unwrap();
        work.save(RANGE, &result()).unwrap();
        let whole = fs::read_to_string(work.file(RANGE)).unwrap();
        for text in [
            &whole[..whole.len() / 2],
            &whole.replace("batch/1", "batch/9"),
            "",
        ] {
            fs::write(work.file(RANGE), text).unwrap();
            assert_eq!(work.load(RANGE), None);
        }
    }

    #[test]
    fn two_at_once_do_not_share_a_directory() {
        let dir = tempfile::tempdir().unwrap();
        let first = WorkPlace::open(dir.path(), false).unwrap();
        assert!(matches!(
            WorkPlace::open(dir.path(), false),
            Err(OpenError::Locked)
        ));
        drop(first);
        assert!(WorkPlace::open(dir.path(), false).is_ok());
    }

    #[test]
    fn batches_cover_all_programs() {
        let ranges = BatchRange::all(7, 3);
        let parts: Vec<_> = ranges
            .iter()
            .map(|range| (range.first, range.n_programs))
            .collect();
        assert_eq!(parts, [(0, 3), (3, 3), (6, 1)]);
        assert!(BatchRange::all(0, 3).is_empty());
    }
}
