package tamis.bench;

/** The shortest program. */
public final class Hello {
    public static void main(String[] arguments) {
        System.out.println("hello, world");
    }
}
