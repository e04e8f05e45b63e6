// What brackets, early returns and call-outs call, in place of the agent's; this one keeps a list.
package tamis;

import java.util.ArrayList;
import java.util.List;

public final class T {
    private static final List<String> EVENTS = new ArrayList<>();

    public static void begin(int id) {
        add("begin " + id);
    }

    public static void end(int id) {
        add("end " + id);
    }

    public static void call() {
        add("call");
    }

    public static void call(Object a) {
        add("call " + name(a));
    }

    public static void call(Object a, Object b) {
        add("call " + name(a) + " " + name(b));
    }

    /** Returns early from everything when the property {@code tamis.skip} is set. */
    public static boolean skip() {
        add("skip");
        return Boolean.getBoolean("tamis.skip");
    }

    public static boolean skip(Object a) {
        add("skip " + name(a));
        return Boolean.getBoolean("tamis.skip");
    }

    public static boolean skip(Object a, Object b) {
        add("skip " + name(a) + " " + name(b));
        return Boolean.getBoolean("tamis.skip");
    }

    public static synchronized List<String> events() {
        return new ArrayList<>(EVENTS);
    }

    private static String name(Object argument) {
        return argument == null ? "null" : argument.getClass().getName();
    }

    private static synchronized void add(String event) {
        EVENTS.add(event);
    }
}
