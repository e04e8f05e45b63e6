import org.junit.After;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.ExternalResource;

/** Set-up and tear-down of every kind around two tests. */
public class Fixtures {
    public static class ForClass extends ExternalResource {
        @Override protected void before() {
            System.err.println("class rule begins");
        }

        @Override protected void after() {
            System.err.println("class rule ends");
        }
    }

    public static class ForMethod extends ExternalResource {
        @Override protected void before() {}

        @Override protected void after() {}
    }

    public static class Tests {
        @ClassRule public static final ForClass FOR_CLASS = new ForClass();
        @Rule public final ForMethod forMethod = new ForMethod();

        public Tests() {}

        @BeforeClass public static void beforeClass() {
            System.err.println("before class");
        }

        @AfterClass public static void afterClass() {
            System.err.println("after class");
        }

        @Before public void before() {}

        @After public void after() {}

        @Test public void one() {
            onlyOne();
        }

        @Test public void two() {
            onlyTwo();
        }

        void onlyOne() {}

        void onlyTwo() {}
    }
}
