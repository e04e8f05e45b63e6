//! The tables. A change of any of them, or of what a field means, is a new format number.

/// The number of this layout, kept in `PRAGMA user_version`.
pub(crate) const FORMAT: i32 = 9;

/// Shows that a database is a store of Tamis, kept in `PRAGMA application_id`: `tamI`.
pub(crate) const APPLICATION: i32 = 0x7461_6d49;

/// Makes the tables of an empty database.
pub(crate) const TABLES: &str = "
CREATE TABLE salt (
    -- Sixteen random bytes, in one row: hashes of secrets are made with them, and say nothing elsewhere.
    bytes BLOB NOT NULL
) STRICT;
INSERT INTO salt VALUES (randomblob(16));
CREATE TABLE realm (
    id INTEGER PRIMARY KEY,
    module TEXT NOT NULL,
    execution TEXT NOT NULL,
    UNIQUE (module, execution)
) STRICT;
CREATE TABLE setting (
    -- The greater, the newer.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    realm INTEGER NOT NULL REFERENCES realm (id),
    -- The directory of the project: several checkouts may share a store.
    root BLOB NOT NULL,
    content BLOB NOT NULL,
    UNIQUE (realm, root)
) STRICT;
CREATE TABLE entity (
    id INTEGER PRIMARY KEY,
    realm INTEGER NOT NULL REFERENCES realm (id),
    framework BLOB NOT NULL,
    test BLOB NOT NULL,
    UNIQUE (realm, framework, test)
) STRICT;
CREATE TABLE fact_number (
    -- The least number that no fact has, nor ever had; in one row.
    next INTEGER NOT NULL
) STRICT;
INSERT INTO fact_number VALUES (1);
CREATE TABLE fact_group (
    id INTEGER PRIMARY KEY,
    -- A class; or a zero byte, the kind and the subject of a fact that is about none.
    name BLOB NOT NULL UNIQUE,
    n_facts INTEGER NOT NULL,
    -- All facts about it, each with its number.
    facts BLOB NOT NULL
) STRICT;
CREATE TABLE failure (
    -- It failed in a run that has left no record yet.
    entity INTEGER PRIMARY KEY REFERENCES entity (id)
) STRICT;
CREATE TABLE record (
    -- The greater, the newer.
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- That of the entity.
    realm INTEGER NOT NULL REFERENCES realm (id),
    entity INTEGER NOT NULL REFERENCES entity (id),
    verdict INTEGER NOT NULL,
    ended INTEGER NOT NULL,
    microseconds INTEGER NOT NULL,
    tests BLOB NOT NULL,
    -- 1 if these are all that the entity had, 0 if the user had chosen some.
    is_whole INTEGER NOT NULL,
    facts BLOB NOT NULL,
    -- More facts, which count because of what earlier entities may have left; often none.
    inherited BLOB,
    -- One in a line.
    doubts TEXT NOT NULL
) STRICT;
CREATE TABLE companion (
    -- Who ran before and left something for the entity of the record.
    record INTEGER NOT NULL REFERENCES record (id) ON DELETE CASCADE,
    entity INTEGER NOT NULL REFERENCES entity (id),
    PRIMARY KEY (record, entity)
) STRICT, WITHOUT ROWID;
CREATE TABLE class_file (
    -- The checksum of the class as a whole: the value of facts about it.
    checksum BLOB NOT NULL PRIMARY KEY,
    -- Compressed.
    bytes BLOB NOT NULL
) STRICT;
CREATE TABLE stat_cache (
    kind INTEGER NOT NULL,
    -- A directory or an archive.
    place TEXT NOT NULL,
    -- When somebody asked for it last, in days since 1970, about.
    day INTEGER NOT NULL,
    files BLOB NOT NULL,
    PRIMARY KEY (kind, place)
) STRICT;
CREATE INDEX record_by_entity ON record (entity, id);
CREATE INDEX record_by_realm ON record (realm, id);
";
