// Recursion: direct, mutual, and deep.
// compile: javac 4; javac 6; javac 7; javac 8; ecj 4; ecj 8
// hits: Main: main([Ljava/lang/String;)V fib(I)I ackermann(II)I isEven(I)Z isOdd(I)Z depth(I)I
// not: Main: <init>()V never(I)I
// complete
public class Main {
    static int fib(int n) {
        return n < 2 ? n : fib(n - 1) + fib(n - 2);
    }

    static int ackermann(int m, int n) {
        if (m == 0) {
            return n + 1;
        }
        return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
    }

    static boolean isEven(int n) {
        return n == 0 || isOdd(n - 1);
    }

    static boolean isOdd(int n) {
        return n != 0 && isEven(n - 1);
    }

    static int depth(int n) {
        return n == 0 ? 0 : 1 + depth(n - 1);
    }

    static int never(int n) {
        return never(n - 1);
    }

    public static void main(String[] arguments) {
        System.out.println(fib(15));
        System.out.println(ackermann(2, 3));
        System.out.println(isEven(100) + " " + isOdd(100));
        System.out.println(depth(500));
        if (fib(5) == 0) {
            System.out.println(never(1));
        }
    }
}
