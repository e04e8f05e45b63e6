// What a program can see of itself; all of it is printed.

import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;

final class Looks {
    static class Empty {}

    /** Its default serialVersionUID depends on all its members, the initialiser too. */
    static class Sample implements Serializable {
        static final List<String> NAMES = new ArrayList<>(Arrays.asList("a", "b"));
        private int count;

        synchronized int add(int more) {
            return count += more;
        }

        static Callable<Integer> later(int value) {
            return () -> value + 1;
        }
    }

    interface WithInitialiser {
        Object VALUE = new Object();

        default Object value() {
            return VALUE;
        }
    }

    enum Colour { RED, GREEN { @Override public String toString() { return "green"; } } }

    /** Tells who is on the stack while a class is initialised. */
    static class Initialised {
        static final StackTraceElement[] STACK = new Throwable().getStackTrace();
    }

    static class Broken {
        static final int VALUE = Integer.parseInt("none");
    }

    static void members() throws Exception {
        for (Class<?> type : new Class<?>[] {Looks.class, Empty.class, Sample.class,
                WithInitialiser.class, Colour.class, Colour.GREEN.getClass()}) {
            print(type);
        }
        System.out.println(ObjectStreamClass.lookup(Sample.class).getSerialVersionUID());
        System.out.println(Sample.NAMES + " " + new Sample().add(2) + Sample.later(3).call());
        System.out.println(Colour.GREEN + " " + (new WithInitialiser() {}).value().getClass());
    }

    /** Also of the framework's classes, which an agent may want to change. */
    static void membersOf(String... names) throws Exception {
        for (String name : names) {
            print(Class.forName(name));
        }
    }

    /** Sorted: a JVM gives them in no order that holds from run to run. */
    private static void print(Class<?> type) {
        List<String> members = new ArrayList<>();
        for (Object[] kind : new Object[][] {type.getDeclaredFields(), type.getDeclaredMethods(),
                type.getDeclaredConstructors(), type.getDeclaredClasses(), type.getAnnotations()}) {
            for (Object member : kind) {
                members.add(member.toString());
            }
        }
        Collections.sort(members);
        System.out.println(type + " " + type.getModifiers() + " " + members.size());
        for (String member : members) {
            System.out.println("  " + member);
        }
    }

    static void stacks() throws Exception {
        print("thrown", new Throwable().getStackTrace());
        print("thread", Thread.currentThread().getStackTrace());
        print("initialiser", Initialised.STACK);
        Callable<StackTraceElement[]> inLambda = () -> new Throwable().getStackTrace();
        print("lambda", inLambda.call());
        try {
            System.out.println(Broken.VALUE);
        } catch (LinkageError expected) {
            // Only the first time there is a cause on JDK 8.
            for (Throwable thrown = expected; thrown != null; thrown = thrown.getCause()) {
                print(thrown.toString(), thrown.getStackTrace());
            }
        }
        try {
            Object none = null;
            none.hashCode();
        } catch (NullPointerException expected) {
            print(expected.toString(), expected.getStackTrace());
        }
        if (!System.getProperty("java.version").startsWith("1.")) {
            Class.forName("Walks").getDeclaredMethod("walk").invoke(null);
        }
    }

    private static void print(String title, StackTraceElement[] stack) {
        System.out.println(title);
        for (StackTraceElement frame : stack) {
            System.out.println("  " + withoutAddresses(frame.toString()));
        }
    }

    /** Classes of lambdas have names that change from run to run. */
    static String withoutAddresses(String text) {
        return text.replaceAll("(\\$\\$Lambda)(\\$[0-9]+)?", "$1")
                .replaceAll("/(0x)?[0-9a-f]{6,}", "/*");
    }

    static void children() throws Exception {
        String java = System.getProperty("java.home") + File.separator + "bin/java";
        String path = new File(Looks.class.getResource("Looks.class").toURI()).getParent();
        child(java, "-cp", path, "Child", "a b");
        child("sh", "-c", "echo out; echo err >&2; ls /proc/self/fd | wc -l; exit 9");
        child("env");
    }

    private static void child(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        List<String> lines = new ArrayList<>();
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream()))) {
            for (String line; (line = reader.readLine()) != null; ) {
                lines.add(line);
            }
        }
        Collections.sort(lines);
        System.out.println(lines + " " + process.waitFor());
    }
}
