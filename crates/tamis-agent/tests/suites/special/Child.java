// A program that a test starts.

import java.util.Arrays;

final class Child {
    public static void main(String[] arguments) {
        System.out.println("out " + Arrays.toString(arguments));
        System.err.println("err " + System.getenv("JAVA_TOOL_OPTIONS"));
        System.exit(5);
    }
}
