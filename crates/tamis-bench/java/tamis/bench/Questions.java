package tamis.bench;

import java.io.FileInputStream;
import java.nio.file.Files;
import java.nio.file.Paths;

/**
 * Asks one thing over and over and writes down the processor time of the later questions.
 *
 * <p>Arguments: file for the result in nanoseconds, what is asked, how often to warm up, how often to
 * measure, a file to open.
 */
public final class Questions {
    public static void main(String[] arguments) throws Exception {
        Question question = question(arguments[1], arguments[4]);
        ask(question, Integer.parseInt(arguments[2]));
        long start = Repeated.processorTime();
        ask(question, Integer.parseInt(arguments[3]));
        long time = Repeated.processorTime() - start;
        Files.write(Paths.get(arguments[0]), Long.toString(time).getBytes("US-ASCII"));
    }

    private static Question question(String name, String file) {
        switch (name) {
            case "file":
                return () -> new FileInputStream(file).close();
            case "missing-file":
                return () -> new java.io.File(file + ".none").exists();
            case "property":
                return () -> System.getProperty("tamis.bench.none");
            case "variable":
                return () -> System.getenv("TAMIS_BENCH_NONE");
            case "resource":
                return () -> Questions.class.getResource("/LICENSE-junit.txt").getPath();
            case "class":
                return () -> Class.forName("tamis.bench.Questions");
            case "members":
                return () -> Questions.class.getDeclaredMethods();
            default:
                throw new IllegalArgumentException(name);
        }
    }

    private static void ask(Question question, int count) throws Exception {
        for (int i = 0; i < count; i++) {
            question.ask();
        }
    }

    interface Question {
        void ask() throws Exception;
    }
}
