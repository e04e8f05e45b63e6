// Generics with bridge methods, covariant returns, and variable arity.
// compile: javac 5; javac 8; javac 17; ecj 8
// hits: Main: main([Ljava/lang/String;)V sum([I)I join(Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/String; largest(Ljava/util/List;)Ljava/lang/Comparable;
// hits: Main$Box: <init>(Ljava/lang/Object;)V get()Ljava/lang/Object; map(Ljava/lang/Object;)Ljava/lang/Object;
// hits: Main$IntBox: <init>(I)V get()Ljava/lang/Integer; get()Ljava/lang/Object; compareTo(LMain$IntBox;)I compareTo(Ljava/lang/Object;)I
// hits: Main$IntBox: map(Ljava/lang/Integer;)Ljava/lang/Integer; map(Ljava/lang/Object;)Ljava/lang/Object;
// not: Main: <init>()V none([Ljava/lang/String;)V
// complete
import java.util.Arrays;
import java.util.List;

public class Main {
    static class Box<T> {
        private final T content;

        Box(T content) {
            this.content = content;
        }

        T get() {
            return content;
        }

        T map(T t) {
            return t;
        }
    }

    static class IntBox extends Box<Integer> implements Comparable<IntBox> {
        IntBox(int n) {
            super(n);
        }

        Integer get() {
            return super.get() + 1;
        }

        Integer map(Integer t) {
            return t * 2;
        }

        public int compareTo(IntBox other) {
            return get() - other.get();
        }
    }

    static int sum(int... numbers) {
        int sum = 0;
        for (int n : numbers) {
            sum += n;
        }
        return sum;
    }

    static String join(String separator, Object... parts) {
        StringBuilder text = new StringBuilder();
        for (Object part : parts) {
            text.append(part).append(separator);
        }
        return text.toString();
    }

    static void none(String... parts) {
        throw new Error();
    }

    static <T extends Comparable<T>> T largest(List<T> list) {
        T best = null;
        for (T t : list) {
            if (best == null || t.compareTo(best) > 0) {
                best = t;
            }
        }
        return best;
    }

    public static void main(String[] arguments) {
        System.out.println(sum() + " " + sum(1) + " " + sum(1, 2, 3));
        System.out.println(join("-", 1, "two", 3.0, 'c', null));
        Box<Integer> box = new IntBox(4);
        System.out.println(box.get() + " " + box.map(21) + " " + new Box<String>("s").get() + new Box<String>("s").map("t"));
        System.out.println(largest(Arrays.asList(new IntBox(3), new IntBox(9), new IntBox(5))).get());
    }
}
