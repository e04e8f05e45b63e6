// The looks as tests of Jupiter.

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@TestMethodOrder(MethodOrderer.MethodName.class)
class NewStyleTest {
    @BeforeAll
    static void before() throws Exception {
        Looks.stacks();
    }

    @Test
    void children() throws Exception {
        Looks.children();
    }

    @Test
    void fails() {
        throw new IllegalStateException("on purpose");
    }

    @Test
    void members() throws Exception {
        Looks.members();
        Looks.membersOf("NewStyleTest",
                "org.junit.platform.engine.support.hierarchical.NodeTestTask",
                "org.junit.platform.launcher.core.DefaultLauncher",
                "org.junit.platform.launcher.core.EngineExecutionOrchestrator");
    }

    @Disabled
    @Test
    void never() {}

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void stacks(int which) throws Exception {
        Looks.stacks();
    }

    @Nested
    class Inside {
        @Test
        void stacks() throws Exception {
            Looks.stacks();
        }
    }

    @AfterAll
    static void after() throws Exception {
        Looks.stacks();
    }
}
