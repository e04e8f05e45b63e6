package tamis.check;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.JavaFileObject.Kind;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * javac in a JVM that stays: orders come on standard input, answers go to standard output.
 *
 * <p>An order is the number of options and the options, the number of sources and of each its path and text. An answer
 * is the number of errors and of each the path of its source (or nothing), the line and the message; then the number of
 * classes and of each the path of its source, its name and its bytes. Numbers have 32 bits, big-endian; texts are UTF-8
 * behind their length.
 */
public final class Compiler {
    private static final int MAX_LENGTH = 1 << 26;
    private static final int MAX_COUNT = 1 << 20;

    private Compiler() {}

    public static void main(String[] arguments) throws IOException {
        DataInputStream in = new DataInputStream(new java.io.BufferedInputStream(System.in));
        DataOutputStream out = new DataOutputStream(new java.io.BufferedOutputStream(System.out));
        // Whatever javac prints must not get between the answers.
        System.setOut(System.err);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
        while (true) {
            int nOptions;
            try {
                nOptions = count(in.readInt());
            } catch (EOFException end) {
                return;
            }
            List<String> options = new ArrayList<>();
            for (int i = 0; i < nOptions; i++) {
                options.add(text(in));
            }
            int nSources = count(in.readInt());
            List<Source> sources = new ArrayList<>();
            for (int i = 0; i < nSources; i++) {
                sources.add(new Source(text(in), text(in)));
            }
            compile(compiler, files, options, sources, out);
            out.flush();
        }
    }

    private static void compile(
            JavaCompiler compiler,
            StandardJavaFileManager files,
            List<String> options,
            List<Source> sources,
            DataOutputStream out)
            throws IOException {
        DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
        StringWriter more = new StringWriter();
        Memory memory = new Memory(files);
        boolean isDone;
        try {
            isDone = compiler.getTask(more, memory, said, options, null, sources).call();
        } catch (RuntimeException bug) {
            isDone = false;
            more.append(bug.toString());
        }
        List<Diagnostic<? extends JavaFileObject>> errors = new ArrayList<>();
        for (Diagnostic<? extends JavaFileObject> one : said.getDiagnostics()) {
            if (one.getKind() == Diagnostic.Kind.ERROR) {
                errors.add(one);
            }
        }
        boolean isUnexplained = !isDone && errors.isEmpty();
        out.writeInt(errors.size() + (isUnexplained ? 1 : 0));
        if (isUnexplained) {
            write(out, "");
            out.writeInt(0);
            write(out, "javac failed: " + more);
        }
        for (Diagnostic<? extends JavaFileObject> error : errors) {
            write(out, path(error.getSource()));
            out.writeInt((int) Math.max(0, error.getLineNumber()));
            write(out, error.getMessage(null));
        }
        out.writeInt(memory.classes.size());
        for (Compiled compiled : memory.classes) {
            write(out, compiled.source);
            write(out, compiled.name);
            write(out, compiled.bytes.toByteArray());
        }
    }

    private static String path(FileObject file) {
        return file instanceof Source ? ((Source) file).path : "";
    }

    private static String text(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > MAX_LENGTH) {
            throw new IOException("a text of " + length + " bytes");
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static int count(int count) throws IOException {
        if (count < 0 || count > MAX_COUNT) {
            throw new IOException(count + " parts");
        }
        return count;
    }

    private static void write(DataOutputStream out, String text) throws IOException {
        write(out, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void write(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /** A source file that was never on a disk. */
    private static final class Source extends SimpleJavaFileObject {
        private final String path;
        private final String text;

        Source(String path, String text) {
            super(URI.create("memory:///" + path), Kind.SOURCE);
            this.path = path;
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /** A class file that is never on a disk. */
    private static final class Compiled extends SimpleJavaFileObject {
        private final String source;
        private final String name;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Compiled(String source, String name) {
            super(URI.create("memory:///" + name.replace('.', '/') + ".class"), Kind.CLASS);
            this.source = source;
            this.name = name;
        }

        @Override
        public OutputStream openOutputStream() {
            return bytes;
        }
    }

    /** Keeps what javac writes. */
    private static final class Memory extends ForwardingJavaFileManager<JavaFileManager> {
        private final List<Compiled> classes = new ArrayList<>();

        Memory(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(Location location, String name, Kind kind, FileObject sibling) {
            Compiled compiled = new Compiled(path(sibling), name);
            classes.add(compiled);
            return compiled;
        }

        @Override
        public void close() {
            // The files below are used by the next order as well.
        }
    }
}
