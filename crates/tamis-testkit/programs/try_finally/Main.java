// Try, catch and finally: nested, in loops, returning, throwing out of a finally block; subroutines where a compiler makes them.
// compile: javac 4; javac 4 jsr; javac 6; javac 8; ecj 4; ecj 8
// hits: Main: main([Ljava/lang/String;)V <clinit>()V say(Ljava/lang/String;)V nested(I)I loop(I)Ljava/lang/String; returning()I
// hits: Main: overriding(I)I fail(I)V rethrow(I)V
// not: Main: <init>()V notReached()I
// complete
public class Main {
    static StringBuffer log = new StringBuffer();

    static void say(String what) {
        log.append(what).append(' ');
    }

    static void fail(int n) {
        if (n % 3 == 1) {
            throw new IllegalStateException("state " + n);
        }
        if (n % 3 == 2) {
            throw new IllegalArgumentException("argument " + n);
        }
    }

    static int nested(int n) {
        try {
            say("outer");
            try {
                fail(n);
                say("inner");
                return n;
            } catch (IllegalStateException e) {
                say(e.getMessage());
                try {
                    fail(n + 1);
                } finally {
                    say("in catch");
                }
            } finally {
                say("finally 1");
            }
        } catch (IllegalArgumentException e) {
            say("caught " + e.getMessage());
            return -n;
        } finally {
            say("finally 2");
        }
        return 0;
    }

    static String loop(int n) {
        String result = "";
        for (int i = 0; i < n; i++) {
            try {
                if (i == 2) {
                    continue;
                }
                if (i == 5) {
                    break;
                }
                fail(i);
                result = result + "+";
            } catch (RuntimeException e) {
                result = result + "-";
            } finally {
                result = result + i;
            }
        }
        return result;
    }

    static int returning() {
        int x = 1;
        try {
            return x;
        } finally {
            x = 2;
            say("x is " + x);
        }
    }

    static int overriding(int n) {
        while (true) {
            try {
                try {
                    fail(n);
                    return 1;
                } finally {
                    if (n == 1) {
                        break;
                    }
                    if (n == 2) {
                        return 2;
                    }
                }
            } finally {
                say("last " + n);
            }
        }
        return 3;
    }

    static void rethrow(int n) {
        try {
            fail(n);
        } catch (IllegalStateException e) {
            throw new IllegalArgumentException("from " + e.getMessage());
        }
    }

    static int notReached() {
        try {
            return 1;
        } finally {
            say("never");
        }
    }

    public static void main(String[] arguments) {
        for (int i = 0; i < 3; i++) {
            System.out.println(nested(i) + " " + overriding(i));
        }
        System.out.println(loop(9));
        System.out.println(returning());
        try {
            rethrow(1);
            notReached();
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(log);
    }
}
