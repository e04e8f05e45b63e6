// The same target from two newer JDKs, with concatenation by `invokedynamic` (SPEC 2.1).
//- rev 1
//- javac 17 -g --release 17
//- A.java
import java.util.*;
class A {
    static final int LIMIT = 3;
    private final List<String> names = new ArrayList<>();
    int f(int x) {
        int n = 0;
        for (String name : names) {
            try {
                n += Integer.parseInt(name);
            } catch (NumberFormatException e) {
                n -= LIMIT;
            } finally {
                n++;
            }
        }
        switch (x) {
            case 1: return n;
            case 2: return -n;
            default: return n > x ? n : x;
        }
    }
    static long g(double d) { return (long) (d * 1.5); }
    Runnable h() { return () -> names.clear(); }
    String k(int x) { return "k" + x + names; }
}
//- rev 2
//- javac 25 -g --release 17
//= A: plain
