//! Opening the store: made where it is missing, set aside where it cannot be used.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, ErrorCode, Transaction, TransactionBehavior};

use crate::error::{OpenError, OpenErrorKind, StoreError};
use crate::schema::{APPLICATION, FORMAT, TABLES};

/// The database in its directory.
const FILE: &str = "store.sqlite";

/// Locked while a process opens the database.
const LOCK: &str = "store.lock";

/// How long another process may keep the database to itself.
const PATIENCE: Duration = Duration::from_secs(10);

/// Bytes in a page of a new database. With SQLite's own 4,096 it takes a sixth longer to read all records, most of which
/// leave a part of such a page empty; pages of more than this are read little faster, and take longer to write.
const PAGE: u32 = 8_192;

/// What is known of earlier runs.
#[derive(Debug)]
pub struct Store {
    pub(crate) connection: Connection,
}

/// A store, and what was in its place if that could not be used.
#[derive(Debug)]
pub struct Opened {
    /// The store.
    pub store: Store,
    /// What was moved out of the way.
    pub set_aside: Option<SetAside>,
}

/// A database that could not be used. Nothing in it is lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetAside {
    /// Where it is now.
    pub path: PathBuf,
    /// What was wrong with it.
    pub reason: String,
}

/// What is found in a database.
enum Found {
    Usable,
    Empty,
    Unusable(String),
}

impl Store {
    /// Whether there is something in the store's place.
    pub fn exists_in(directory: &Path) -> bool {
        directory.join(FILE).exists()
    }

    /// How many bytes the store takes.
    pub fn size_in(directory: &Path) -> u64 {
        let parts =
            ["", "-wal", "-shm", "-journal"].map(|part| with_suffix(&directory.join(FILE), part));
        let sizes = parts.iter().filter_map(|part| fs::metadata(part).ok());
        sizes.map(|metadata| metadata.len()).sum()
    }

    /// Random bytes of its own, for hashes of what may be secret.
    pub fn salt(&self) -> Result<[u8; 16], StoreError> {
        let query = "SELECT bytes FROM salt";
        let bytes: Vec<u8> = self.connection.query_row(query, [], |row| row.get(0))?;
        let damaged = |_| StoreError::Damaged { what: "the salt" };
        bytes.try_into().map_err(damaged)
    }

    /// Begins to write; others who want to write wait from here on, and not in the middle.
    pub(crate) fn begin_writing(&mut self) -> rusqlite::Result<Transaction<'_>> {
        self.connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
    }

    /// Opens the store in a directory, which is made if it is missing and hides itself from git.
    pub fn open(directory: &Path) -> Result<Opened, OpenError> {
        let error = |kind| OpenError {
            directory: directory.to_path_buf(),
            kind,
        };
        make_directory(directory).map_err(|cause| error(OpenErrorKind::Directory(cause)))?;
        let _one_at_a_time =
            lock(directory).map_err(|cause| error(OpenErrorKind::Directory(cause)))?;
        let path = directory.join(FILE);
        let fault = find_fault(&path).map_err(|cause| error(OpenErrorKind::Database(cause)))?;
        let set_aside = fault
            .map(|reason| move_away(&path).map(|path| SetAside { path, reason }))
            .transpose()
            .map_err(|cause| error(OpenErrorKind::SetAside(cause)))?;
        let connection = connect(&path).and_then(|connection| prepare(connection, directory));
        Ok(Opened {
            store: Self {
                connection: connection.map_err(|cause| error(OpenErrorKind::Database(cause)))?,
            },
            set_aside,
        })
    }
}

fn make_directory(directory: &Path) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    let ignore = directory.join(".gitignore");
    match fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&ignore)
    {
        Ok(_) => fs::write(&ignore, "*\n"),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

/// Keeps other processes from opening the store, until the file is dropped. Without it one would find the
/// half-made database of another, and set it aside.
fn lock(directory: &Path) -> io::Result<fs::File> {
    let file = fs::OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .open(directory.join(LOCK))?;
    match file.lock() {
        // A file system without locks: two processes may come in each other's way, and one runs everything.
        Err(error) if error.kind() == io::ErrorKind::Unsupported => Ok(file),
        locked => locked.map(|()| file),
    }
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(PATIENCE)?;
    Ok(connection)
}

/// Why what lies in the store's place has to be set aside, if it has to. An error is not the database's fault.
fn find_fault(path: &Path) -> rusqlite::Result<Option<String>> {
    match connect(path).and_then(|connection| look(&connection)) {
        Ok(Found::Usable | Found::Empty) => Ok(None),
        Ok(Found::Unusable(reason)) => Ok(Some(reason)),
        Err(error) => blame(&error).map(Some).ok_or(error),
    }
}

/// What is wrong with the file itself.
fn blame(error: &rusqlite::Error) -> Option<String> {
    match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => Some("it is no database".to_owned()),
        Some(ErrorCode::DatabaseCorrupt) => Some("it is damaged".to_owned()),
        _ => None,
    }
}

fn look(connection: &Connection) -> rusqlite::Result<Found> {
    let number = |pragma| connection.pragma_query_value(None, pragma, |row| row.get::<_, i32>(0));
    let (application, format) = (number("application_id")?, number("user_version")?);
    let n_tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    Ok(match (application, format) {
        (APPLICATION, FORMAT) => Found::Usable,
        (0, 0) if n_tables == 0 => Found::Empty,
        (APPLICATION, newer) if newer > FORMAT => {
            Found::Unusable(format!("it is of a newer Tamis (format {newer})"))
        }
        (APPLICATION, older) => {
            Found::Unusable(format!("it is of an older Tamis (format {older})"))
        }
        _ => Found::Unusable("it is somebody else's database".to_owned()),
    })
}

/// Gives the database, and what belongs to it, a name of its own.
fn move_away(path: &Path) -> io::Result<PathBuf> {
    for number in 1.. {
        let moved = with_suffix(path, &format!(".aside-{number}"));
        if moved.exists() {
            continue;
        }
        fs::rename(path, &moved)?;
        for part in ["-wal", "-shm", "-journal"] {
            match fs::rename(with_suffix(path, part), with_suffix(&moved, part)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        return Ok(moved);
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

/// Makes the tables of an empty database.
fn prepare(mut connection: Connection, directory: &Path) -> rusqlite::Result<Connection> {
    let mode = if is_local(directory) {
        "WAL"
    } else {
        "TRUNCATE"
    };
    // Of a database that is there it stays as it is.
    connection.pragma_update(None, "page_size", PAGE)?;
    connection.pragma_update(None, "journal_mode", mode)?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    if matches!(look(&transaction)?, Found::Empty) {
        transaction.execute_batch(TABLES)?;
        transaction.pragma_update(None, "application_id", APPLICATION)?;
        transaction.pragma_update(None, "user_version", FORMAT)?;
    }
    transaction.commit()?;
    Ok(connection)
}

/// Whether a directory lies on a file system known to be local: only there several processes share memory.
fn is_local(directory: &Path) -> bool {
    /// ext2 to ext4, XFS, btrfs, tmpfs, overlayfs, F2FS, ZFS, bcachefs.
    const LOCAL: &[i64] = &[
        0xef53,
        0x5846_5342,
        0x9123_683e,
        0x0102_1994,
        0x794c_7630,
        0xf2f5_2010,
        0x2fc1_2fc1,
        0xca45_1a4e,
    ];
    rustix::fs::statfs(directory).is_ok_and(|found| LOCAL.contains(&found.f_type))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(directory: &Path) -> Opened {
        Store::open(directory).unwrap()
    }

    #[test]
    fn a_store_is_made_and_found_again() {
        let dir = tempfile::tempdir().unwrap();
        let directory = dir.path().join("a/.tamis");
        assert_eq!(open(&directory).set_aside, None);
        assert_eq!(
            fs::read_to_string(directory.join(".gitignore")).unwrap(),
            "*\n"
        );
        // What the user wrote there stays.
        fs::write(directory.join(".gitignore"), "mine\n").unwrap();
        assert_eq!(open(&directory).set_aside, None);
        assert_eq!(
            fs::read_to_string(directory.join(".gitignore")).unwrap(),
            "mine\n"
        );
    }

    #[test]
    fn what_is_no_store_is_set_aside_and_kept() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(FILE);
        for (number, garbage) in (1..).zip([&[7_u8; 5000][..], b"short"]) {
            fs::write(&path, garbage).unwrap();
            let aside = open(dir.path()).set_aside.unwrap();
            assert_eq!(aside.reason, "it is no database");
            assert_eq!(aside.path, with_suffix(&path, &format!(".aside-{number}")));
            assert_eq!(fs::read(&aside.path).unwrap(), garbage);
            assert_eq!(open(dir.path()).set_aside, None);
        }
    }

    #[test]
    fn newer_older_and_foreign_databases_are_set_aside_by_name() {
        let newer = format!("it is of a newer Tamis (format {})", FORMAT + 1);
        for (application, format, reason) in [
            (APPLICATION, FORMAT + 1, &*newer),
            (APPLICATION, 0, "it is of an older Tamis (format 0)"),
            (5, 1, "it is somebody else's database"),
        ] {
            let dir = tempfile::tempdir().unwrap();
            let connection = Connection::open(dir.path().join(FILE)).unwrap();
            connection.execute_batch("CREATE TABLE other (a)").unwrap();
            connection
                .pragma_update(None, "application_id", application)
                .unwrap();
            connection
                .pragma_update(None, "user_version", format)
                .unwrap();
            drop(connection);
            assert_eq!(open(dir.path()).set_aside.unwrap().reason, reason);
        }
    }

    #[test]
    fn a_damaged_store_is_set_aside() {
        let dir = tempfile::tempdir().unwrap();
        drop(open(dir.path()));
        let path = dir.path().join(FILE);
        let mut bytes = fs::read(&path).unwrap();
        let length = bytes.len();
        bytes[100..length].fill(0xa5);
        fs::write(&path, bytes).unwrap();
        let aside = open(dir.path()).set_aside.unwrap();
        assert_eq!(aside.reason, "it is damaged");
    }

    #[test]
    fn many_processes_make_it_at_once() {
        let dir = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| assert_eq!(open(dir.path()).set_aside, None));
            }
        });
    }

    #[test]
    fn of_many_processes_one_sets_garbage_aside() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(FILE), "garbage").unwrap();
        let n_aside = std::thread::scope(|scope| {
            let threads = [(); 8].map(|()| scope.spawn(|| open(dir.path()).set_aside.is_some()));
            threads.map(|thread| usize::from(thread.join().unwrap()))
        });
        assert_eq!(n_aside.iter().sum::<usize>(), 1);
    }

    #[test]
    fn a_directory_that_cannot_be_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, "").unwrap();
        let error = Store::open(&file.join(".tamis")).unwrap_err();
        assert!(matches!(error.kind, OpenErrorKind::Directory(_)));
    }
}
