package tamis.check;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a generated test says of itself: a log of the values it saw, and the state of its objects.
 *
 * <p>The log is compared as the test ends. The state is looked at by reflection when the JVM ends, each test by a thread
 * of its own, and written to the file that the property {@code tamis.check.state} names. So nothing is shared among
 * tests while they run, and nothing is looked at by reflection: a tool that watches the tests sees what it would see
 * without the oracle.
 */
public final class Oracle {
    private final String test;
    private final String expected;
    private final StringBuilder log = new StringBuilder();

    /** A test by its whole name; without an expected log it only records. */
    public Oracle(String test, String expected) {
        this.test = test;
        this.expected = expected;
    }

    public void value(boolean value) {
        log.append(value).append(';');
    }

    public void value(char value) {
        log.append((int) value).append(';');
    }

    public void value(int value) {
        log.append(value).append(';');
    }

    public void value(long value) {
        log.append(value).append(';');
    }

    public void value(float value) {
        log.append(value).append(';');
    }

    public void value(double value) {
        log.append(value).append(';');
    }

    public void value(Object value) {
        log.append(value == null ? "null;" : "object;");
    }

    public void threw(Throwable thrown) {
        log.append(thrown.getClass().getName()).append(';');
    }

    /** Keeps the objects until the JVM ends, and fails if the log is not the expected one. */
    public void end(Object... objects) {
        String said = log.toString();
        try {
            Runtime.getRuntime().addShutdownHook(new Ending(test, said, objects));
        } catch (IllegalStateException ending) {
            // The JVM ends already: the test is taken for one that left no state.
        }
        if (expected != null && !expected.equals(said)) {
            throw new AssertionError("expected " + expected + " but was " + said);
        }
    }

    /** Looks at the objects of a test when the JVM ends. */
    private static final class Ending extends Thread {
        private final String test;
        private final String log;
        private final Object[] roots;
        private final String packageName;
        private final Map<Object, Integer> numbers = new IdentityHashMap<>();
        private final List<Object> found = new ArrayList<>();

        Ending(String test, String log, Object[] roots) {
            this.test = test;
            this.log = log;
            this.roots = roots;
            this.packageName = test.substring(0, test.indexOf('.') + 1);
        }

        @Override
        public void run() {
            File file = new File(System.getProperty("tamis.check.state", "tamis.check.state"));
            // A step in which the whole JVM is to fail after its tests have passed.
            if (new File(file.getPath() + ".halt").exists()) {
                Runtime.getRuntime().halt(3);
            }
            String line = test + '\t' + log + '\t' + state() + '\n';
            // One write to a file that is opened to append: lines of several threads never mix.
            try (FileOutputStream out = new FileOutputStream(file, true)) {
                out.write(line.getBytes(StandardCharsets.UTF_8));
            } catch (IOException full) {
                // A state that is missing is noticed by whoever reads the file.
            }
        }

        private String state() {
            StringBuilder text = new StringBuilder();
            for (Object root : roots) {
                text.append(reference(root)).append(' ');
            }
            // The list grows as references are found.
            for (int next = 0; next < found.size(); next++) {
                describe(next, found.get(next), text);
            }
            return text.toString();
        }

        private void describe(int number, Object object, StringBuilder text) {
            text.append("| #").append(number).append(' ').append(name(object.getClass()));
            if (object.getClass().isArray()) {
                for (int at = 0; at < Array.getLength(object); at++) {
                    boolean isPrimitive = object.getClass().getComponentType().isPrimitive();
                    Object element = Array.get(object, at);
                    text.append(' ').append(isPrimitive ? element : reference(element));
                }
                return;
            }
            Class<?> type = object.getClass();
            for (; type != null && isOfProgram(type); type = type.getSuperclass()) {
                text.append(" : ").append(name(type));
                for (Class<?> implemented : type.getInterfaces()) {
                    text.append('+').append(name(implemented));
                }
                fields(type, object, text);
            }
            text.append(" : ").append(type == null ? "" : type.getName());
        }

        private void fields(Class<?> type, Object object, StringBuilder text) {
            Field[] fields = type.getDeclaredFields();
            Arrays.sort(fields, Comparator.comparing(Field::getName));
            for (Field field : fields) {
                if (Modifier.isStatic(field.getModifiers()) || field.isSynthetic()) {
                    continue;
                }
                text.append(' ').append(field.getName()).append('=');
                try {
                    field.setAccessible(true);
                    Object value = field.get(object);
                    text.append(field.getType().isPrimitive() ? value : reference(value));
                } catch (ReflectiveOperationException | RuntimeException closed) {
                    text.append('?');
                }
            }
        }

        /** Objects of the program by their number, in the order in which they are found. */
        private String reference(Object object) {
            if (object == null) {
                return "null";
            }
            if (object instanceof String) {
                return "text:" + ((String) object).replaceAll("\\s", "_");
            }
            if (!isOfProgram(object.getClass())) {
                return object.getClass().isArray() && isPlain(object.getClass()) ? numbered(object) : "object";
            }
            return object.getClass().isSynthetic() ? "lambda" : numbered(object);
        }

        private String numbered(Object object) {
            Integer number = numbers.get(object);
            if (number == null) {
                number = found.size();
                numbers.put(object, number);
                found.add(object);
            }
            return "#" + number;
        }

        private boolean isPlain(Class<?> array) {
            Class<?> component = array.getComponentType();
            return component.isPrimitive() || isOfProgram(component);
        }

        private boolean isOfProgram(Class<?> type) {
            return type.getName().startsWith(packageName);
        }

        /** Classes without a name of their own have numbers that mean nothing. */
        private static String name(Class<?> type) {
            return type.isSynthetic() ? "lambda" : type.getName();
        }
    }
}
