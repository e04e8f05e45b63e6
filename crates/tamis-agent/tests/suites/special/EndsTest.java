// A test that ends its JVM before the framework does.

import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class EndsTest {
    @Test
    public void a() {}

    @Test
    public void b() {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
        switch (System.getProperty("ending")) {
            case "exit":
                System.exit(3);
                break;
            case "halt":
                Runtime.getRuntime().halt(4);
                break;
            default:
                throw new Error("no such ending");
        }
    }

    @Test
    public void c() {}
}
