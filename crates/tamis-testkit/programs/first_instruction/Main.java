// Methods whose first instruction is a branch target, starts a try block, or makes an object that a frame mentions.
// compile: javac 6; javac 8; javac 21; ecj 8
// hits: Main: main([Ljava/lang/String;)V loop(I)I spin()I tried(I)I made(I)Ljava/lang/Object; empty()V handler(I)I
// not: Main: <init>()V
public class Main {
    static int count;

    static int loop(int n) {
        do {
            n += 3;
        } while (n < 50);
        return n;
    }

    static int spin() {
        while (true) {
            if (++count > 5) {
                return count;
            }
        }
    }

    static int tried(int n) {
        try {
            return 100 / n;
        } catch (ArithmeticException e) {
            return -1;
        }
    }

    static Object made(int n) {
        return new StringBuilder(n > 0 ? "positive" : n < 0 ? "negative" : "zero").append(n == 1 ? new String(n > 0 ? "!" : "?") : "");
    }

    static int handler(int n) {
        try {
            while (true) {
                n = 10 / (n - 1);
            }
        } catch (ArithmeticException e) {
            return n;
        } finally {
            count++;
        }
    }

    static void empty() {}

    public static void main(String[] arguments) {
        System.out.println(loop(1) + " " + spin() + " " + tried(7) + " " + tried(0) + " " + handler(3));
        System.out.println(made(1) + " " + made(-1) + " " + made(0));
        empty();
    }
}
