import org.junit.Test;

/** Pairs of test classes of which the first does something that the second relies on. */
public class Sequence {
    public static class InitialisesFirst {
        @Test public void reads() {
            Config.size();
        }
    }

    public static class InitialisesSecond {
        @Test public void reads() {
            Config.size();
        }
    }

    /** Uses nothing of it. */
    public static class InitialisesNothing {
        @Test public void empty() {}
    }

    /** Names it as owner of a field only. */
    public static class NamesOnly {
        @Test public void reads() {
            if (Config.size < 0) {
                throw new AssertionError();
            }
        }
    }

    static class Parent {
        static int base = Deep.value();
    }

    static class Config extends Parent {
        static int size = compute();

        static int compute() {
            return Deep.value() + 1;
        }

        static int size() {
            return size;
        }
    }

    static class Deep {
        static int value = start();

        static int start() {
            return 1;
        }

        static int value() {
            return value;
        }
    }

    public static class ThrowsFirst {
        @Test public void fails() {
            Broken.touch();
        }
    }

    public static class ThrowsSecond {
        @Test public void fails() {
            try {
                Broken.touch();
            } catch (NoClassDefFoundError e) {
                return;
            }
            throw new AssertionError();
        }
    }

    static class Broken {
        static final int LENGTH = length();

        static int length() {
            return "x".substring(2).length();
        }

        static void touch() {}
    }

    public static class OtherThreadFirst {
        @Test public void initialises() throws InterruptedException {
            Thread thread = new Thread(Config::size);
            thread.start();
            thread.join();
        }
    }

    public static class Exits {
        @Test public void exits() {
            before();
            System.exit(7);
        }

        void before() {}
    }
}
