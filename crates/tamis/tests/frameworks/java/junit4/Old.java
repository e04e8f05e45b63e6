import junit.framework.Test;
import junit.framework.TestCase;
import junit.framework.TestSuite;

/** Tests in the style of JUnit 3. */
public class Old {
    public static class Case extends TestCase {
        @Override protected void setUp() {
            System.err.println("set up");
        }

        @Override protected void tearDown() {}

        public void testOne() {}

        public void testTwo() {
            fail();
        }
    }

    public static class Other extends TestCase {
        public void testOne() {}
    }

    public static class All {
        public static Test suite() {
            TestSuite suite = new TestSuite("everything old");
            suite.addTestSuite(Case.class);
            suite.addTestSuite(Other.class);
            return suite;
        }
    }

    public static class Nameless {
        public static Test suite() {
            TestSuite suite = new TestSuite();
            suite.addTestSuite(Other.class);
            return suite;
        }
    }
}
