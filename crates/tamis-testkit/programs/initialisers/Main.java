// Static initialisers with everything in them: loops, switches, try blocks, monitors, long constants, returns.
// compile: javac 7; javac 8; javac 21; ecj 8
// rename: Main$Returns init()V <clinit>
// hits: Main: main([Ljava/lang/String;)V <clinit>()V
// hits: Main$Table: <clinit>()V
// hits: Main$Tried: <clinit>()V
// hits: Main$Returns: <clinit>()V
// hits: Main$Level: <clinit>()V <init>(Ljava/lang/String;II)V values()[LMain$Level;
// hits: Main$Mode: <clinit>()V <init>(Ljava/lang/String;I)V
// hits: Main$Mode$1: <init>(Ljava/lang/String;I)V sign()I
// not: Main: <init>()V
// not: Main$Table: <init>()V
// not: Main$Level: valueOf(Ljava/lang/String;)LMain$Level;
import java.util.HashMap;
import java.util.Map;

public class Main {
    static long wide = 1L << 33;
    static double half = .5;

    static class Table {
        static final int[] SQUARES = new int[10];
        static final Map<String, Integer> NAMES = new HashMap<String, Integer>();

        static {
            for (int i = 0; i < SQUARES.length; i++) {
                switch (i) {
                    case 0: SQUARES[i] = -1; break;
                    case 3: SQUARES[i] = 33; break;
                    case 4:
                    case 5: continue;
                    default: SQUARES[i] = i * i;
                }
                switch (i * 1000) {
                    case 1000: NAMES.put("one", i); break;
                    case 9000: NAMES.put("nine", i);
                }
            }
        }
    }

    static class Tried {
        static String text = "";

        static {
            Object lock = new Object();
            try {
                synchronized (lock) {
                    for (int i = 0; ; i++) {
                        try {
                            text += 10 / (2 - i) + ",";
                        } finally {
                            text += ";";
                        }
                    }
                }
            } catch (ArithmeticException e) {
                text += Thread.holdsLock(lock);
            }
        }
    }

    static class Returns {
        static int value;

        static void init() {
            for (int i = 0; i < 100; i++) {
                value += i;
                if (value > wide) {
                    return;
                }
                try {
                    if (i == 20) {
                        return;
                    }
                    if (i % 7 == 3) {
                        throw new RuntimeException();
                    }
                } catch (RuntimeException e) {
                    value += 1000;
                    if (i == 50) {
                        return;
                    }
                } finally {
                    value++;
                }
            }
        }
    }

    enum Level {
        LOW(1), HIGH(wideToInt(9));

        static final Level DEFAULT = values()[0];
        final int n;

        Level(int n) {
            this.n = n;
        }
    }

    enum Mode {
        PLUS {
            int sign() {
                return 1;
            }
        };

        abstract int sign();
    }

    static int wideToInt(int n) {
        return (int) (wide >> 31) * n;
    }

    public static void main(String[] arguments) {
        System.out.println(Table.SQUARES[3] + Table.SQUARES[4] + Table.SQUARES[9] + " " + Table.NAMES.get("one") + Table.NAMES.get("nine"));
        System.out.println(Tried.text);
        System.out.println(Returns.value);
        System.out.println(Level.HIGH.n + " " + Level.DEFAULT + " " + Mode.PLUS.sign() + " " + half);
    }
}
