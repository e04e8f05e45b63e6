// String concatenation of every type, and assertions that hold, fail, and are in an interface's lambda.
// compile: javac 8; javac 9; javac 25; ecj 8
// hits: Main: main([Ljava/lang/String;)V <clinit>()V all(IJFDCZBSLjava/lang/Object;)Ljava/lang/String; check(I)V
// not: Main: <init>()V silent(I)V
public class Main {
    static String all(int i, long j, float f, double d, char c, boolean z, byte b, short s, Object o) {
        String text = "i" + i + "j" + j + 'f' + f + "d" + d + c + z + b + s + o + null + 1 + 2L;
        text += text.length();
        return text + "\u0001\u0002" + i;
    }

    static void check(int n) {
        assert n > 0;
        assert n < 10 : "too big: " + n;
    }

    static void silent(int n) {
        assert n == 0;
    }

    public static void main(String[] arguments) {
        System.out.println(all(1, 2, 3.5f, 4.25, 'x', true, (byte) -1, (short) 300, "o"));
        for (int n : new int[] {0, 5, 10}) {
            try {
                check(n);
                System.out.println("fine");
            } catch (AssertionError e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
