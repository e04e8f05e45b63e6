// Runs a program's main method in a loader of its own, with its own holder, and tells what it printed and hit.
package tamis.testkit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

final class Running {
    /** Class path, one a line; main class; then name and bytes by turns. The answer: output, exception, hits, events. */
    static List<byte[]> run(List<byte[]> fields) throws Exception {
        List<byte[]> classes = new ArrayList<>(fields.subList(2, fields.size()));
        for (String own : new String[] {"tamis/H0", "tamis/T"}) {
            classes.add(Server.bytes(own));
            classes.add(resource(own + ".class"));
        }
        PrintStream before = System.out;
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        String thrown = "";
        try (Linker loader = Linker.open(fields.get(0), classes)) {
            loader.setDefaultAssertionStatus(true);
            System.setOut(new PrintStream(output, true, "UTF-8"));
            Thread.currentThread().setContextClassLoader(loader);
            try {
                Method main = loader.loadClass(Server.text(fields.get(1))).getMethod("main", String[].class);
                main.setAccessible(true);
                main.invoke(null, (Object) new String[0]);
            } catch (InvocationTargetException failure) {
                thrown = describe(failure.getCause());
            }
            System.out.flush();
            return Arrays.asList(
                    output.toByteArray(), Server.bytes(thrown), Server.bytes(hits(loader)), Server.bytes(events(loader)));
        } finally {
            System.setOut(before);
            Thread.currentThread().setContextClassLoader(Running.class.getClassLoader());
        }
    }

    /** The exception and its causes with their frames, as far as they are the program's own. */
    private static String describe(Throwable thrown) {
        StringBuilder text = new StringBuilder();
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            text.append(cause).append('\n');
            for (StackTraceElement frame : cause.getStackTrace()) {
                if (frame.getClassName().startsWith("tamis.testkit.")) {
                    break;
                }
                if (!frame.getClassName().matches("(java|jdk|sun)\\..*")) {
                    text.append("  ").append(frame.getMethodName()).append(':').append(frame.getLineNumber()).append('\n');
                }
            }
        }
        return text.toString();
    }

    private static String hits(Linker loader) throws ReflectiveOperationException {
        byte[] marks = (byte[]) loader.loadClass("tamis.H0").getField("C").get(null);
        StringBuilder text = new StringBuilder();
        for (int id = 0; id < marks.length; id++) {
            if (marks[id] != 0) {
                text.append(id).append('\n');
            }
        }
        return text.toString();
    }

    private static String events(Linker loader) throws ReflectiveOperationException {
        List<?> events = (List<?>) loader.loadClass("tamis.T").getMethod("events").invoke(null);
        StringBuilder text = new StringBuilder();
        for (Object event : events) {
            text.append(event).append('\n');
        }
        return text.toString();
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = Running.class.getClassLoader().getResourceAsStream(name)) {
            return Linker.readAll(in);
        }
    }
}
