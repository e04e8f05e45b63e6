// Static initialisers that throw, that need each other, and that run again never.
// compile: javac 8; javac 17; ecj 8
// hits: Main: main([Ljava/lang/String;)V attempt(I)V
// hits: Main$Throws: <clinit>()V fail()I
// hits: Main$Checked: <clinit>()V
// hits: Main$Ping: <clinit>()V
// hits: Main$Pong: <clinit>()V
// hits: Main$Parent: <clinit>()V
// hits: Main$Child: <clinit>()V
// not: Main: <init>()V
// not: Main$Throws: <init>()V
// not: Main$Child: unused()I
// not: Main$Orphan: <clinit>()V
public class Main {
    static class Throws {
        static int value = fail();

        static int fail() {
            throw new IllegalStateException("cannot start");
        }
    }

    static class Checked {
        static int value = 1;

        static {
            try {
                if (value == 1) {
                    throw new Exception("caught inside");
                }
            } catch (Exception e) {
                System.out.println(e.getMessage());
            } finally {
                value = 2;
            }
            Object nothing = value == 2 ? null : "";
            nothing.toString();
        }
    }

    static class Ping {
        static int value = Pong.value + 1;
    }

    static class Pong {
        static int value = Ping.value + 10;
    }

    static class Parent {
        static int value = 5;

        static {
            System.out.println("parent");
        }
    }

    static class Child extends Parent {
        static int own;

        static {
            System.out.println("child");
            for (int i = 0; i < 4; i++) {
                own += value;
            }
        }

        static int unused() {
            return 0;
        }
    }

    static class Orphan extends Throws {
        static int never = 3;

        static {
            System.out.println("never");
        }
    }

    static void attempt(int n) {
        try {
            System.out.println(n == 0 ? Throws.value : n == 1 ? Checked.value : Orphan.never);
        } catch (ExceptionInInitializerError e) {
            StackTraceElement top = e.getCause().getStackTrace()[0];
            System.out.println("error: " + e.getCause().getClass().getName() + " at line " + top.getLineNumber());
        } catch (NoClassDefFoundError e) {
            System.out.println("not again");
        }
    }

    public static void main(String[] arguments) {
        for (int i = 0; i < 3; i++) {
            attempt(i);
            attempt(i);
        }
        System.out.println(Ping.value + " " + Pong.value);
        System.out.println(Child.value);
        System.out.println(Child.own);
    }
}
