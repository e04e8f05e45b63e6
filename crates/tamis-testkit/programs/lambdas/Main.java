// Lambdas and method references: capturing, nested, serializable, of constructors and of super methods.
// compile: javac 8; javac 11; javac 25; ecj 8
// hits: Main: main([Ljava/lang/String;)V <init>()V name()Ljava/lang/String; twice(Ljava/util/function/IntUnaryOperator;)Ljava/util/function/IntUnaryOperator;
// hits: Main$Sub: <init>()V name()Ljava/lang/String; viaSuper()Ljava/util/function/Supplier;
// not: Main: unused()Ljava/lang/Runnable;
// complete
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.Collectors;

public class Main {
    String name() {
        return "main";
    }

    static class Sub extends Main {
        String name() {
            return "sub";
        }

        Supplier<String> viaSuper() {
            return super::name;
        }
    }

    static IntUnaryOperator twice(IntUnaryOperator f) {
        return x -> f.applyAsInt(f.applyAsInt(x));
    }

    static Runnable unused() {
        return () -> System.out.println("never");
    }

    public static void main(String[] arguments) {
        int offset = 3;
        long wide = 1L << 40;
        System.out.println(twice(twice(x -> x * 2 + offset)).applyAsInt(1));
        Function<Integer, Function<Integer, Long>> curried = a -> b -> a * b + wide;
        System.out.println(curried.apply(6).apply(7));
        Sub sub = new Sub();
        Supplier<String> bound = sub::name;
        Function<Main, String> unbound = Main::name;
        Supplier<List<String>> constructor = ArrayList::new;
        BiFunction<String, Integer, Character> charAt = String::charAt;
        System.out.println(bound.get() + unbound.apply(sub) + sub.viaSuper().get() + constructor.get() + charAt.apply("abc", 1));
        Supplier<Integer> both = (Supplier<Integer> & Serializable) () -> offset + 1;
        System.out.println(both.get());
        System.out.println(Arrays.asList("b", "a", "c").stream().sorted().map(s -> s + s.length()).collect(Collectors.joining(",")));
        int[][] grid = Arrays.asList(1, 2).stream().map(int[]::new).toArray(int[][]::new);
        System.out.println(grid.length + " " + grid[1].length);
    }
}
