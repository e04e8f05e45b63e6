import static org.junit.Assert.fail;
import static org.junit.Assume.assumeTrue;

import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Ignore;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.BlockJUnit4ClassRunner;

/** Test classes that end in every way there is. */
public class Outcomes {
    public static class Plain {
        @Test public void passes() {}

        @Test public void fails() {
            fail();
        }

        @Ignore @Test public void ignored() {}

        @Test public void assumes() {
            assumeTrue(false);
        }
    }

    public static class AllPass {
        @Test public void one() {}

        @Test public void two() {}
    }

    @Ignore
    public static class IgnoredClass {
        @Test public void never() {}
    }

    public static class BeforeClassFails {
        @BeforeClass public static void before() {
            fail();
        }

        @Test public void never() {}
    }

    public static class BeforeClassAssumes {
        @BeforeClass public static void before() {
            assumeTrue(false);
        }

        @Test public void never() {}
    }

    public static class AfterClassFails {
        @AfterClass public static void after() {
            fail();
        }

        @Test public void passes() {}
    }

    public static class ConstructorFails {
        public ConstructorFails() {
            fail();
        }

        @Test public void never() {}
    }

    public static class NoTests {}

    @RunWith(Unbuildable.class)
    public static class RunnerFails {
        @Test public void never() {}
    }

    public static class Unbuildable extends BlockJUnit4ClassRunner {
        public Unbuildable(Class<?> tests) throws Exception {
            super(tests);
            throw new Exception("cannot be built");
        }
    }
}
