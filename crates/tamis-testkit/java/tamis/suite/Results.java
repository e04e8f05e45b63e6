// Writes down how each test of a suite ended, in the order of the ends.
package tamis.suite;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.List;

/**
 * A line for each test: identifier, status, type of the failure, its message, with tabs between. Each
 * is written at once, so that a suite that calls {@code System.exit} leaves what came before.
 */
final class Results {
    private final PrintStream out;

    Results(String file) throws IOException {
        out = new PrintStream(file, "UTF-8");
    }

    /** The names of the classes to run, one a line. */
    static List<String> names(String file) throws IOException {
        return Files.readAllLines(Paths.get(file), StandardCharsets.UTF_8);
    }

    /** A test that ended, with what it threw, if anything. */
    synchronized void add(String identifier, String status, Throwable thrown) {
        String type = thrown == null ? "" : thrown.getClass().getName();
        String message = thrown == null ? "" : String.valueOf(thrown.getMessage());
        String line = escaped(identifier) + '\t' + status + '\t' + type + '\t' + escaped(message);
        out.print(line + '\n');
        out.flush();
    }

    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        for (char c : text.toCharArray()) {
            // Half a pair of surrogates has no form in UTF-8.
            if (c == '\\' || c < ' ' || Character.isSurrogate(c)) {
                escaped.append(String.format("\\u%04x", (int) c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }
}
