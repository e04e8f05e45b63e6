// Interfaces with code: static, default and private methods, and initialisers that run only when they must.
// compile: javac 9; javac 21
// hits: Main: main([Ljava/lang/String;)V say(Ljava/lang/String;)I
// hits: Shape: name()Ljava/lang/String; of(I)LShape; secret()Ljava/lang/String; shared()Ljava/lang/String; <clinit>()V
// hits: Square: <init>(I)V area()I
// hits: Circle: <init>()V area()I name()Ljava/lang/String;
// hits: Lazy: <clinit>()V
// hits: WithDefault: <clinit>()V hello()Ljava/lang/String;
// hits: Implementor: <init>()V
// not: Main: <init>()V
// not: Sleeping: <clinit>()V
// not: Implementor: never()V
// complete
public class Main {
    static int say(String what) {
        System.out.println("initialises " + what);
        return what.length();
    }

    public static void main(String[] arguments) {
        System.out.println(Shape.of(3).name() + " " + Shape.of(3).area());
        System.out.println(Shape.of(0).name() + " " + Shape.of(0).area());
        System.out.println(Lazy.CONSTANT);
        System.out.println(Lazy.COMPUTED);
        System.out.println(new Implementor().hello());
    }
}

interface Shape {
    int COUNT = Main.say("Shape");

    int area();

    default String name() {
        return secret() + shared();
    }

    private String secret() {
        return "shape of " + area();
    }

    private static String shared() {
        return " in " + COUNT;
    }

    static Shape of(int n) {
        return n == 0 ? new Circle() : new Square(n);
    }
}

class Square implements Shape {
    private final int side;

    Square(int side) {
        this.side = side;
    }

    public int area() {
        return side * side;
    }
}

class Circle implements Shape {
    public int area() {
        return 3;
    }

    public String name() {
        return "circle, " + Shape.super.name();
    }
}

interface Lazy {
    int CONSTANT = 5;
    int COMPUTED = Main.say("Lazy");
}

interface Sleeping {
    int COMPUTED = Main.say("Sleeping");
}

interface WithDefault {
    int COMPUTED = Main.say("WithDefault");

    default String hello() {
        return "hello";
    }
}

class Implementor implements WithDefault, Sleeping {
    void never() {
        Main.say("never");
    }
}
