import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.Test;

/** Threads that go on when the test that started them is over. */
public class Threads {
    static void start(Runnable runnable) {
        Thread thread = new Thread(runnable);
        thread.setDaemon(true);
        thread.start();
    }

    /** Its loop is compiled, and the mark of what it calls has left it. */
    static class Hot implements Runnable {
        static volatile long rounds;
        static volatile boolean isOver;
        static int sum;

        @Override public void run() {
            while (!isOver) {
                turn();
            }
        }

        static void turn() {
            for (int i = 0; i < 1_000_000; i++) {
                add(i);
            }
            rounds++;
        }

        static void add(int number) {
            sum += number;
        }

        /** Waits until the loop has gone round some more times. */
        static void await(long more) {
            long wanted = rounds + more;
            while (rounds < wanted) {
                Thread.yield();
            }
        }
    }

    public static class StartsHot {
        @Test public void starts() {
            start(new Hot());
            Hot.await(2_000);
        }
    }

    public static class BesideHot {
        @Test public void waits() {
            long before = Hot.sum;
            while (Hot.sum == before) {
                Thread.yield();
            }
        }
    }

    /** One loop without any call in it. */
    static class Spinning implements Runnable {
        static volatile int warm;
        static volatile boolean isOver;
        static int sum;

        @Override public void run() {
            for (int round = 0; round < 2_000; round++) {
                spin(10_000);
                warm = round;
            }
            warm = Integer.MAX_VALUE;
            spin(Long.MAX_VALUE);
        }

        static void spin(long rounds) {
            for (long i = 0; i < rounds; i++) {
                if (step(i)) {
                    return;
                }
            }
        }

        static boolean step(long number) {
            sum += (int) number;
            return isOver;
        }
    }

    public static class StartsSpinning {
        @Test public void starts() {
            start(new Spinning());
            while (Spinning.warm != Integer.MAX_VALUE) {
                Thread.yield();
            }
        }
    }

    public static class BesideSpinning {
        @Test public void empty() {}
    }

    /** Waits in each turn. */
    static class Sleeping implements Runnable {
        static volatile long rounds;

        @Override public void run() {
            while (true) {
                turn();
                try {
                    Thread.sleep(1);
                } catch (InterruptedException e) {
                    return;
                }
            }
        }

        static void turn() {
            rounds++;
        }
    }

    public static class StartsSleeping {
        @Test public void starts() {
            start(new Sleeping());
            awaitTurns();
        }

        static void awaitTurns() {
            long wanted = Sleeping.rounds + 3;
            while (Sleeping.rounds < wanted) {
                Thread.yield();
            }
        }
    }

    public static class BesideSleeping {
        @Test public void waits() {
            StartsSleeping.awaitTurns();
        }
    }

    /** Waits until it is woken, and works then. */
    static class Waiting implements Runnable {
        static final BlockingQueue<Runnable> JOBS = new LinkedBlockingQueue<>();
        static final CountDownLatch IS_READY = new CountDownLatch(1);
        static final CountDownLatch DONE = new CountDownLatch(1);

        @Override public void run() {
            IS_READY.countDown();
            try {
                while (true) {
                    JOBS.take().run();
                    work();
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        static void work() {
            DONE.countDown();
        }
    }

    public static class StartsWaiting {
        @Test public void starts() throws InterruptedException {
            Thread thread = new Thread(new Waiting());
            thread.setDaemon(true);
            thread.start();
            Waiting.IS_READY.await();
            while (thread.getState() != Thread.State.WAITING) {
                Thread.yield();
            }
        }
    }

    public static class WakesWaiting {
        @Test public void wakes() throws InterruptedException {
            Waiting.JOBS.add(() -> {});
            Waiting.DONE.await();
        }
    }

    public static class UsesPool {
        static final ExecutorService POOL = Executors.newFixedThreadPool(1, runnable -> {
            Thread thread = new Thread(runnable);
            thread.setDaemon(true);
            return thread;
        });

        @Test public void works() throws Exception {
            POOL.submit(UsesPool::work).get();
        }

        static void work() {}
    }

    public static class BesidePool {
        @Test public void empty() {}
    }

    /** A virtual thread, where there are any. */
    public static class StartsVirtual {
        @Test public void starts() throws Exception {
            Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, new Spinning());
            while (Spinning.warm != Integer.MAX_VALUE) {
                Thread.yield();
            }
        }
    }

    static class NeverReady {
        static final CountDownLatch BEGUN = new CountDownLatch(1);
        static final CountDownLatch NEVER = new CountDownLatch(1);

        static class Slow {
            static {
                prepare();
                BEGUN.countDown();
                try {
                    NEVER.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }

            static void prepare() {}

            static int answer = 42;
        }
    }

    public static class StartsSlowInitialiser {
        @Test public void starts() throws InterruptedException {
            start(() -> System.err.println(NeverReady.Slow.answer));
            NeverReady.BEGUN.await();
        }
    }

    /** Has the class in its code, without coming to it. */
    public static class NamesSlow {
        @Test public void names() {
            if (NeverReady.NEVER.getCount() == 0) {
                System.err.println(NeverReady.Slow.answer);
            }
        }
    }
}
