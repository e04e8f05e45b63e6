//! Methods of the JDK that keep nothing of what is found while they run: what they open or look for they open or look for
//! again the next time, and what they call may do as it likes. As data, for JDK 8 to 25.
//!
//! What is not in here is taken to keep it: resource bundles, services, logging, open archives behind `jar:` URLs, kinds of
//! files, factories of parsers, and whatever else there is or will be.

/// Where on a stack a method keeps nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Passing {
    Everywhere,
    /// Where it is outside of code of the program: inside, it loads a class, and loaders of the JDK keep what they open.
    OutsideOfProgram,
    /// Where a member of an archive is asked for: it keeps the archive open, and asks that each time.
    Members,
}

/// Packages, with all that are below them.
const PACKAGES: &[&str] = &[
    "com/sun/org/apache/xerces/internal/impl/",
    "com/sun/org/apache/xerces/internal/jaxp/",
    "com/sun/org/apache/xerces/internal/parsers/",
    "java/io/",
    "java/lang/invoke/",
    "java/nio/channels/",
    "java/nio/file/",
    "java/util/concurrent/",
    "java/util/function/",
    "java/util/stream/",
    "java/util/zip/",
    "jdk/internal/loader/",
    "jdk/internal/reflect/",
    "jdk/internal/vm/",
    "sun/net/www/protocol/file/",
    "sun/nio/ch/",
    "sun/nio/fs/",
    "sun/reflect/",
];

/// Packages, and parts of names of classes in them that do keep something: which class makes parsers, what call sites are
/// linked to, the sort of a file by its name.
const KEEPING: &[(&str, &str)] = &[
    ("com/sun/", "Factory"),
    ("java/lang/invoke/", "MethodHandleNatives"),
    ("java/nio/file/", "Detector"),
    ("sun/nio/fs/", "Detector"),
];

/// Classes, with those that are nested in them.
const CLASSES: &[&str] = &[
    "java/lang/CompoundEnumeration",
    "java/lang/Iterable",
    "java/lang/Thread",
    "java/lang/ThreadLocal",
    "java/lang/VirtualThread",
    "java/lang/reflect/Constructor",
    "java/lang/reflect/Method",
    "java/security/AccessController",
    "java/util/AbstractCollection",
    "java/util/AbstractList",
    "java/util/AbstractMap",
    "java/util/AbstractSet",
    "java/util/ArrayDeque",
    "java/util/ArrayList",
    "java/util/Arrays",
    "java/util/Collection",
    "java/util/Collections",
    "java/util/Comparator",
    "java/util/Enumeration",
    "java/util/HashMap",
    "java/util/HashSet",
    "java/util/Hashtable",
    "java/util/ImmutableCollections",
    "java/util/Iterator",
    "java/util/LinkedHashMap",
    "java/util/LinkedHashSet",
    "java/util/LinkedList",
    "java/util/List",
    "java/util/Map",
    "java/util/Objects",
    "java/util/Optional",
    "java/util/PriorityQueue",
    "java/util/Properties",
    "java/util/Scanner",
    "java/util/Set",
    "java/util/Spliterator",
    "java/util/Spliterators",
    "java/util/TimSort",
    "java/util/TreeMap",
    "java/util/TreeSet",
    "java/util/Vector",
    "javax/xml/parsers/DocumentBuilder",
    "javax/xml/parsers/SAXParser",
    "sun/misc/CompoundEnumeration",
    "sun/misc/Launcher",
    "sun/misc/Resource",
    "sun/misc/URLClassPath",
    "sun/net/www/URLConnection",
];

/// Methods of some classes and of those that are nested in them, by the beginnings of their names.
const METHODS: &[(&str, &[&str])] = &[
    ("java/lang/Class", &["getResource"]),
    (
        "java/lang/ClassLoader",
        &[
            "findResource",
            "getBootstrapResource",
            "getResource",
            "getSystemResource",
            "hasMoreElements",
            "next",
            "resources",
        ],
    ),
    ("java/lang/Module", &["getResourceAsStream"]),
    ("java/net/URL", &["openConnection", "openStream"]),
    (
        "java/net/URLClassLoader",
        &[
            "findResource",
            "getResource",
            "hasMoreElements",
            "next",
            "run",
        ],
    ),
    (
        "java/net/URLConnection",
        &[
            "connect",
            "getContentLength",
            "getDate",
            "getHeaderField",
            "getInputStream",
            "getLastModified",
        ],
    ),
    (
        "java/util/jar/JarFile",
        &[
            "<init>",
            "entryFor",
            "getEntry",
            "getInputStream",
            "getJarEntry",
            "getVersionedEntry",
        ],
    ),
    ("java/util/jar/JarInputStream", &[""]),
];

/// Methods that load classes or make objects of them.
const LOADING: &[(&str, &[&str])] = &[
    ("java/lang/Class", &["forName", "newInstance"]),
    ("java/lang/ClassLoader", &["loadClass"]),
];

/// What `jar:` URLs are made of.
const OPENING: &[&str] = &["java/net/JarURLConnection", "sun/net/www/protocol/jar/"];

/// Methods by which loaders load classes.
const OF_LOADERS: &[&str] = &["defineClass", "findClass", "loadClass"];

/// Where a method of the JDK keeps nothing of what is found while it runs; nothing if it may.
pub(super) fn passing(class: &[u8], method: &[u8]) -> Option<Passing> {
    if is_listed(LOADING, class, method) {
        return Some(Passing::OutsideOfProgram);
    }
    if OF_LOADERS
        .iter()
        .any(|name| method.starts_with(name.as_bytes()))
    {
        return None;
    }
    if OPENING
        .iter()
        .any(|name| class.starts_with(name.as_bytes()))
    {
        return Some(Passing::Members);
    }
    let is_passing = is_in_package(class)
        || CLASSES
            .binary_search_by(|listed| listed.as_bytes().cmp(outermost(class)))
            .is_ok()
        || is_listed(METHODS, class, method);
    is_passing.then_some(Passing::Everywhere)
}

fn is_in_package(class: &[u8]) -> bool {
    let is_in = |package: &str| class.starts_with(package.as_bytes());
    let has = |part: &str| class.windows(part.len()).any(|at| at == part.as_bytes());
    PACKAGES.iter().any(|package| is_in(package))
        && !KEEPING
            .iter()
            .any(|(package, part)| is_in(package) && has(part))
}

fn is_listed(rows: &[(&str, &[&str])], class: &[u8], method: &[u8]) -> bool {
    let class = outermost(class);
    let mut rows = rows.iter().filter(|(name, _)| name.as_bytes() == class);
    rows.any(|(_, methods)| {
        methods
            .iter()
            .any(|name| method.starts_with(name.as_bytes()))
    })
}

/// The class that a class is nested in. One that the JVM made has a dot behind the name of its maker, or a dollar sign.
fn outermost(class: &[u8]) -> &[u8] {
    let end = class.iter().position(|byte| b"$.".contains(byte));
    &class[..end.unwrap_or(class.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_of_the_jdk_that_keep_nothing() {
        let everywhere = Some(Passing::Everywhere);
        for (class, method, expected) in [
            ("java/io/FileInputStream", "open0", everywhere),
            ("java/lang/Class", "getResourceAsStream", everywhere),
            (
                "java/lang/Class",
                "forName0",
                Some(Passing::OutsideOfProgram),
            ),
            ("java/lang/Class", "getDeclaredMethods0", None),
            ("java/lang/ClassLoader$2", "hasMoreElements", everywhere),
            ("java/lang/ClassLoader", "loadLibrary", None),
            ("java/lang/ClassLoaders", "getResource", None),
            ("java/net/URLClassLoader", "findClass", None),
            ("java/net/URL", "getContent", None),
            ("java/util/ArrayList$$Lambda.0x12", "accept", everywhere),
            ("java/util/ResourceBundle$Control", "newBundle", None),
            ("java/util/ServiceLoader$1", "next", None),
            ("java/util/jar/JarFile", "getManifest", None),
            ("java/util/logging/LogManager", "readConfiguration", None),
            ("java/lang/invoke/LambdaForm$MH.0x12", "invoke", everywhere),
            ("java/lang/invoke/MethodHandleNatives", "linkCallSite", None),
            (
                "jdk/internal/loader/URLClassPath",
                "getResource",
                everywhere,
            ),
            (
                "jdk/internal/loader/BuiltinClassLoader",
                "loadClassOrNull",
                None,
            ),
            ("sun/misc/Launcher$AppClassLoader", "loadClass", None),
            (
                "sun/net/www/protocol/jar/JarFileFactory",
                "get",
                Some(Passing::Members),
            ),
            (
                "sun/nio/fs/MimeTypesFileTypeDetector",
                "loadMimeTypes",
                None,
            ),
            ("sun/nio/fs/UnixChannelFactory", "open", everywhere),
            ("javax/xml/parsers/FactoryFinder", "find", None),
            (
                "javax/xml/parsers/DocumentBuilderFactory",
                "newInstance",
                None,
            ),
        ] {
            let found = passing(class.as_bytes(), method.as_bytes());
            assert_eq!(found, expected, "{class}.{method}");
        }
    }

    #[test]
    fn the_list_is_sorted() {
        assert!(CLASSES.is_sorted());
    }
}
