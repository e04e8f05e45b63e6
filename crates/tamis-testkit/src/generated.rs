//! Programs too long to write: methods near the limit of 65,535 bytes, and branches at the limit of
//! 32,767.

use std::fmt::Write as _;

use anyhow::Result;

use crate::program::Program;

/// The generated programs.
pub(crate) fn programs() -> Result<Vec<Program>> {
    Ok(vec![
        huge_method()?,
        far_jumps()?,
        huge_initialiser()?,
        branch_at_the_limit()?,
    ])
}

fn program(name: &str, source: String) -> Result<Program> {
    Program::parse(name, vec![("Main.java".to_owned(), source)])
}

/// `n` statements of 8 bytes of code each: `iload_0`, `iconst_3`, `imul`, `sipush 1000` of three
/// bytes, `iadd`, `istore_0`. The variable must have the first slot.
fn statements(n: usize) -> String {
    "x = x * 3 + 1000;\n".repeat(n)
}

/// A method so long that an entry probe just fits: 8,190 · 8 + 2 = 65,522 bytes.
fn huge_method() -> Result<Program> {
    let body = statements(8190);
    program(
        "huge_method",
        format!(
            "// A method of 65,522 bytes, to which 8 can be added.\n\
             // compile: javac 8\n\
             // hits: Main: main([Ljava/lang/String;)V huge(I)I\n\
             // not: Main: <init>()V\n\
             // complete\n\
             public class Main {{\n\
             static int huge(int x) {{\n{body}return x;\n}}\n\
             public static void main(String[] arguments) {{ System.out.println(huge(7)); }}\n\
             }}\n"
        ),
    )
}

/// A loop and a conditional over more than 32,767 bytes: `goto_w`, with frames behind it.
fn far_jumps() -> Result<Program> {
    let half = statements(4500);
    program(
        "far_jumps",
        format!(
            "// Branches that need goto_w, forwards and backwards, out of a try block too.\n\
             // compile: javac 8\n\
             // hits: Main: main([Ljava/lang/String;)V far(I)I\n\
             // not: Main: <init>()V\n\
             // complete\n\
             public class Main {{\n\
             static int far(int x) {{\n\
             for (int i = 0; i < 3; i++) {{\n\
             if (x == 77) {{ continue; }}\n\
             try {{\n\
             if (x % 5 == 4) {{ return x; }}\n\
             {half}\
             if (x % 7 == 0) {{ throw new IllegalStateException(); }}\n\
             }} catch (IllegalStateException e) {{ x++; }} finally {{ x--; }}\n\
             }}\n\
             return x;\n\
             }}\n\
             public static void main(String[] arguments) {{\n\
             for (int i = 70; i < 80; i++) {{ System.out.println(far(i)); }}\n\
             }}\n\
             }}\n"
        ),
    )
}

/// An array constant of 4,600 elements of 7 bytes each, as generated parsers have them.
fn huge_initialiser() -> Result<Program> {
    let mut elements = String::new();
    for i in 0..4600 {
        write!(elements, "{}, ", 200 + i % 1000)?;
    }
    program(
        "huge_initialiser",
        format!(
            "// A static initialiser of more than 32,767 bytes without a branch.\n\
             // compile: javac 8\n\
             // hits: Main: main([Ljava/lang/String;)V <clinit>()V\n\
             // not: Main: <init>()V\n\
             // complete\n\
             public class Main {{\n\
             static final short[] TABLE = {{ {elements} }};\n\
             public static void main(String[] arguments) {{\n\
             int sum = 0;\n\
             for (short s : TABLE) {{ sum = sum * 31 + s; }}\n\
             System.out.println(sum);\n\
             }}\n\
             }}\n"
        ),
    )
}

/// Static initialisers with a branch of exactly 32,767 bytes forwards and of 32,768 backwards, and
/// returns between the branch and its target: what is inserted at the returns pushes the branch
/// over the limit.
///
/// Forwards, the branch itself has 3 bytes and each `if` with its return 6. Backwards, there are
/// two of these, 8 bytes for `value++` and 4 to load what is compared. A source cannot return from
/// a static initialiser; a method becomes one afterwards.
fn branch_at_the_limit() -> Result<Program> {
    let forwards = statements((32767 - 3 - 12) / 8);
    let backwards = statements((32768 - 12 - 8 - 4) / 8);
    program(
        "branch_at_the_limit",
        format!(
            "// Branches of 32,767 and 32,768 bytes over returns, in static initialisers.\n\
             // compile: javac 8\n\
             // rename: Main$Forwards init()V <clinit>\n\
             // rename: Main$Backwards init()V <clinit>\n\
             // hits: Main: main([Ljava/lang/String;)V <clinit>()V\n\
             // hits: Main$Forwards: <clinit>()V\n\
             // hits: Main$Backwards: <clinit>()V\n\
             // not: Main: <init>()V\n\
             // not: Main$Forwards: <init>()V\n\
             // not: Main$Backwards: <init>()V\n\
             // complete\n\
             public class Main {{\n\
             static int start = 1;\n\
             static class Forwards {{\n\
             static int value;\n\
             static void init() {{\n\
             int x = start;\n\
             if (x == 1) {{\n\
             if (x == 2) {{ return; }}\n\
             if (x == 3) {{ return; }}\n\
             {forwards}\
             }}\n\
             value = x;\n\
             }}\n\
             }}\n\
             static class Backwards {{\n\
             static int value;\n\
             static void init() {{\n\
             int x = start;\n\
             do {{\n\
             if (x == 2) {{ return; }}\n\
             {backwards}\
             if (x == 3) {{ return; }}\n\
             value++;\n\
             }} while (value < 3);\n\
             value += x;\n\
             }}\n\
             }}\n\
             public static void main(String[] arguments) {{\n\
             System.out.println(Forwards.value);\n\
             System.out.println(Backwards.value);\n\
             }}\n\
             }}\n"
        ),
    )
}
