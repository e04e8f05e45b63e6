//! Class-file versions that no library of the corpus has: javac writes all from 52 on, and what
//! comes after the newest known is carried through.

use tamis_classfile::ClassFile;
use tamis_testkit::server::{Classes, JavaServer};

/// A little of everything that javac of Java 8 and later compiles.
const SOURCE: &str = r#"
import java.util.function.IntUnaryOperator;

@FunctionalInterface
interface Shape { double area(); default String show() { return "area " + area(); } }

public class A<T extends Comparable<T>> implements Shape {
    enum Colour { RED, GREEN }
    private static final long BIG = 1L << 40;
    private final T value;
    A(T value) { this.value = value; }
    @Deprecated public double area() { return value.hashCode() * 0.5; }
    int pick(String text, Colour colour) throws java.io.IOException {
        switch (text) { case "Aa": return 1; case "BB": return 2; default: }
        switch (colour) { case RED: return 3; default: return (int) BIG; }
    }
    IntUnaryOperator twice(int base) {
        Runnable inner = () -> System.out.println(base + value.toString());
        try { inner.run(); } catch (RuntimeException e) { return x -> base; } finally { assert base > 0; }
        return x -> { int sum = 0; for (int i = 0; i < x; i++) { sum += i * base; } return sum; };
    }
}
"#;

/// What javac of this JDK compiles the source to, for a release.
pub(crate) fn compiled(server: &mut JavaServer, release: u32) -> Classes {
    let release = release.to_string();
    let mut options = vec!["-g", "-parameters", "-Xlint:-options"];
    match server.jdk().feature {
        ..9 => options.extend(["-source", &release, "-target", &release]),
        _ => options.extend(["--release", &release]),
    }
    server.compile(&options, &[("A.java", SOURCE)]).unwrap()
}

/// The same class of a version yet to come.
pub(crate) fn of_the_future(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let version = ClassFile::NEWEST_VERSION + 7;
    bytes[6..8].copy_from_slice(&version.to_be_bytes());
    bytes
}
