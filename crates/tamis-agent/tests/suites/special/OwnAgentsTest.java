// Tests that bring agents of their own: Mockito, and Byte Buddy attached to its own JVM.

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockStatic;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import net.bytebuddy.ByteBuddy;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.dynamic.loading.ClassReloadingStrategy;
import net.bytebuddy.implementation.FixedValue;
import net.bytebuddy.matcher.ElementMatchers;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;
import org.mockito.MockedStatic;

@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class OwnAgentsTest {
    static final class Final {
        static String name() {
            return "static";
        }

        String call() {
            return "called";
        }
    }

    static class Redefined {
        static final Object LOCK = new Object();

        String call() {
            return "before";
        }
    }

    @Test
    public void mocksFinalClasses() {
        Final mock = mock(Final.class);
        System.out.println(mock.call());
        when(mock.call()).thenReturn("mocked");
        System.out.println(mock.call());
        verify(mock, org.mockito.Mockito.times(2)).call();
        System.out.println(spy(new Final()).call());
    }

    @Test
    public void mocksStatics() {
        try (MockedStatic<Final> mocked = mockStatic(Final.class)) {
            mocked.when(Final::name).thenReturn("mocked");
            System.out.println(Final.name());
        }
        System.out.println(Final.name());
    }

    @Test
    public void redefines() throws Exception {
        Redefined before = new Redefined();
        System.out.println(before.call());
        ByteBuddyAgent.install();
        ClassReloadingStrategy strategy = ClassReloadingStrategy.fromInstalledAgent();
        ClassLoader loader = Redefined.class.getClassLoader();
        new ByteBuddy().redefine(Redefined.class)
                .method(ElementMatchers.named("call"))
                .intercept(FixedValue.value("redefined"))
                .make()
                .load(loader, strategy);
        System.out.println(before.call());
        strategy.reset(Redefined.class);
        System.out.println(before.call());
        System.out.println(Redefined.class.getDeclaredMethods().length);
    }
}
