// The JDK's own javac, kept warm: sources in memory to classes in memory.
package tamis.testkit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

final class Compiler {
    /**
     * Options, one a line; then file name and text by turns. The answer has class name and bytes by
     * turns, sorted.
     */
    static List<byte[]> compile(List<byte[]> fields) throws IOException {
        List<String> options = new ArrayList<>();
        for (String option : Server.text(fields.get(0)).split("\n")) {
            if (!option.isEmpty()) {
                options.add(option);
            }
        }
        List<JavaFileObject> sources = new ArrayList<>();
        for (int i = 1; i < fields.size(); i += 2) {
            sources.add(new Source(Server.text(fields.get(i)), Server.text(fields.get(i + 1))));
        }
        Map<String, ByteArrayOutputStream> classes = new TreeMap<>();
        run(options, sources, classes);
        List<byte[]> answer = new ArrayList<>();
        for (Map.Entry<String, ByteArrayOutputStream> entry : classes.entrySet()) {
            answer.add(Server.bytes(entry.getKey()));
            answer.add(entry.getValue().toByteArray());
        }
        return answer;
    }

    private static void run(
            List<String> options,
            List<JavaFileObject> sources,
            Map<String, ByteArrayOutputStream> classes)
            throws IOException {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> diagnostics = new DiagnosticCollector<>();
        JavaFileManager standard =
                javac.getStandardFileManager(diagnostics, Locale.ROOT, StandardCharsets.UTF_8);
        try (JavaFileManager files = new InMemory(standard, classes)) {
            if (!javac.getTask(null, files, diagnostics, options, null, sources).call()) {
                throw new IllegalArgumentException(
                        "javac " + options + " refuses:" + errors(diagnostics));
            }
        }
    }

    private static String errors(DiagnosticCollector<JavaFileObject> diagnostics) {
        StringBuilder text = new StringBuilder();
        for (Diagnostic<? extends JavaFileObject> diagnostic : diagnostics.getDiagnostics()) {
            if (diagnostic.getKind() == Diagnostic.Kind.ERROR) {
                text.append('\n').append(diagnostic);
            }
        }
        return text.toString();
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String name, String text) {
            super(URI.create("string:///" + name), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class InMemory extends ForwardingJavaFileManager<JavaFileManager> {
        private final Map<String, ByteArrayOutputStream> classes;

        InMemory(JavaFileManager standard, Map<String, ByteArrayOutputStream> classes) {
            super(standard);
            this.classes = classes;
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            URI uri = URI.create("memory:///" + className.replace('.', '/') + kind.extension);
            return new SimpleJavaFileObject(uri, kind) {
                @Override
                public OutputStream openOutputStream() {
                    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                    classes.put(className.replace('.', '/'), bytes);
                    return bytes;
                }
            };
        }
    }
}
