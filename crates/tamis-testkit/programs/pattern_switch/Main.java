// Pattern switches and record patterns, with guards, null, nesting and exhaustive enums.
// compile: javac 21; javac 25
// hits: Main: main([Ljava/lang/String;)V describe(Ljava/lang/Object;)Ljava/lang/String; sum(LMain$Tree;)I season(LMain$Season;)I
// hits: Main$Leaf: <init>(I)V value()I
// hits: Main$Node: <init>(LMain$Tree;LMain$Tree;)V left()LMain$Tree; right()LMain$Tree;
// hits: Main$Season: <clinit>()V <init>(Ljava/lang/String;I)V values()[LMain$Season;
// not: Main: <init>()V unused(Ljava/lang/Object;)I
// not: Main$Leaf: toString()Ljava/lang/String; hashCode()I equals(Ljava/lang/Object;)Z
// not: Main$Node: toString()Ljava/lang/String; hashCode()I equals(Ljava/lang/Object;)Z
// not: Main$Season: valueOf(Ljava/lang/String;)LMain$Season;
// complete
public class Main {
    sealed interface Tree permits Leaf, Node {}

    record Leaf(int value) implements Tree {}

    record Node(Tree left, Tree right) implements Tree {}

    enum Season { COLD, WARM, HOT }

    static String describe(Object o) {
        return switch (o) {
            case null -> "nothing";
            case Integer i when i > 100 -> "big " + i;
            case Integer i -> "int " + i;
            case String s when s.isEmpty() -> "empty";
            case String s -> {
                String t = s.toUpperCase();
                yield "text " + t;
            }
            case int[] a -> "array of " + a.length;
            case Season season -> "season " + season.ordinal();
            default -> "something";
        };
    }

    static int sum(Tree tree) {
        return switch (tree) {
            case Leaf(int value) -> value;
            case Node(Leaf(var a), Leaf(var b)) -> a + b;
            case Node(var left, var right) -> sum(left) + sum(right);
        };
    }

    static int season(Season s) {
        return switch (s) {
            case COLD, HOT -> 1;
            case WARM -> 2;
        };
    }

    static int unused(Object o) {
        return o instanceof Leaf(int v) ? v : 0;
    }

    public static void main(String[] arguments) {
        Object[] all = {null, 7, 700, "", "word", new int[3], Season.HOT, 1.5};
        for (Object o : all) {
            System.out.println(describe(o));
        }
        Tree two = new Node(new Leaf(1), new Leaf(2));
        System.out.println(sum(new Node(two, new Node(two, new Leaf(10)))));
        for (Season s : Season.values()) {
            System.out.println(s + " " + season(s));
        }
    }
}
