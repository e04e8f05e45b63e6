// Nested, inner, local and anonymous classes that reach into each other's private parts.
// compile: javac 4; javac 8; javac 11; javac 25; ecj 8
// hits: Main: main([Ljava/lang/String;)V <init>(I)V secret(I)I
// hits: Main$Inner: <init>(LMain;I)V sum()I
// hits: Main$Inner$Deep: <init>(LMain$Inner;)V total()I
// hits: Main$Nested: <init>()V
// not: Main: untouched()I
// not: Main$Nested: hidden()I
public class Main {
    private int base;
    private static int made;

    private Main(int base) {
        this.base = base;
    }

    private int secret(int n) {
        made += 1;
        return base + n;
    }

    private int untouched() {
        return 0;
    }

    class Inner {
        private int own;

        Inner(int own) {
            this.own = own;
        }

        int sum() {
            base += 10;
            return own + secret(1) + base;
        }

        class Deep {
            int total() {
                return own + base + made++;
            }
        }
    }

    static class Nested {
        private long wide = 5L;

        private int hidden() {
            return 1;
        }
    }

    interface Task {
        int run(int x);
    }

    public static void main(String[] arguments) {
        Main main = new Main(100);
        final Inner inner = main.new Inner(7);
        System.out.println(inner.sum());
        System.out.println(inner.new Deep().total());
        Nested nested = new Nested();
        nested.wide += 3;
        System.out.println(nested.wide++ + " " + nested.wide);
        final int captured = made;
        Task anonymous = new Task() {
            int calls = 2;

            public int run(int x) {
                return x * captured + calls++ + inner.own;
            }
        };
        class Local implements Task {
            public int run(int x) {
                return x - captured - inner.own;
            }
        }
        System.out.println(anonymous.run(5) + " " + anonymous.run(5) + " " + new Local().run(5));
    }
}
