import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.junit.BeforeClass;
import org.junit.Test;
import org.junit.experimental.categories.Categories;
import org.junit.experimental.categories.Category;
import org.junit.experimental.runners.Enclosed;
import org.junit.experimental.theories.DataPoints;
import org.junit.experimental.theories.Theories;
import org.junit.experimental.theories.Theory;
import org.junit.runner.Description;
import org.junit.runner.RunWith;
import org.junit.runner.Runner;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunNotifier;
import org.junit.runners.BlockJUnit4ClassRunner;
import org.junit.runners.Parameterized;
import org.junit.runners.ParentRunner;
import org.junit.runners.Suite;
import org.junit.runners.model.InitializationError;

/** Runners of JUnit 4 and runners of one's own. */
public class Runners {
    @RunWith(Suite.class)
    @Suite.SuiteClasses({Inner.class, Third.class})
    public static class Outer {
        @BeforeClass public static void beforeOuter() {
            System.err.println("outer begins");
        }
    }

    @RunWith(Suite.class)
    @Suite.SuiteClasses({First.class, Second.class})
    public static class Inner {
        @BeforeClass public static void beforeInner() {
            System.err.println("inner begins");
        }
    }

    public static class First {
        @Test public void first() {
            System.err.println("first");
        }
    }

    public static class Second {
        @Test public void second() {
            System.err.println("second");
        }
    }

    public static class Third {
        @Test public void third() {
            System.err.println("third");
        }
    }

    @RunWith(Parameterized.class)
    public static class Parameters {
        private final int number;

        public Parameters(int number) {
            this.number = number;
        }

        @Parameterized.Parameters(name = "{index}: it''s [{0}](x)")
        public static Collection<Object[]> all() {
            return Arrays.asList(new Object[] {1}, new Object[] {2});
        }

        @Test public void isOne() {
            if (number != 1) {
                throw new AssertionError();
            }
        }

        @Test public void isPositive() {}
    }

    @RunWith(Enclosed.class)
    public static class Enclosing {
        public static class One {
            @Test public void one() {}
        }

        public static class Two {
            @Test public void two() {}
        }
    }

    @RunWith(Theories.class)
    public static class Theorems {
        @DataPoints public static final int[] NUMBERS = {1, 2, 3};

        @Theory public void positive(int number) {
            System.err.println("theory " + number);
        }
    }

    public interface Slow {}

    @RunWith(Categories.class)
    @Categories.ExcludeCategory(Slow.class)
    @Suite.SuiteClasses({Mixed.class, First.class})
    public static class Quick {
        @BeforeClass public static void beforeQuick() {}
    }

    public static class Mixed {
        @Test public void quick() {}

        @Category(Slow.class)
        @Test public void slow() {}
    }

    @RunWith(DirectRunner.class)
    public static class Direct {
        public void works() {}

        public void breaks() {
            throw new IllegalStateException();
        }
    }

    /** Runs all methods, whatever they are. */
    public static class DirectRunner extends Runner {
        private final Class<?> tests;

        public DirectRunner(Class<?> tests) {
            this.tests = tests;
        }

        @Override public Description getDescription() {
            Description all = Description.createSuiteDescription(tests);
            all.addChild(Description.createTestDescription(tests, "works"));
            all.addChild(Description.createTestDescription(tests, "breaks"));
            return all;
        }

        @Override public void run(RunNotifier notifier) {
            for (Description test : getDescription().getChildren()) {
                notifier.fireTestStarted(test);
                try {
                    Object object = tests.getDeclaredConstructor().newInstance();
                    tests.getMethod(test.getMethodName()).invoke(object);
                } catch (ReflectiveOperationException e) {
                    notifier.fireTestFailure(new Failure(test, e));
                }
                notifier.fireTestFinished(test);
            }
        }
    }

    @RunWith(TwiceRunner.class)
    public static class Twice {
        @Test public void twice() {
            System.err.println("twice");
        }
    }

    /** Runs everything two times. */
    public static class TwiceRunner extends BlockJUnit4ClassRunner {
        public TwiceRunner(Class<?> tests) throws InitializationError {
            super(tests);
        }

        @Override public void run(RunNotifier notifier) {
            super.run(notifier);
            super.run(notifier);
        }
    }

    @RunWith(WordRunner.class)
    public static class Words {
        static void say(String word) {
            System.err.println(word);
        }
    }

    /** Its children are words. */
    public static class WordRunner extends ParentRunner<String> {
        public WordRunner(Class<?> tests) throws InitializationError {
            super(tests);
        }

        @Override protected List<String> getChildren() {
            return Collections.singletonList("hello");
        }

        @Override protected Description describeChild(String word) {
            return Description.createTestDescription(getTestClass().getJavaClass(), word);
        }

        @Override protected void runChild(String word, RunNotifier notifier) {
            notifier.fireTestStarted(describeChild(word));
            Words.say(word);
            notifier.fireTestFinished(describeChild(word));
        }
    }

    public abstract static class SameNames extends Runner {
        private final Class<?> tests;

        SameNames(Class<?> tests) {
            this.tests = tests;
        }

        @Override public Description getDescription() {
            Description all = Description.createSuiteDescription(tests);
            all.addChild(Description.createTestDescription("feature", "scenario", tests));
            return all;
        }

        @Override public void run(RunNotifier notifier) {
            Description test = getDescription().getChildren().get(0);
            notifier.fireTestStarted(test);
            if (tests == SameNamesFails.class) {
                notifier.fireTestFailure(new Failure(test, new AssertionError()));
            }
            notifier.fireTestFinished(test);
        }
    }

    /** Two classes whose tests have one name. */
    @RunWith(Suite.class)
    @Suite.SuiteClasses({SameNamesFails.class, SameNamesPasses.class})
    public static class SameNamesSuite {}

    @RunWith(SameNamesRunner.class)
    public static class SameNamesFails {}

    @RunWith(SameNamesRunner.class)
    public static class SameNamesPasses {}

    public static class SameNamesRunner extends SameNames {
        public SameNamesRunner(Class<?> tests) {
            super(tests);
        }
    }
}
