//! The JDK's native methods that the agent stands in front of, on JDK 8 to 25, as data: what each does, and which
//! argument says to what.
//!
//! Of the classes in [`WHOLE`] every native method is known: one that is in neither list is new, and what its
//! class is about is then not seen. So is one whose descriptor is another than listed here.

use tamis_wire::Sight;

use self::Doing::{
    Archive, Examine, Link, List, Look, Make, MakeDirectory, Measure, Move, Open, Output, Random,
    Read, Remove, Resolve, Simplify,
};
use self::Peer::{Bytes, Name, Packet, Port, Structure};
use self::Place::{Address, At, Descriptor, File, Text};
use self::Question::{Class, LookedFor, Member, Members, Network};
use self::Subject::{OfThis, This};

/// The last JDK whose natives were compared with the tables.
pub(crate) const LAST_FEATURE: u32 = 25;

/// A native method of the JDK that does something that is to be seen.
pub(crate) struct Native {
    /// Written with slashes.
    class: &'static str,
    /// JDKs differ.
    names: &'static [&'static str],
    descriptors: &'static [&'static str],
    pub(crate) does: Does,
}

/// What a native method does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Does {
    /// Something with files.
    Files(Doing),
    /// It asks for something else.
    Asks(Question),
}

impl Does {
    /// What is not seen without it.
    pub(crate) fn sights(self) -> &'static [Sight] {
        match self {
            Self::Files(_) => &[Sight::Files],
            Self::Asks(Class(_) | LookedFor(_)) => &[Sight::Classes],
            Self::Asks(Members(_) | Member(_)) => &[Sight::Reflection],
            Self::Asks(Network(_)) => &[Sight::Network],
        }
    }
}

/// What a native method does with files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doing {
    /// Opens a file to read it.
    Read(Place),
    /// Asks for properties that change with the content.
    Measure(Place),
    /// The same, and perhaps those that tell a link from what it leads to.
    Examine(Place),
    /// Asks where a path leads, whatever is there.
    Simplify(Place),
    /// Asks where a path leads, if something is there.
    Resolve(Place),
    /// Opens an archive.
    Archive(Place),
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

/// What a native method asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// A class, by a `java.lang.String`.
    Class(usize),
    /// The same, of a class loader.
    LookedFor(usize),
    /// Declarations of a class.
    Members(Subject),
    /// A member, by a `java.lang.invoke.MemberName`.
    Member(usize),
    /// Another program.
    Network(Peer),
}

/// Where a class comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// It is the object.
    This,
    /// The object is a member of it.
    OfThis,
    Class(usize),
}

/// Where an address comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Peer {
    /// The name of a machine, a `java.lang.String`.
    Name(usize),
    /// A `java.net.InetAddress`, and a port.
    Port(usize, usize),
    /// The bytes of an address, in an array.
    Bytes(usize),
    /// A `java.net.DatagramPacket`.
    Packet(usize),
    /// The address of a structure of the system's, and its length.
    Structure(usize, usize),
    /// The path of a socket, in an array.
    Path(usize),
}

/// What a native method that gets its code is to the agent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// A row of the table.
    Known(usize),
    /// Nothing.
    Harmless,
    /// Perhaps something, for no table has it: what is not seen then.
    Unknown(&'static [Sight]),
}

/// A class of which every native method is known.
struct Whole {
    class: &'static str,
    /// What one that is not known may do.
    sights: &'static [Sight],
    /// Those that are no rows.
    harmless: &'static [&'static str],
}

/// How many rows there are.
pub(crate) const N_NATIVES: usize = NATIVES.len();

const INPUT: &str = "java/io/FileInputStream";
const OUTPUT: &str = "java/io/FileOutputStream";
const RANDOM: &str = "java/io/RandomAccessFile";
const SYSTEM: &str = "java/io/UnixFileSystem";
const DISPATCHER: &str = "sun/nio/fs/UnixNativeDispatcher";

const CLASS: &str = "java/lang/Class";
const LOADER: &str = "java/lang/ClassLoader";
const EXECUTABLE: &str = "java/lang/reflect/Executable";
const FIELD: &str = "java/lang/reflect/Field";
const HANDLES: &str = "java/lang/invoke/MethodHandleNatives";

const SOCKET: &str = "java/net/PlainSocketImpl";
const DATAGRAM_SOCKET: &str = "java/net/PlainDatagramSocketImpl";
const NET: &str = "sun/nio/ch/Net";
const DATAGRAM_CHANNEL: &str = "sun/nio/ch/DatagramChannelImpl";
const UNIX_SOCKETS: &str = "sun/nio/ch/UnixDomainSockets";
const INET4: &str = "java/net/Inet4AddressImpl";
const INET6: &str = "java/net/Inet6AddressImpl";

const fn file(
    class: &'static str,
    names: &'static [&'static str],
    descriptors: &'static [&'static str],
    doing: Doing,
) -> Native {
    Native {
        class,
        names,
        descriptors,
        does: Does::Files(doing),
    }
}

const fn asks(
    class: &'static str,
    names: &'static [&'static str],
    descriptors: &'static [&'static str],
    question: Question,
) -> Native {
    Native {
        class,
        names,
        descriptors,
        does: Does::Asks(question),
    }
}

#[rustfmt::skip]
pub(crate) const NATIVES: &[Native] = &[
    file(INPUT, &["open0"], &["(Ljava/lang/String;)V"], Read(Text(0))),
    file(OUTPUT, &["open0"], &["(Ljava/lang/String;Z)V"], Output(Text(0), 1)),
    file(RANDOM, &["open0"], &["(Ljava/lang/String;I)V"], Random(Text(0), 1)),

    file(SYSTEM, &["getBooleanAttributes0"], &["(Ljava/io/File;)I"], Look(File(0))),
    file(SYSTEM, &["checkAccess", "checkAccess0"], &["(Ljava/io/File;I)Z"], Look(File(0))),
    file(SYSTEM, &["getLastModifiedTime", "getLastModifiedTime0"], &["(Ljava/io/File;)J"], Measure(File(0))),
    file(SYSTEM, &["getLength", "getLength0"], &["(Ljava/io/File;)J"], Measure(File(0))),
    file(SYSTEM, &["canonicalize0"], &["(Ljava/lang/String;)Ljava/lang/String;"], Simplify(Text(0))),
    file(SYSTEM, &["list", "list0"], &["(Ljava/io/File;)[Ljava/lang/String;"], List(File(0))),
    file(SYSTEM, &["createFileExclusively", "createFileExclusively0"], &["(Ljava/lang/String;)Z"], Make(Text(0))),
    file(SYSTEM, &["createDirectory", "createDirectory0"], &["(Ljava/io/File;)Z"], MakeDirectory(File(0))),
    file(SYSTEM, &["delete0"], &["(Ljava/io/File;)Z"], Remove(File(0))),
    file(SYSTEM, &["rename0"], &["(Ljava/io/File;Ljava/io/File;)Z"], Move { from: File(0), to: File(1) }),

    file(DISPATCHER, &["open0"], &["(JII)I"], Open(Address(0), 1)),
    file(DISPATCHER, &["openat0"], &["(IJII)I"], Open(At(0, 1), 2)),
    file(DISPATCHER, &["fopen0"], &["(JJ)J"], Read(Address(0))),
    file(DISPATCHER, &["stat0"], &["(JLsun/nio/fs/UnixFileAttributes;)V", "(JLsun/nio/fs/UnixFileAttributes;)I"], Examine(Address(0))),
    file(DISPATCHER, &["stat1"], &["(J)I"], Examine(Address(0))),
    file(DISPATCHER, &["lstat0"], &["(JLsun/nio/fs/UnixFileAttributes;)V"], Examine(Address(0))),
    file(DISPATCHER, &["fstatat0"], &["(IJILsun/nio/fs/UnixFileAttributes;)V"], Examine(At(0, 1))),
    file(DISPATCHER, &["readlink0"], &["(J)[B"], Examine(Address(0))),
    file(DISPATCHER, &["realpath0"], &["(J)[B"], Resolve(Address(0))),
    file(DISPATCHER, &["access0"], &["(JI)V", "(JI)I"], Look(Address(0))),
    file(DISPATCHER, &["exists0"], &["(J)Z"], Look(Address(0))),
    file(DISPATCHER, &["opendir0"], &["(J)J"], List(Address(0))),
    file(DISPATCHER, &["fdopendir"], &["(I)J"], List(Descriptor(0))),
    file(DISPATCHER, &["mkdir0"], &["(JI)V"], MakeDirectory(Address(0))),
    file(DISPATCHER, &["mknod0"], &["(JIJ)V"], Make(Address(0))),
    file(DISPATCHER, &["unlink0"], &["(J)V"], Remove(Address(0))),
    file(DISPATCHER, &["rmdir0"], &["(J)V"], Remove(Address(0))),
    file(DISPATCHER, &["unlinkat0"], &["(IJI)V"], Remove(At(0, 1))),
    file(DISPATCHER, &["rename0"], &["(JJ)V"], Move { from: Address(0), to: Address(1) }),
    file(DISPATCHER, &["renameat0"], &["(IJIJ)V"], Move { from: At(0, 1), to: At(2, 3) }),
    file(DISPATCHER, &["link0"], &["(JJ)V"], Link { existing: Address(0), new: Address(1) }),
    file(DISPATCHER, &["symlink0"], &["(JJ)V"], Make(Address(1))),

    // Before JDK 9 archives are read by native code.
    file("java/util/zip/ZipFile", &["open"], &["(Ljava/lang/String;IJZ)J"], Archive(Text(0))),

    // Native libraries.
    file("java/lang/ClassLoader$NativeLibrary", &["load", "load0"], &["(Ljava/lang/String;Z)V", "(Ljava/lang/String;Z)Z", "(Ljava/lang/String;ZZ)Z"], Read(Text(0))),
    file("jdk/internal/loader/NativeLibraries", &["load"], &[
        "(Ljdk/internal/loader/NativeLibraries$NativeLibraryImpl;Ljava/lang/String;ZZ)Z",
        "(Ljdk/internal/loader/NativeLibraries$NativeLibraryImpl;Ljava/lang/String;ZZZ)Z",
    ], Read(Text(1))),
    file("jdk/internal/loader/RawNativeLibraries", &["load0"], &["(Ljdk/internal/loader/RawNativeLibraries$RawNativeLibraryImpl;Ljava/lang/String;)Z"], Read(Text(1))),

    // The first is asked by every loader for every class, and only the JVM itself knows better.
    asks(LOADER, &["findLoadedClass0"], &["(Ljava/lang/String;)Ljava/lang/Class;"], LookedFor(0)),
    asks(LOADER, &["findBootstrapClass"], &["(Ljava/lang/String;)Ljava/lang/Class;"], LookedFor(0)),
    asks(CLASS, &["forName0"], &["(Ljava/lang/String;ZLjava/lang/ClassLoader;Ljava/lang/Class;)Ljava/lang/Class;"], Class(0)),

    asks(CLASS, &["getDeclaredFields0"], &["(Z)[Ljava/lang/reflect/Field;"], Members(This)),
    asks(CLASS, &["getDeclaredMethods0"], &["(Z)[Ljava/lang/reflect/Method;"], Members(This)),
    asks(CLASS, &["getDeclaredConstructors0"], &["(Z)[Ljava/lang/reflect/Constructor;"], Members(This)),
    asks(CLASS, &["getDeclaredClasses0"], &["()[Ljava/lang/Class;"], Members(This)),
    asks(CLASS, &["getRecordComponents0"], &["()[Ljava/lang/reflect/RecordComponent;"], Members(This)),
    asks(CLASS, &["getPermittedSubclasses0"], &["()[Ljava/lang/Class;"], Members(This)),
    asks(CLASS, &["getNestMembers0"], &["()[Ljava/lang/Class;"], Members(This)),
    asks(CLASS, &["getRawAnnotations"], &["()[B"], Members(This)),
    asks(CLASS, &["getRawTypeAnnotations"], &["()[B"], Members(This)),
    asks(CLASS, &["getConstantPool"], &["()Lsun/reflect/ConstantPool;", "()Ljdk/internal/reflect/ConstantPool;"], Members(This)),
    asks(CLASS, &["getEnclosingMethod0"], &["()[Ljava/lang/Object;"], Members(This)),
    asks(CLASS, &["getDeclaringClass0"], &["()Ljava/lang/Class;"], Members(This)),
    asks(CLASS, &["getSimpleBinaryName0"], &["()Ljava/lang/String;"], Members(This)),
    asks(CLASS, &["getGenericSignature0"], &["()Ljava/lang/String;"], Members(This)),
    asks(CLASS, &["getInterfaces0"], &["()[Ljava/lang/Class;"], Members(This)),
    // The JDK remembers members, and what it read of them is read again for each copy.
    asks(EXECUTABLE, &["getParameters0"], &["()[Ljava/lang/reflect/Parameter;"], Members(OfThis)),
    asks(EXECUTABLE, &["getTypeAnnotationBytes0"], &["()[B"], Members(OfThis)),
    asks(FIELD, &["getTypeAnnotationBytes0"], &["()[B"], Members(OfThis)),
    asks(HANDLES, &["resolve"], &[
        "(Ljava/lang/invoke/MemberName;Ljava/lang/Class;)Ljava/lang/invoke/MemberName;",
        "(Ljava/lang/invoke/MemberName;Ljava/lang/Class;Z)Ljava/lang/invoke/MemberName;",
        "(Ljava/lang/invoke/MemberName;Ljava/lang/Class;IZ)Ljava/lang/invoke/MemberName;",
    ], Member(0)),
    asks(HANDLES, &["getMembers"], &["(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/String;ILjava/lang/Class;I[Ljava/lang/invoke/MemberName;)I"], Members(Subject::Class(0))),
    asks("java/io/ObjectStreamClass", &["hasStaticInitializer"], &["(Ljava/lang/Class;)Z"], Members(Subject::Class(0))),
    // Its fellows are given a `Field`, so that fields were listed before.
    asks("jdk/internal/misc/Unsafe", &["objectFieldOffset1"], &["(Ljava/lang/Class;Ljava/lang/String;)J"], Members(Subject::Class(0))),

    asks(SOCKET, &["socketConnect"], &["(Ljava/net/InetAddress;II)V"], Network(Port(0, 1))),
    asks(DATAGRAM_SOCKET, &["connect0"], &["(Ljava/net/InetAddress;I)V"], Network(Port(0, 1))),
    asks(DATAGRAM_SOCKET, &["send", "send0"], &["(Ljava/net/DatagramPacket;)V"], Network(Packet(0))),
    asks(NET, &["connect0"], &["(ZLjava/io/FileDescriptor;Ljava/net/InetAddress;I)I"], Network(Port(2, 3))),
    asks(DATAGRAM_CHANNEL, &["send0"], &["(ZLjava/io/FileDescriptor;JILjava/net/InetAddress;I)I"], Network(Port(4, 5))),
    asks(DATAGRAM_CHANNEL, &["send0"], &["(Ljava/io/FileDescriptor;JIJI)I"], Network(Structure(3, 4))),
    asks("sun/nio/ch/sctp/SctpNet", &["connect0"], &["(ILjava/net/InetAddress;I)I"], Network(Port(1, 2))),
    asks("sun/nio/ch/sctp/SctpChannelImpl", &["send0"], &["(IJILjava/net/InetAddress;IIIZI)I"], Network(Port(3, 4))),
    asks(UNIX_SOCKETS, &["connect0"], &["(Ljava/io/FileDescriptor;[B)I"], Network(Peer::Path(1))),
    asks(INET4, &["lookupAllHostAddr"], &["(Ljava/lang/String;)[Ljava/net/InetAddress;"], Network(Name(0))),
    asks(INET6, &["lookupAllHostAddr"], &["(Ljava/lang/String;)[Ljava/net/InetAddress;", "(Ljava/lang/String;I)[Ljava/net/InetAddress;"], Network(Name(0))),
    asks(INET4, &["getHostByAddr"], &["([B)Ljava/lang/String;"], Network(Bytes(0))),
    asks(INET6, &["getHostByAddr"], &["([B)Ljava/lang/String;"], Network(Bytes(0))),
    asks(INET4, &["isReachable0"], &["([BI[BI)Z"], Network(Bytes(0))),
    asks(INET6, &["isReachable0"], &["([BII[BII)Z"], Network(Bytes(0))),
];

/// Native methods that do not count. Of files: those that are given no path, or ask and set what is no content
/// (permissions, owners, times). Of classes: those that tell what every user of the class relies on (its name,
/// flags, supertypes), or nothing of what it declares. Of the network: those that reach no other program.
#[rustfmt::skip]
const WHOLE: &[Whole] = &[
    Whole { class: INPUT, sights: &[Sight::Files], harmless: &[
        "available0", "close0", "initIDs", "isRegularFile0", "length0", "position0", "read0", "readBytes", "skip0",
    ] },
    Whole { class: OUTPUT, sights: &[Sight::Files], harmless: &["close0", "initIDs", "write", "writeBytes"] },
    Whole { class: RANDOM, sights: &[Sight::Files], harmless: &[
        "close0", "getFilePointer", "initIDs", "length", "length0", "read0", "readBytes", "readBytes0", "seek0",
        "setLength", "setLength0", "write0", "writeBytes", "writeBytes0",
    ] },
    Whole { class: SYSTEM, sights: &[Sight::Files], harmless: &[
        "getNameMax0", "getSpace", "getSpace0", "initIDs", "setLastModifiedTime",
        "setLastModifiedTime0", "setPermission", "setPermission0", "setReadOnly", "setReadOnly0",
    ] },
    Whole { class: DISPATCHER, sights: &[Sight::Files], harmless: &[
        "chmod0", "chown0", "close", "close0", "closedir", "dup", "fchmod", "fchmod0", "fchmodat0",
        "fchmodatNoFollowSupported0", "fchown", "fchown0", "fclose", "fgetxattr0", "flistxattr", "fpathconf",
        "fremovexattr0", "fsetxattr0", "fstat", "fstat0", "futimens", "futimens0", "futimes", "futimes0", "getcwd",
        "getgrgid", "getgrnam0", "getlinelen", "getpwnam0", "getpwuid", "init", "lchown0", "lutimes0", "pathconf0",
        "read", "read0", "readdir", "readdir0", "rewind", "statvfs0", "strerror", "utimensat0", "utimes0", "write",
        "write0",
    ] },
    Whole { class: LOADER, sights: &[Sight::Classes], harmless: &[
        "defineClass0", "defineClass1", "defineClass2", "findBuiltinLib", "registerNatives", "resolveClass0",
        "retrieveDirectives",
    ] },
    Whole { class: CLASS, sights: &[Sight::Classes, Sight::Reflection], harmless: &[
        "desiredAssertionStatus0", "getClassAccessFlagsRaw0", "getClassFileVersion0", "getComponentType", "getModifiers",
        "getName0", "getNestHost0", "getPrimitiveClass", "getProtectionDomain0", "getSigners", "getSuperclass",
        "initClassName", "isArray", "isAssignableFrom", "isHidden", "isInstance", "isInterface", "isPrimitive",
        "isRecord0", "registerNatives", "setSigners",
    ] },
    Whole { class: EXECUTABLE, sights: &[Sight::Reflection], harmless: &[] },
    Whole { class: FIELD, sights: &[Sight::Reflection], harmless: &[] },
    Whole { class: HANDLES, sights: &[Sight::Reflection], harmless: &[
        // What they are given was resolved, or is a member that was listed.
        "expand", "getMemberVMInfo", "init", "objectFieldOffset", "staticFieldBase", "staticFieldOffset",
        "clearCallSiteContext", "copyOutBootstrapArguments", "getConstant", "getNamedCon", "registerNatives",
        "setCallSiteTargetNormal", "setCallSiteTargetVolatile",
    ] },
    Whole { class: SOCKET, sights: &[Sight::Network], harmless: &[
        "initProto", "socketAccept", "socketAvailable", "socketBind", "socketClose0", "socketCreate", "socketGetOption",
        "socketListen", "socketSendUrgentData", "socketSetOption0", "socketShutdown",
    ] },
    Whole { class: DATAGRAM_SOCKET, sights: &[Sight::Network], harmless: &[
        "bind0", "dataAvailable", "datagramSocketClose", "datagramSocketCreate", "disconnect0", "getTTL",
        "getTimeToLive", "init", "join", "leave", "peek", "peekData", "receive0", "setTTL", "setTimeToLive",
        "socketGetOption", "socketSetOption0",
    ] },
    Whole { class: NET, sights: &[Sight::Network], harmless: &[
        "accept", "available", "bind0", "blockOrUnblock4", "blockOrUnblock6", "canIPv6SocketJoinIPv4Group0",
        "canJoin6WithIPv4Group0", "canUseIPv6OptionsWithIPv4LocalAddress0", "discardOOB", "getIntOption0",
        "getInterface4", "getInterface6", "initIDs", "isExclusiveBindAvailable", "isIPv6Available0",
        "isReusePortAvailable0", "joinOrDrop4", "joinOrDrop6", "listen", "localInetAddress", "localPort", "poll",
        "pollConnect", "pollconnValue", "pollerrValue", "pollhupValue", "pollinValue", "pollnvalValue", "polloutValue",
        "remoteInetAddress", "remotePort", "sendOOB", "setIntOption0", "setInterface4", "setInterface6",
        "shouldSetBothIPv4AndIPv6Options0", "shouldShutdownWriteBeforeClose0", "shutdown", "socket0",
    ] },
    Whole { class: DATAGRAM_CHANNEL, sights: &[Sight::Network], harmless: &["disconnect0", "initIDs", "receive0"] },
    Whole { class: UNIX_SOCKETS, sights: &[Sight::Network], harmless: &[
        "accept0", "bind0", "init", "localAddress0", "socket0",
    ] },
    Whole { class: INET4, sights: &[Sight::Network], harmless: &["getLocalHostName"] },
    Whole { class: INET6, sights: &[Sight::Network], harmless: &["getLocalHostName"] },
];

/// The row of the native method that lists the interfaces of a class.
pub(crate) fn row_of_interfaces() -> Option<usize> {
    let is_it = |native: &Native| native.class == CLASS && native.names == ["getInterfaces0"];
    NATIVES.iter().position(is_it)
}

/// What a native method is, where the row of `doctored` (class and name, with a dot between) is not
/// there.
pub(crate) fn sort(class: &str, name: &str, descriptor: &str, doctored: Option<&str>) -> Sort {
    let doctored = doctored.and_then(|row| row.split_once('.'));
    let is_doctored = doctored == Some((class, name));
    let is_named = |native: &&Native| native.class == class && native.names.contains(&name);
    let is_whole = |native: &Native| {
        is_named(&native) && native.descriptors.contains(&descriptor) && !is_doctored
    };
    if let Some(row) = NATIVES.iter().position(is_whole) {
        return Sort::Known(row);
    }
    if let Some(native) = NATIVES.iter().find(is_named) {
        return Sort::Unknown(native.does.sights());
    }
    match WHOLE.iter().find(|whole| whole.class == class) {
        Some(whole) if !whole.harmless.contains(&name) => Sort::Unknown(whole.sights),
        _ => Sort::Harmless,
    }
}

#[cfg(test)]
mod tests {
    use std::ops::RangeInclusive;
    use std::process::Command;

    use tamis_build::Jdk;
    use tamis_testkit::jdks::jdks;

    use super::super::wrap::parameters;
    use super::*;

    #[test]
    fn a_native_is_known_harmless_or_unknown() {
        let check = |name, descriptor, doctored, expected: fn(&Sort) -> bool| {
            let sort = sort(SYSTEM, name, descriptor, doctored);
            assert!(expected(&sort), "{name}: {sort:?}");
        };
        let known = |sort: &Sort| matches!(sort, Sort::Known(_));
        let unknown = |sort: &Sort| *sort == Sort::Unknown(&[Sight::Files]);
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

    #[test]
    fn what_is_not_known_says_what_is_not_seen() {
        for (class, name, expected) in [
            (CLASS, "forName0", &[Sight::Classes][..]),
            (CLASS, "getRawAnnotations", &[Sight::Reflection]),
            (CLASS, "getMore0", &[Sight::Classes, Sight::Reflection]),
            (LOADER, "findMore0", &[Sight::Classes]),
            (HANDLES, "resolveMore", &[Sight::Reflection]),
            (NET, "connect1", &[Sight::Network]),
            (DATAGRAM_CHANNEL, "send0", &[Sight::Network]),
            (OUTPUT, "open1", &[Sight::Files]),
        ] {
            let sort = sort(class, name, "(LNew;)V", None);
            assert_eq!(sort, Sort::Unknown(expected), "{class}.{name}");
        }
    }

    /// Classes with one native of the table, and the JDKs that have them.
    const ELSEWHERE: &[(&str, RangeInclusive<u32>)] = &[
        ("java/util/zip/ZipFile", 8..=8),
        ("java/lang/ClassLoader$NativeLibrary", 8..=14),
        ("jdk/internal/loader/NativeLibraries", 15..=u32::MAX),
        ("jdk/internal/loader/RawNativeLibraries", 21..=u32::MAX),
        ("java/io/ObjectStreamClass", 8..=u32::MAX),
        ("jdk/internal/misc/Unsafe", 10..=u32::MAX),
        ("sun/nio/ch/sctp/SctpNet", 8..=u32::MAX),
        ("sun/nio/ch/sctp/SctpChannelImpl", 8..=u32::MAX),
    ];

    /// Classes whose natives are all known and that only some JDKs have.
    const SOMEWHERE: &[(&str, RangeInclusive<u32>)] = &[
        (SOCKET, 8..=17),
        (DATAGRAM_SOCKET, 8..=17),
        (UNIX_SOCKETS, 16..=u32::MAX),
    ];

    /// The tables are whole: of the classes that count every native method of every JDK is in them.
    #[test]
    fn every_native_of_every_jdk_is_in_the_tables() {
        for jdk in jdks().unwrap() {
            for Whole { class, .. } in WHOLE {
                let context = format!("{class} of JDK {}", jdk.feature);
                let natives = natives(&jdk, class);
                let place = SOMEWHERE.iter().find(|(other, _)| other == class);
                let is_there = place.is_none_or(|(_, has)| has.contains(&jdk.feature));
                assert_eq!(!natives.is_empty(), is_there, "{context}");
                for (name, descriptor) in natives {
                    let sort = sort(class, &name, &descriptor, None);
                    let is_known = !matches!(sort, Sort::Unknown(_));
                    assert!(is_known, "{name}{descriptor} in {context}");
                }
            }
        }
    }

    /// Each JDK has the natives of the table that lie alone in their classes.
    #[test]
    fn natives_elsewhere_are_where_the_table_says() {
        for jdk in jdks().unwrap() {
            let has = ELSEWHERE
                .iter()
                .filter(|(_, has)| has.contains(&jdk.feature));
            for (class, _) in has {
                let natives = natives(&jdk, class);
                let known = natives.iter().filter(|(name, descriptor)| {
                    matches!(sort(class, name, descriptor, None), Sort::Known(_))
                });
                assert_eq!(known.count(), 1, "{class} of JDK {}", jdk.feature);
            }
        }
    }

    /// Each argument that is read has the type that it is read as.
    #[test]
    fn places_fit_the_descriptors() {
        for native in NATIVES {
            for descriptor in native.descriptors {
                let parameters = parameters(descriptor);
                for (index, expected) in arguments_of(native.does) {
                    let context = format!("{}.{:?}{descriptor}", native.class, native.names);
                    assert_eq!(parameters.get(index), Some(&expected), "{context}");
                }
            }
        }
    }

    /// Which arguments are read, and as what.
    fn arguments_of(does: Does) -> Vec<(usize, &'static str)> {
        let place = |place| match place {
            Text(text) => vec![(text, "Ljava/lang/String;")],
            File(file) => vec![(file, "Ljava/io/File;")],
            Address(address) => vec![(address, "J")],
            Descriptor(descriptor) => vec![(descriptor, "I")],
            At(descriptor, address) => vec![(descriptor, "I"), (address, "J")],
        };
        let with = |first, index, kind| [place(first), vec![(index, kind)]].concat();
        let doing = match does {
            Does::Files(doing) => doing,
            Does::Asks(question) => return arguments_of_question(question),
        };
        match doing {
            Read(file) | Archive(file) | Measure(file) | Examine(file) | Simplify(file)
            | Resolve(file) | Look(file) | List(file) | Make(file) | MakeDirectory(file)
            | Remove(file) => place(file),
            Output(file, append) => with(file, append, "Z"),
            Random(file, number) | Open(file, number) => with(file, number, "I"),
            Move { from, to } => [place(from), place(to)].concat(),
            Link { existing, new } => [place(existing), place(new)].concat(),
        }
    }

    fn arguments_of_question(question: Question) -> Vec<(usize, &'static str)> {
        match question {
            Class(name) | LookedFor(name) | Network(Name(name)) => {
                vec![(name, "Ljava/lang/String;")]
            }
            Members(This | OfThis) => Vec::new(),
            Members(Subject::Class(class)) => vec![(class, "Ljava/lang/Class;")],
            Member(member) => vec![(member, "Ljava/lang/invoke/MemberName;")],
            Network(Port(address, port)) => vec![(address, "Ljava/net/InetAddress;"), (port, "I")],
            Network(Bytes(array) | Peer::Path(array)) => vec![(array, "[B")],
            Network(Packet(packet)) => vec![(packet, "Ljava/net/DatagramPacket;")],
            Network(Structure(address, length)) => vec![(address, "J"), (length, "I")],
        }
    }

    /// Name and descriptor of each native method of a class.
    fn natives(jdk: &Jdk, class: &str) -> Vec<(String, String)> {
        let javap = jdk.java().with_file_name("javap");
        let output = Command::new(javap)
            .args(["-p", "-s", &class.replace('/', ".")])
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
