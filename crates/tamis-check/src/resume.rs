//! Results of finished batches on disk: a check that was stopped goes on where it was.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use crate::result::CheckResult;

const FORMAT: &str = "tamis.check-batch/2";

/// How the names of work directories in the cache begin.
pub(crate) const PREFIX: &str = "check-";

/// Its time is when the directory was used last; who works there has it locked.
const LOCK: &str = "lock";

/// How long results are kept that nobody asks for.
const MAX_AGE: Duration = Duration::from_hours(30 * 24);

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
        let lock = File::create(place.join(LOCK)).map_err(OpenError::Io)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(OpenError::Locked),
            Err(TryLockError::Error(cause)) => return Err(OpenError::Io(cause)),
        }
        lock.set_modified(SystemTime::now())
            .map_err(OpenError::Io)?;
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

/// Removes the work directories of a cache that were not used for long, and that nobody uses now. What cannot be looked
/// at or removed stays: that is no reason not to check.
pub(crate) fn evict(cache: &Path, now: SystemTime) {
    for entry in fs::read_dir(cache).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if name.to_string_lossy().starts_with(PREFIX) && is_forgotten(&entry.path(), now) {
            evict_one(&entry.path());
        }
    }
}

fn is_forgotten(place: &Path, now: SystemTime) -> bool {
    let used = fs::metadata(place.join(LOCK)).and_then(|lock| lock.modified());
    // A time in the future is one that is not long ago.
    let age = used.ok().and_then(|used| now.duration_since(used).ok());
    age.is_some_and(|age| age > MAX_AGE)
}

/// Under another name first: whoever comes then finds nothing, and not half of it.
fn evict_one(place: &Path) {
    let Ok(lock) = File::open(place.join(LOCK)) else {
        return;
    };
    let Some(around) = place.parent().filter(|_| lock.try_lock().is_ok()) else {
        return;
    };
    if let Ok(grave) = tempfile::tempdir_in(around) {
        // One that cannot be moved stays. What is moved goes with the temporary directory.
        fs::rename(place, grave.path().join("check")).ok();
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
            &whole.replace("batch/2", "batch/9"),
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
    fn what_nobody_asks_for_goes_unless_it_is_in_use() {
        let cache = tempfile::tempdir().unwrap();
        let open = |name: &str| WorkPlace::open(&cache.path().join(name), false).unwrap();
        let in_use = open("check-in-use");
        for name in ["check-old", "check-new", "other"] {
            open(name).save(RANGE, &result()).unwrap();
        }
        let now = SystemTime::now();
        let long_ago = now - MAX_AGE - Duration::from_hours(1);
        for name in ["check-in-use", "check-old", "other"] {
            let lock = File::open(cache.path().join(name).join(LOCK)).unwrap();
            lock.set_modified(long_ago).unwrap();
        }
        // Nothing that a check made.
        fs::write(cache.path().join("check-file"), "").unwrap();
        fs::create_dir(cache.path().join("check-empty")).unwrap();
        evict(cache.path(), now);
        let mut left: Vec<_> = fs::read_dir(cache.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        let kept = [
            "check-empty",
            "check-file",
            "check-in-use",
            "check-new",
            "other",
        ];
        assert_eq!(left, kept);
        drop(in_use);
        // Who comes again uses it.
        drop(open("check-in-use"));
        evict(cache.path(), now);
        assert!(cache.path().join("check-in-use").exists());
        evict(cache.path(), now + MAX_AGE + Duration::from_hours(1));
        assert!(!cache.path().join("check-in-use").exists());
        evict(&cache.path().join("none"), now);
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
