//! The JDK's native methods that are given files, on JDK 8 to 25, as data: what each does, and which
//! argument says to what.
//!
//! Of the classes in [`HARMLESS`] every native method is known: one that is in neither list is new, and
//! files are then not seen. So is one whose descriptor is another than listed here.

use self::Doing::{
    Link, List, Look, Make, MakeDirectory, Measure, Move, Open, Output, Random, Read, Remove,
};
use self::Place::{Address, At, Descriptor, File, Text};

/// The last JDK whose natives were compared with the tables.
pub(crate) const LAST_FEATURE: u32 = 25;

/// A native method of the JDK that does something with files.
pub(crate) struct Native {
    /// Written with slashes.
    pub(crate) class: &'static str,
    /// JDKs differ.
    names: &'static [&'static str],
    descriptors: &'static [&'static str],
    pub(crate) doing: Doing,
}

/// What a native method does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doing {
    /// Opens a file to read it.
    Read(Place),
    /// Asks for properties that change with the content.
    Measure(Place),
    /// Asks what is there.
    Look(Place),
    List(Place),
    /// Makes something where nothing is.
    Make(Place),
    MakeDirectory(Place),
    Remove(Place),
    Move {
        from: Place,
        to: Place,
    },
    /// Makes another name of a file.
    Link {
        existing: Place,
        new: Place,
    },
    /// Opens a file to write it: this argument says whether its end.
    Output(Place, usize),
    /// Opens a file in a mode of `RandomAccessFile`.
    Random(Place, usize),
    /// Opens a file with flags of the system.
    Open(Place, usize),
}

/// Where a path comes from: arguments are counted behind environment and object or class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A `java.lang.String`.
    Text(usize),
    /// A `java.io.File`.
    File(usize),
    /// The address of a text that ends with zero.
    Address(usize),
    /// An open descriptor.
    Descriptor(usize),
    /// The descriptor of a directory, and the address of a path that begins there.
    At(usize, usize),
}

/// What a native method that gets its code is to the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// A row of the table.
    Known(usize),
    /// Nothing.
    Harmless,
    /// Perhaps something: no table has it.
    Unknown,
}

/// How many rows there are.
pub(crate) const N_NATIVES: usize = NATIVES.len();

const INPUT: &str = "java/io/FileInputStream";
const OUTPUT: &str = "java/io/FileOutputStream";
const RANDOM: &str = "java/io/RandomAccessFile";
const SYSTEM: &str = "java/io/UnixFileSystem";
const DISPATCHER: &str = "sun/nio/fs/UnixNativeDispatcher";

const fn native(
    class: &'static str,
    names: &'static [&'static str],
    descriptors: &'static [&'static str],
    doing: Doing,
) -> Native {
    Native {
        class,
        names,
        descriptors,
        doing,
    }
}

#[rustfmt::skip]
pub(crate) const NATIVES: &[Native] = &[
    native(INPUT, &["open0"], &["(Ljava/lang/String;)V"], Read(Text(0))),
    native(OUTPUT, &["open0"], &["(Ljava/lang/String;Z)V"], Output(Text(0), 1)),
    native(RANDOM, &["open0"], &["(Ljava/lang/String;I)V"], Random(Text(0), 1)),

    native(SYSTEM, &["getBooleanAttributes0"], &["(Ljava/io/File;)I"], Look(File(0))),
    native(SYSTEM, &["checkAccess", "checkAccess0"], &["(Ljava/io/File;I)Z"], Look(File(0))),
    native(SYSTEM, &["getLastModifiedTime", "getLastModifiedTime0"], &["(Ljava/io/File;)J"], Measure(File(0))),
    native(SYSTEM, &["getLength", "getLength0"], &["(Ljava/io/File;)J"], Measure(File(0))),
    native(SYSTEM, &["list", "list0"], &["(Ljava/io/File;)[Ljava/lang/String;"], List(File(0))),
    native(SYSTEM, &["createFileExclusively", "createFileExclusively0"], &["(Ljava/lang/String;)Z"], Make(Text(0))),
    native(SYSTEM, &["createDirectory", "createDirectory0"], &["(Ljava/io/File;)Z"], MakeDirectory(File(0))),
    native(SYSTEM, &["delete0"], &["(Ljava/io/File;)Z"], Remove(File(0))),
    native(SYSTEM, &["rename0"], &["(Ljava/io/File;Ljava/io/File;)Z"], Move { from: File(0), to: File(1) }),

    native(DISPATCHER, &["open0"], &["(JII)I"], Open(Address(0), 1)),
    native(DISPATCHER, &["openat0"], &["(IJII)I"], Open(At(0, 1), 2)),
    native(DISPATCHER, &["fopen0"], &["(JJ)J"], Read(Address(0))),
    native(DISPATCHER, &["stat0"], &["(JLsun/nio/fs/UnixFileAttributes;)V", "(JLsun/nio/fs/UnixFileAttributes;)I"], Measure(Address(0))),
    native(DISPATCHER, &["stat1"], &["(J)I"], Measure(Address(0))),
    native(DISPATCHER, &["lstat0"], &["(JLsun/nio/fs/UnixFileAttributes;)V"], Measure(Address(0))),
    native(DISPATCHER, &["fstatat0"], &["(IJILsun/nio/fs/UnixFileAttributes;)V"], Measure(At(0, 1))),
    native(DISPATCHER, &["readlink0"], &["(J)[B"], Measure(Address(0))),
    native(DISPATCHER, &["realpath0"], &["(J)[B"], Look(Address(0))),
    native(DISPATCHER, &["access0"], &["(JI)V", "(JI)I"], Look(Address(0))),
    native(DISPATCHER, &["exists0"], &["(J)Z"], Look(Address(0))),
    native(DISPATCHER, &["opendir0"], &["(J)J"], List(Address(0))),
    native(DISPATCHER, &["fdopendir"], &["(I)J"], List(Descriptor(0))),
    native(DISPATCHER, &["mkdir0"], &["(JI)V"], MakeDirectory(Address(0))),
    native(DISPATCHER, &["mknod0"], &["(JIJ)V"], Make(Address(0))),
    native(DISPATCHER, &["unlink0"], &["(J)V"], Remove(Address(0))),
    native(DISPATCHER, &["rmdir0"], &["(J)V"], Remove(Address(0))),
    native(DISPATCHER, &["unlinkat0"], &["(IJI)V"], Remove(At(0, 1))),
    native(DISPATCHER, &["rename0"], &["(JJ)V"], Move { from: Address(0), to: Address(1) }),
    native(DISPATCHER, &["renameat0"], &["(IJIJ)V"], Move { from: At(0, 1), to: At(2, 3) }),
    native(DISPATCHER, &["link0"], &["(JJ)V"], Link { existing: Address(0), new: Address(1) }),
    native(DISPATCHER, &["symlink0"], &["(JJ)V"], Make(Address(1))),

    // Before JDK 9 archives are read by native code.
    native("java/util/zip/ZipFile", &["open"], &["(Ljava/lang/String;IJZ)J"], Read(Text(0))),

    // Native libraries.
    native("java/lang/ClassLoader$NativeLibrary", &["load", "load0"], &["(Ljava/lang/String;Z)V", "(Ljava/lang/String;Z)Z", "(Ljava/lang/String;ZZ)Z"], Read(Text(0))),
    native("jdk/internal/loader/NativeLibraries", &["load"], &[
        "(Ljdk/internal/loader/NativeLibraries$NativeLibraryImpl;Ljava/lang/String;ZZ)Z",
        "(Ljdk/internal/loader/NativeLibraries$NativeLibraryImpl;Ljava/lang/String;ZZZ)Z",
    ], Read(Text(1))),
    native("jdk/internal/loader/RawNativeLibraries", &["load0"], &["(Ljdk/internal/loader/RawNativeLibraries$RawNativeLibraryImpl;Ljava/lang/String;)Z"], Read(Text(1))),
];

/// Native methods that are given no path, or ask and set what is no content: permissions, owners, times.
#[rustfmt::skip]
const HARMLESS: &[(&str, &[&str])] = &[
    (INPUT, &[
        "available0", "close0", "initIDs", "isRegularFile0", "length0", "position0", "read0", "readBytes", "skip0",
    ]),
    (OUTPUT, &["close0", "initIDs", "write", "writeBytes"]),
    (RANDOM, &[
        "close0", "getFilePointer", "initIDs", "length", "length0", "read0", "readBytes", "readBytes0", "seek0",
        "setLength", "setLength0", "write0", "writeBytes", "writeBytes0",
    ]),
    (SYSTEM, &[
        "canonicalize0", "getNameMax0", "getSpace", "getSpace0", "initIDs", "setLastModifiedTime",
        "setLastModifiedTime0", "setPermission", "setPermission0", "setReadOnly", "setReadOnly0",
    ]),
    (DISPATCHER, &[
        "chmod0", "chown0", "close", "close0", "closedir", "dup", "fchmod", "fchmod0", "fchmodat0",
        "fchmodatNoFollowSupported0", "fchown", "fchown0", "fclose", "fgetxattr0", "flistxattr", "fpathconf",
        "fremovexattr0", "fsetxattr0", "fstat", "fstat0", "futimens", "futimens0", "futimes", "futimes0", "getcwd",
        "getgrgid", "getgrnam0", "getlinelen", "getpwnam0", "getpwuid", "init", "lchown0", "lutimes0", "pathconf0",
        "read", "read0", "readdir", "readdir0", "rewind", "statvfs0", "strerror", "utimensat0", "utimes0", "write",
        "write0",
    ]),
];

/// What a native method is, where the row of `doctored` (class and name, with a dot between) is not
/// there.
pub(crate) fn sort(class: &str, name: &str, descriptor: &str, doctored: Option<&str>) -> Sort {
    let is_gone = |native: &Native| {
        let rest = doctored.and_then(|row| row.strip_prefix(native.class));
        rest.is_some_and(|rest| rest.strip_prefix('.') == Some(name))
    };
    let is_named = |native: &Native| native.class == class && native.names.contains(&name);
    let row = NATIVES
        .iter()
        .position(|native| is_named(native) && !is_gone(native));
    if let Some(row) = row {
        let is_as_listed = NATIVES[row].descriptors.contains(&descriptor);
        return if is_as_listed {
            Sort::Known(row)
        } else {
            Sort::Unknown
        };
    }
    match HARMLESS.iter().find(|(whole, _)| *whole == class) {
        Some((_, names)) if !names.contains(&name) => Sort::Unknown,
        _ => Sort::Harmless,
    }
}

#[cfg(test)]
mod tests {
    use std::ops::RangeInclusive;
    use std::process::Command;

    use tamis_build::Jdk;
    use tamis_testkit::jdks::jdks;

    use super::*;

    #[test]
    fn a_native_is_known_harmless_or_unknown() {
        let check = |name, descriptor, doctored, expected: fn(&Sort) -> bool| {
            let sort = sort(SYSTEM, name, descriptor, doctored);
            assert!(expected(&sort), "{name}: {sort:?}");
        };
        let known = |sort: &Sort| matches!(sort, Sort::Known(_));
        let unknown = |sort: &Sort| *sort == Sort::Unknown;
        check("delete0", "(Ljava/io/File;)Z", None, known);
        check("delete0", "(Ljava/io/File;Z)Z", None, unknown);
        check("delete1", "(Ljava/io/File;)Z", None, unknown);
        check("getSpace", "(Ljava/io/File;I)J", None, |sort| {
            *sort == Sort::Harmless
        });
        let row = Some("java/io/UnixFileSystem.delete0");
        check("delete0", "(Ljava/io/File;)Z", row, unknown);
        check("rename0", "(Ljava/io/File;Ljava/io/File;)Z", row, known);
        assert_eq!(sort("a/B", "open0", "()V", None), Sort::Harmless);
    }

    /// Classes with one native of the table, and the JDKs that have them.
    const ELSEWHERE: &[(&str, RangeInclusive<u32>)] = &[
        ("java.util.zip.ZipFile", 8..=8),
        ("java.lang.ClassLoader$NativeLibrary", 8..=14),
        ("jdk.internal.loader.NativeLibraries", 15..=u32::MAX),
        ("jdk.internal.loader.RawNativeLibraries", 21..=u32::MAX),
    ];

    /// The tables are whole: of the classes that count every native method of every JDK is in them, and
    /// each JDK has the natives that open files and load libraries.
    #[test]
    fn every_native_of_every_jdk_is_in_the_tables() {
        for jdk in jdks().unwrap() {
            for (class, _) in HARMLESS {
                let natives = natives(&jdk, &class.replace('/', "."));
                assert!(natives.len() >= 3, "{class} of JDK {}", jdk.feature);
                for (name, descriptor) in natives {
                    let sort = sort(class, &name, &descriptor, None);
                    let context = format!("{class}.{name}{descriptor} of JDK {}", jdk.feature);
                    assert_ne!(sort, Sort::Unknown, "{context}");
                }
            }
            for (class, _) in ELSEWHERE
                .iter()
                .filter(|(_, has)| has.contains(&jdk.feature))
            {
                let natives = natives(&jdk, class);
                let known = natives.iter().filter(|(name, descriptor)| {
                    let sort = sort(&class.replace('.', "/"), name, descriptor, None);
                    matches!(sort, Sort::Known(_))
                });
                assert_eq!(known.count(), 1, "{class} of JDK {}", jdk.feature);
            }
        }
    }

    /// Name and descriptor of each native method of a class.
    fn natives(jdk: &Jdk, class: &str) -> Vec<(String, String)> {
        let javap = jdk.java().with_file_name("javap");
        let output = Command::new(javap)
            .args(["-p", "-s", class])
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let pairs = lines
            .windows(2)
            .filter(|pair| pair[0].contains(" native "))
            .map(|pair| {
                let before = pair[0].split('(').next().unwrap();
                let name = before.rsplit(' ').next().unwrap();
                let (_, descriptor) = pair[1].split_once("descriptor: ").unwrap();
                (name.to_owned(), descriptor.to_owned())
            });
        pairs.collect()
    }
}
