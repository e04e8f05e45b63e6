// Uninitialised objects across branches: conditions, loops and switches inside constructor arguments; initialiser blocks.
// compile: javac 6; javac 8; javac 17; ecj 8
// hits: Main: main([Ljava/lang/String;)V <init>(ZI)V <init>(Ljava/lang/Object;)V <clinit>()V pick(Z)LMain$A; next()I
// hits: Main$A: <init>(Ljava/lang/String;)V toString()Ljava/lang/String;
// hits: Main$B: <init>(Ljava/lang/String;)V
// hits: Main$Base: <init>(LMain$A;I)V
// hits: Main$Derived: <init>(Z)V <init>(LMain$A;II)V
// not: Main: <init>()V
// complete
public class Main {
    static int counter = 10;
    int field = next();
    String text;

    {
        text = "block " + next();
    }

    static int next() {
        return counter++;
    }

    static class A {
        final String name;

        A(String name) {
            this.name = name;
        }

        public String toString() {
            return name;
        }
    }

    static class B extends A {
        B(String name) {
            super(name == null ? new String("none") : name.length() > 3 ? name.substring(0, 3) : name);
        }
    }

    static class Base {
        final A a;
        final int n;

        Base(A a, int n) {
            this.a = a;
            this.n = n;
        }
    }

    static class Derived extends Base {
        final int m;

        {
            System.out.println("derived");
        }

        Derived(boolean b) {
            this(b ? new A(b && counter > 0 ? "yes" : "no") : new B(counter > 0 ? "negative" : null), b ? 1 : 2, 3);
        }

        Derived(A a, int n, int m) {
            super(a == null ? new A("null") : a, n > m ? n : m);
            this.m = m;
        }
    }

    Main() {
        throw new Error("not called");
    }

    Main(boolean b, int n) {
        this(b ? (Object) new StringBuilder(n > 0 ? "positive" : "other").append(b ? 1 : 2) : Integer.valueOf(n));
        field += 100;
    }

    Main(Object o) {
        super();
        text += " " + o;
    }

    static A pick(boolean b) {
        return b ? new A(new String(b ? new char[] {'c'} : null)) : new B(null);
    }

    public static void main(String[] arguments) {
        Derived yes = new Derived(true);
        Derived no = new Derived(false);
        System.out.println(yes.a + " " + yes.n + " " + yes.m + " " + no.a + " " + no.n + " " + no.m);
        Main main = new Main(true, 1);
        System.out.println(main.field + " " + main.text);
        main = new Main(false, 2);
        System.out.println(main.field + " " + main.text);
        System.out.println(pick(true) + " " + pick(false));
    }
}
