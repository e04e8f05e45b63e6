//! Which libraries the tests read: many compilers, many class file versions, and successive
//! versions of one library.

/// Libraries whose every class is read, written, and probed.
pub const CORPUS: &[&str] = &[
    // javac, version 52; annotations with type use, many generics.
    "com.google.guava:guava:33.4.0-jre",
    // kotlinc, version 52; multi-release.
    "org.jetbrains.kotlin:kotlin-stdlib:2.1.0",
    // scalac 2.13 (its own attributes) and dotty, version 52.
    "org.scala-lang:scala-library:2.13.15",
    "org.scala-lang:scala3-library_3:3.3.4",
    // groovyc beside javac; javac-compiled lambdas.
    "org.apache.groovy:groovy:4.0.23",
    // The Clojure compiler: unusual local variable tables, one class per function.
    "org.clojure:clojure:1.12.0",
    "xalan:xalan:2.7.3",
    // javac, version 61.
    "org.springframework:spring-core:6.2.0",
    "org.springframework:spring-context:6.2.0",
    // Signed, multi-release: versions 52 to 65.
    "org.bouncycastle:bcprov-jdk18on:1.79",
    // Multi-release over version 49, which has no frames.
    "net.bytebuddy:byte-buddy:1.17.0",
    "org.apache.commons:commons-collections4:4.5.0",
    "org.apache.commons:commons-lang3:3.17.0",
    // Version 51; version 50, where frames are optional, by scalac.
    "org.apache.logging.log4j:log4j-core:2.12.4",
    "org.scala-lang:scala-library:2.11.12",
    // Versions 48, 47, 46 and 45, by old javac and jikes: `jsr` and `ret`, synthetic as an
    // attribute, no frames.
    "log4j:log4j:1.2.17",
    "commons-lang:commons-lang:2.6",
    "junit:junit:3.8.1",
    "commons-collections:commons-collections:3.1",
    "bsh:bsh:2.0b4",
    "xerces:xerces:2.4.0",
    "jython:jython:2.1",
];

/// What classes of the corpus need to link beyond their own jar; many link without, none of these
/// is probed.
pub const LINK_PATH: &[&str] = &[
    "org.scala-lang:scala-library:2.13.15",
    "org.springframework:spring-core:6.2.0",
    "org.springframework:spring-jcl:6.2.0",
    "org.springframework:spring-beans:6.2.0",
    "org.springframework:spring-aop:6.2.0",
    "org.springframework:spring-expression:6.2.0",
    "org.apache.logging.log4j:log4j-api:2.12.4",
    "xalan:serializer:2.7.3",
];

/// The oracle: ASM, in the version that [`crate::server`] runs.
pub const ORACLE: &[&str] = &[
    "org.ow2.asm:asm:9.11.1",
    "org.ow2.asm:asm-tree:9.11.1",
    "org.ow2.asm:asm-analysis:9.11.1",
    "org.ow2.asm:asm-util:9.11.1",
    "org.ow2.asm:asm-commons:9.11.1",
];

/// The older and the newer version of a library, as a user who updates it meets them.
pub const VERSION_PAIRS: &[(&str, &str)] = &[
    (
        "com.google.guava:guava:33.3.1-jre",
        "com.google.guava:guava:33.4.0-jre",
    ),
    (
        "org.apache.commons:commons-lang3:3.16.0",
        "org.apache.commons:commons-lang3:3.17.0",
    ),
    (
        "org.apache.commons:commons-collections4:4.4",
        "org.apache.commons:commons-collections4:4.5.0",
    ),
    (
        "com.fasterxml.jackson.core:jackson-databind:2.17.3",
        "com.fasterxml.jackson.core:jackson-databind:2.18.2",
    ),
    (
        "org.jetbrains.kotlin:kotlin-stdlib:2.0.21",
        "org.jetbrains.kotlin:kotlin-stdlib:2.1.0",
    ),
    (
        "org.scala-lang:scala-library:2.13.14",
        "org.scala-lang:scala-library:2.13.15",
    ),
    (
        "org.apache.groovy:groovy:4.0.22",
        "org.apache.groovy:groovy:4.0.23",
    ),
    (
        "org.springframework:spring-core:6.1.14",
        "org.springframework:spring-core:6.2.0",
    ),
    (
        "org.springframework:spring-context:6.1.14",
        "org.springframework:spring-context:6.2.0",
    ),
    (
        "org.bouncycastle:bcprov-jdk18on:1.78.1",
        "org.bouncycastle:bcprov-jdk18on:1.79",
    ),
    (
        "net.bytebuddy:byte-buddy:1.16.1",
        "net.bytebuddy:byte-buddy:1.17.0",
    ),
    ("org.clojure:clojure:1.11.4", "org.clojure:clojure:1.12.0"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::maven::artifacts;

    #[test]
    fn every_listed_artifact_exists() {
        let mut all: Vec<&str> = CORPUS
            .iter()
            .chain(LINK_PATH)
            .chain(ORACLE)
            .copied()
            .collect();
        for (old, new) in VERSION_PAIRS {
            all.extend([old, new]);
        }
        for jar in artifacts(&all).unwrap() {
            assert!(jar.is_file(), "{}", jar.display());
        }
    }
}
