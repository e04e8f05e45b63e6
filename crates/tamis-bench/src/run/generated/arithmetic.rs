//! Classes that calculate, by calling many small methods.

use std::fmt::Write as _;

use super::{Shape, literal};

const N_METHODS: usize = 10;

pub(super) fn part(number: usize) -> String {
    let mut text = format!("package tamis.bench;\n\npublic class Part{number} {{\n");
    for method in 0..N_METHODS {
        let literal = match method {
            0 => literal(number),
            method => (number * N_METHODS + method).to_string(),
        };
        let _infallible = write!(
            text,
            "    int step{method}(int value) {{\n        return value * 31 + (value >>> 7) ^ {literal};\n    }}\n\n"
        );
    }
    text.push_str(
        "    public int walk(int start, int times) {\n        int value = start;\n        \
         for (int i = 0; i < times; i++) {\n",
    );
    for method in 0..N_METHODS {
        let _infallible = writeln!(text, "            value = step{method}(value);");
    }
    text.push_str("        }\n        return value;\n    }\n}\n");
    text
}

pub(super) fn test(number: usize, shape: Shape) -> String {
    let mut text = format!(
        "package tamis.bench;\n\nimport static org.junit.Assert.assertEquals;\n\n\
         import org.junit.Test;\n\npublic class Part{number}Test {{\n"
    );
    for test in 0..shape.n_tests_of_class {
        let _infallible = write!(
            text,
            "    @Test\n    public void test{test}() {{\n        Part{number} part = new Part{number}();\n        \
             assertEquals(part.walk({test}, {half}), part.walk({test}, {half}));\n    }}\n\n",
            half = shape.repetitions / 2
        );
    }
    text.push_str("}\n");
    text
}
