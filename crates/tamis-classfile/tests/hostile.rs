//! Probes on broken classes: real ones cut off at every byte, or with bytes changed at random.
//!
//! Nothing panics. What comes out of a class that can be read can be read too, and has the same
//! fields and methods.

#![expect(clippy::unwrap_used, reason = "the whole file is tests")]

use tamis_classfile::ClassFile;
use tamis_classfile::probe::{self, Argument, Bracket, Call, EntryPlan, Slots};
use tamis_facts::MethodId;
use tamis_testkit::jdks::newest_jdk;
use tamis_testkit::server::JavaServer;

/// Branches, switches, handlers, frames with objects under construction, initialisers, annotations
/// in code: everything that moves.
const SOURCE: &str = r#"
import java.lang.annotation.*;
import java.util.*;
public class Main {
    @Target(ElementType.TYPE_USE) @interface N { String[] value() default {}; }
    static final Map<String, long[]> TABLE = new HashMap<>();
    static {
        try {
            for (int i = 0; i < 3; i++) TABLE.put(i > 1 ? "a" : new String("b"), new long[i]);
        } catch (RuntimeException e) { throw new Error(e); } finally { TABLE.clear(); }
    }
    void run(@N({"x", "y"}) List<@N String> list, int kind, long wide) {
        @N("z") Object o = (@N Object) new @N ArrayList<@N String>(list.isEmpty() ? null : list);
        switch (kind) { case 1: case 2: case 3: return; case 1000: kind++; default: kind--; }
        synchronized (o) { do { wide += kind; } while (wide < 100); }
        if (o instanceof @N List && kind > 3) System.out.println(new StringBuilder(kind > 5 ? "p" : "q"));
    }
    int f(double d) { return d > 0 ? f(-d) : 1; }
}"#;

fn classes() -> Vec<Vec<u8>> {
    let mut server = JavaServer::start(&newest_jdk().unwrap()).unwrap();
    let compiled = server.compile(&["-g"], &[("Main.java", SOURCE)]).unwrap();
    compiled.into_values().collect()
}

/// All probes on these bytes.
fn probe_all(bytes: &[u8]) {
    let before = ClassFile::parse(bytes).ok();
    let slots = Slots {
        holder: "tamis/H0",
        first: 0,
    };
    let entry = EntryPlan::scan(bytes).and_then(|plan| plan.write(&slots));
    let bracket = probe::bracket(
        bytes,
        &Bracket {
            owner: "tamis/T",
            id: 1,
        },
    );
    let method = MethodId {
        name: "run".into(),
        descriptor: "(Ljava/util/List;IJ)V".into(),
    };
    let arguments = [Argument::Receiver, Argument::Parameter(1)];
    let call = Call {
        owner: "tamis/T",
        name: "call",
        arguments: &arguments,
    };
    let results = [
        entry.ok().map(|probed| probed.bytes),
        bracket.ok().flatten().map(|probed| probed.bytes),
        probe::skip(bytes, &method, &call).ok(),
        probe::call(bytes, &method, &call).ok(),
    ];
    for result in results.into_iter().flatten() {
        let Some(before) = &before else { continue };
        let after = ClassFile::parse(&result).unwrap();
        assert_eq!(after.fields, before.fields);
        assert_eq!(after.methods.len(), before.methods.len());
    }
}

#[test]
fn classes_cut_off_at_every_byte() {
    for class in classes() {
        for length in 0..class.len() {
            probe_all(&class[..length]);
        }
    }
}

#[test]
fn classes_with_bytes_changed() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for class in classes() {
        for _ in 0..20_000 {
            let mut broken = class.clone();
            for _ in 0..=random.below(3) {
                let at = random.below(broken.len());
                broken[at] = match random.below(4) {
                    0 => 0,
                    1 => 0xff,
                    2 => broken[at].wrapping_add(1),
                    _ => random.below(256) as u8,
                };
            }
            probe_all(&broken);
        }
    }
}

/// Numbers that are the same in every run (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }
}
