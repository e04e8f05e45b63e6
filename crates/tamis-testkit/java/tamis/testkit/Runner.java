// Runs a program in a plain JVM, and writes down which probes were hit and which calls were made.
package tamis.testkit;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * Arguments: main class, file for the hits. An exception out of the program goes on, after the file
 * is written.
 */
public final class Runner {
    public static void main(String[] arguments) throws Throwable {
        Method main = Class.forName(arguments[0]).getMethod("main", String[].class);
        main.setAccessible(true);
        try {
            main.invoke(null, (Object) new String[0]);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        } finally {
            System.out.flush();
            write(arguments[1]);
        }
    }

    private static void write(String file) throws IOException {
        try (PrintWriter out = new PrintWriter(file, "UTF-8")) {
            byte[] hits = tamis.H0.C;
            for (int id = 0; id < hits.length; id++) {
                if (hits[id] != 0) {
                    out.println("hit " + id);
                }
            }
            for (String event : tamis.T.events()) {
                out.println(event);
            }
        }
    }
}
