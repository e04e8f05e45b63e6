// Records and sealed types, with patterns of instanceof.
// compile: javac 17; javac 21
// hits: Main: main([Ljava/lang/String;)V area(LMain$Shape;)D
// hits: Main$Circle: <init>(D)V radius()D toString()Ljava/lang/String; hashCode()I equals(Ljava/lang/Object;)Z
// hits: Main$Rectangle: <init>(DD)V <init>(D)V width()D height()D
// hits: Main$Pair: <init>(Ljava/lang/Object;Ljava/lang/Object;)V toString()Ljava/lang/String; of(Ljava/lang/Object;)LMain$Pair; first()Ljava/lang/Object;
// not: Main: <init>()V
// not: Main$Rectangle: toString()Ljava/lang/String; hashCode()I equals(Ljava/lang/Object;)Z
// not: Main$Pair: hashCode()I equals(Ljava/lang/Object;)Z second()Ljava/lang/Object;
// complete
public class Main {
    sealed interface Shape permits Circle, Rectangle {}

    record Circle(double radius) implements Shape {}

    record Rectangle(double width, double height) implements Shape {
        Rectangle {
            if (width < 0 || height < 0) {
                throw new IllegalArgumentException("negative: " + Math.min(width, height));
            }
        }

        Rectangle(double side) {
            this(side, side);
        }
    }

    record Pair<A, B>(A first, B second) {
        static <T> Pair<T, T> of(T both) {
            return new Pair<>(both, both);
        }
    }

    static double area(Shape shape) {
        if (shape instanceof Circle c && c.radius() > 1) {
            return c.radius() * 3;
        }
        return shape instanceof Rectangle r ? r.width() * r.height() : 0;
    }

    public static void main(String[] arguments) {
        Circle circle = new Circle(2);
        System.out.println(circle + " " + circle.equals(new Circle(2)) + " " + (circle.hashCode() == new Circle(2).hashCode()));
        System.out.println(area(circle) + " " + area(new Circle(1)) + " " + area(new Rectangle(3)));
        System.out.println(Pair.of("x") + " " + Pair.of(1).first());
        try {
            new Rectangle(1, -1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
