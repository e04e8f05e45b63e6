package tamis.bench;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Paths;

/**
 * Runs the same tests over and over and writes down the processor time of the later runs, when
 * everything is loaded and compiled.
 *
 * <p>Arguments: file for the result in nanoseconds, how many fillers to load, how many runs to warm up,
 * how many to measure, how many test classes there are.
 */
abstract class Repeated {
    static void repeat(String[] arguments, Tests tests) throws Exception {
        Loading.load(Integer.parseInt(arguments[1]));
        Class<?>[] classes = new Class<?>[Integer.parseInt(arguments[4])];
        for (int i = 0; i < classes.length; i++) {
            classes[i] = Class.forName("tests.E" + i + "Test");
        }
        run(tests, classes, Integer.parseInt(arguments[2]));
        long start = processorTime();
        run(tests, classes, Integer.parseInt(arguments[3]));
        long time = processorTime() - start;
        Files.write(Paths.get(arguments[0]), Long.toString(time).getBytes("US-ASCII"));
    }

    private static void run(Tests tests, Class<?>[] classes, int count) {
        for (int i = 0; i < count; i++) {
            tests.run(classes);
        }
    }

    static long processorTime() {
        return ((com.sun.management.OperatingSystemMXBean)
                ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    interface Tests {
        void run(Class<?>[] classes);
    }
}
