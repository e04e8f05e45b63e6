import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Two classes that wait for each other, so that they overlap in any case. */
public class Parallel {
    static final CountDownLatch BOTH = new CountDownLatch(2);

    static void meet() throws InterruptedException {
        BOTH.countDown();
        BOTH.await();
    }

    static class One {
        @Test void one() throws InterruptedException {
            meet();
            onlyOne();
            Parallel.Last.meet();
        }

        void onlyOne() {}
    }

    static class Two {
        @Test void two() throws InterruptedException {
            meet();
            onlyTwo();
            Parallel.Last.meet();
        }

        void onlyTwo() {}
    }

    /** Neither ends before the other has done its work. */
    static class Last {
        static final CountDownLatch BOTH = new CountDownLatch(2);

        static void meet() throws InterruptedException {
            BOTH.countDown();
            BOTH.await();
        }
    }
}
