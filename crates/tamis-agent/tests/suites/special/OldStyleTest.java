// The looks as tests of JUnit 4.

import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.FixMethodOrder;
import org.junit.Ignore;
import org.junit.Test;
import org.junit.runners.MethodSorters;

@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class OldStyleTest {
    @BeforeClass
    public static void before() throws Exception {
        Looks.stacks();
    }

    @Test
    public void children() throws Exception {
        Looks.children();
    }

    @Test
    public void fails() {
        throw new IllegalStateException("on purpose");
    }

    @Test
    public void members() throws Exception {
        Looks.members();
        Looks.membersOf("OldStyleTest", "org.junit.runner.notification.RunNotifier",
                "org.junit.runners.ParentRunner", "org.junit.runners.BlockJUnit4ClassRunner",
                "org.junit.internal.runners.JUnit38ClassRunner", "org.junit.runner.JUnitCore",
                "junit.framework.TestResult");
    }

    @Ignore
    @Test
    public void never() {}

    @Test
    public void stacks() throws Exception {
        Looks.stacks();
    }

    @AfterClass
    public static void after() throws Exception {
        Looks.stacks();
    }
}
