/** A program without tests. */
public class Plain {
    public static void main(String[] arguments) {
        System.err.println("no tests here");
        System.exit(3);
    }
}
