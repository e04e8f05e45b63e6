//! Classes that open files, read a resource of the class path, list a directory, look for what is not there, and look at
//! properties: all that Tamis watches beside code.

use std::fmt::Write as _;

use super::{File, RESOURCES, Shape, literal};

const N_FILES: usize = 5;

/// Of each file: about four kilobytes.
const N_LINES: usize = 100;

/// Where files lie that are read by their paths.
const DATA: &str = "src/test/data";

/// The resource of a class, and its files.
pub(super) fn data(number: usize) -> Vec<File> {
    let resource = format!("number={}\nname=part{number}\n", literal(number));
    let mut files = vec![(format!("{RESOURCES}/part{number}.properties"), resource)];
    for file in 0..N_FILES {
        let mut text = String::new();
        for line in 0..N_LINES {
            let _infallible = writeln!(text, "part {number}, file {file}, line {line}, and so on");
        }
        files.push((format!("{DATA}/part{number}/{file}.txt"), text));
    }
    files
}

pub(super) fn part(number: usize) -> String {
    let literal = literal(number);
    format!(
        r#"package tamis.bench;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Properties;

public class Part{number} {{
    private static final String PLACE = "{DATA}/part{number}";

    int fromResource() throws IOException {{
        Properties properties = new Properties();
        try (InputStream in = Part{number}.class.getResourceAsStream("/tamis/bench/part{number}.properties")) {{
            properties.load(in);
        }}
        return mixed(Integer.parseInt(properties.getProperty("number")));
    }}

    int fromPath(int file) throws IOException {{
        return Files.readAllBytes(Paths.get(PLACE, file + ".txt")).length;
    }}

    int fromStream(int file) throws IOException {{
        byte[] bytes = new byte[1 << 13];
        int size = 0;
        try (InputStream in = new FileInputStream(PLACE + "/" + file + ".txt")) {{
            for (int read = in.read(bytes); read > 0; read = in.read(bytes)) {{
                size += read;
            }}
        }}
        return size;
    }}

    int inVain(int file) {{
        return new File(PLACE, file + ".absent").exists() ? 1 : 0;
    }}

    int listed() {{
        return new File(PLACE).list().length;
    }}

    int fromProperty(int file) {{
        return Integer.getInteger("tamis.bench.part{number}." + file, file);
    }}

    int mixed(int value) {{
        return value ^ {literal};
    }}

    public int read(int times) throws IOException {{
        int value = 0;
        for (int i = 0; i < times; i++) {{
            value += fromResource() + listed();
            for (int file = 0; file < {N_FILES}; file++) {{
                value = mixed(value) + fromPath(file) + fromStream(file) + inVain(file) + fromProperty(file);
            }}
        }}
        return value;
    }}
}}
"#
    )
}

pub(super) fn test(number: usize, shape: Shape) -> String {
    let mut text = format!(
        "package tamis.bench;\n\nimport static org.junit.Assert.assertEquals;\n\n\
         import org.junit.Test;\n\npublic class Part{number}Test {{\n"
    );
    for test in 0..shape.n_tests_of_class {
        let _infallible = write!(
            text,
            "    @Test\n    public void test{test}() throws Exception {{\n        Part{number} part = new Part{number}();\n        \
             assertEquals(part.read({half}), part.read({half}));\n    }}\n\n",
            half = shape.repetitions / 2
        );
    }
    text.push_str("}\n");
    text
}
