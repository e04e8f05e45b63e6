// Runs a program in a loader of its own, with its own holder, and tells what it printed and hit.
package tamis.testkit;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

final class Running {
    /**
     * Loaders of libraries by their class path: a library need not be loaded and verified again for
     * each program.
     */
    private static final Map<String, Linker> LIBRARIES = new HashMap<>();

    /**
     * One for all programs, because a library may keep the standard output that it found when it
     * was loaded.
     */
    private static final ByteArrayOutputStream OUTPUT = new ByteArrayOutputStream();
    private static final PrintStream STANDARD_OUTPUT = new PrintStream(OUTPUT, true);

    /**
     * Class path, one a line; main class; name and bytes by turns. The answer: output, exception,
     * hits, events.
     */
    static List<byte[]> run(List<byte[]> fields) throws Exception {
        List<byte[]> classes = new ArrayList<>(fields.subList(2, fields.size()));
        for (String own : new String[] {"tamis/H0", "tamis/T"}) {
            classes.add(Server.bytes(own));
            classes.add(resource(own + ".class"));
        }
        PrintStream before = System.out;
        OUTPUT.reset();
        String thrown = "";
        try (Linker loader = Linker.open(libraries(fields.get(0)), new byte[0], classes)) {
            loader.setDefaultAssertionStatus(true);
            System.setOut(STANDARD_OUTPUT);
            Thread.currentThread().setContextClassLoader(loader);
            try {
                Class<?> mainClass = loader.loadClass(Server.text(fields.get(1)));
                Method main = mainClass.getMethod("main", String[].class);
                main.setAccessible(true);
                main.invoke(null, (Object) new String[0]);
            } catch (InvocationTargetException failure) {
                thrown = describe(failure.getCause());
            }
            System.out.flush();
            byte[] hits = Server.bytes(hits(loader));
            byte[] events = Server.bytes(events(loader));
            return Arrays.asList(OUTPUT.toByteArray(), Server.bytes(thrown), hits, events);
        } finally {
            System.setOut(before);
            Thread.currentThread().setContextClassLoader(Running.class.getClassLoader());
        }
    }

    private static Linker libraries(byte[] path) throws IOException {
        Linker known = LIBRARIES.get(Server.text(path));
        if (known == null) {
            known = Linker.open(Running.class.getClassLoader(), path, new ArrayList<>());
            LIBRARIES.put(Server.text(path), known);
        }
        return known;
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
                    text.append("  " + frame.getMethodName() + ":" + frame.getLineNumber() + "\n");
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
