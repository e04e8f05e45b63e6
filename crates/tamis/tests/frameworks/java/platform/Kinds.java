import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Test classes of Jupiter of every kind. */
public class Kinds {
    static class Plain {
        @Test void passes() {}

        @Test void fails() {
            fail();
        }

        @Test void assumes() {
            assumeTrue(false);
        }

        @Disabled
        @Test void disabled() {}
    }

    static class Repeated {
        @ParameterizedTest
        @ValueSource(ints = {1, 2})
        void isOne(int number) {
            if (number != 1) {
                fail();
            }
        }

        @RepeatedTest(3)
        void again() {}

        @TestTemplate
        @ExtendWith(TwoTimes.class)
        void template() {}
    }

    static class TwoTimes implements TestTemplateInvocationContextProvider {
        @Override public boolean supportsTestTemplate(ExtensionContext context) {
            return true;
        }

        @Override public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
                ExtensionContext context) {
            return Stream.of(new Time(), new Time());
        }
    }

    static class Time implements TestTemplateInvocationContext {}

    static class Factory {
        @TestFactory Stream<DynamicNode> made() {
            return Stream.of(
                    DynamicTest.dynamicTest("one", Factory::one),
                    DynamicContainer.dynamicContainer(
                            "more", Stream.of(DynamicTest.dynamicTest("two", () -> fail()))));
        }

        static void one() {}
    }

    static class Outer {
        @BeforeEach void before() {}

        @Test void outside() {}

        @Nested class Inner {
            @Test void inside() {
                helper();
            }

            void helper() {}

            @Nested class Innermost {
                @Test void deepInside() {}
            }
        }

        @Disabled
        @Nested class Never {
            @Test void never() {}
        }
    }

    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static class PerClass {
        PerClass() {}

        @BeforeAll void before() {}

        @AfterAll void after() {}

        @Test void one() {
            onlyOne();
        }

        @Test void two() {
            onlyTwo();
        }

        void onlyOne() {}

        void onlyTwo() {}
    }

    @ExtendWith(Callbacks.class)
    static class Extended {
        @Test void one() {}

        @Test void notToday() {}
    }

    static class Callbacks implements BeforeAllCallback, AfterEachCallback, ExecutionCondition {
        Callbacks() {}

        @Override public void beforeAll(ExtensionContext context) {}

        @Override public void afterEach(ExtensionContext context) {}

        @Override public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            if (context.getDisplayName().startsWith("notToday")) {
                return ConditionEvaluationResult.disabled("not today");
            }
            return ConditionEvaluationResult.enabled("today");
        }
    }

    static class BeforeAllFails {
        @BeforeAll static void before() {
            fail();
        }

        @Test void never() {}
    }

    static class BeforeAllAssumes {
        @BeforeAll static void before() {
            assumeTrue(false);
        }

        @Test void never() {}
    }

    static class AfterAllFails {
        @AfterAll static void after() {
            fail();
        }

        @Test void passes() {}
    }

    @Disabled
    static class DisabledClass {
        @Test void never() {}

        @Nested class Inner {
            @Test void neverEither() {}
        }
    }

    static class Tagged {
        @Tag("slow")
        @Test void slow() {}

        @Test void quick() {}
    }

    static class NoTests {
        void notATest() {}
    }

    static class Overloaded {
        @Test void same() {}

        @Test void same(TestInfo info) {
            fail();
        }
    }

    static class Fixtures {
        @BeforeAll static void beforeAll() {
            System.err.println("before all");
        }

        @AfterEach void afterEach() {}

        @Test void one() {
            System.err.println("one");
        }

        @Test void two() {
            System.err.println("two");
        }
    }
}
