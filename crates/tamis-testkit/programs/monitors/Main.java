// Monitors: synchronized methods and blocks, nested, left by exceptions and returns, taken by several threads.
// compile: javac 4; javac 4 jsr; javac 8; ecj 4; ecj 8
// hits: Main: main([Ljava/lang/String;)V <init>()V add(I)V addTwice(I)V get()I tryIt(Ljava/lang/Object;I)I both(Ljava/lang/Object;Ljava/lang/Object;)I
// hits: Main$Worker: <init>(LMain;)V run()V
// not: Main: reset()V
// complete
public class Main {
    private int sum;

    synchronized void add(int n) {
        sum += n;
    }

    void addTwice(int n) {
        synchronized (this) {
            add(n);
            add(n);
        }
    }

    synchronized int get() {
        return sum;
    }

    static synchronized void reset() {
        throw new Error("not called");
    }

    static int tryIt(Object lock, int n) {
        synchronized (lock) {
            if (n == 0) {
                return 0;
            }
            if (n == 1) {
                throw new IllegalStateException("one");
            }
            for (int i = 0; ; i++) {
                synchronized (lock) {
                    if (i == n) {
                        break;
                    }
                }
            }
        }
        return Thread.holdsLock(lock) ? -1 : n;
    }

    static int both(Object a, Object b) {
        synchronized (a) {
            synchronized (b) {
                return Thread.holdsLock(a) && Thread.holdsLock(b) ? 2 : 0;
            }
        }
    }

    static class Worker extends Thread {
        private final Main shared;

        Worker(Main shared) {
            this.shared = shared;
        }

        public void run() {
            for (int i = 0; i < 1000; i++) {
                shared.addTwice(1);
            }
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        Main shared = new Main();
        Worker[] workers = new Worker[3];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new Worker(shared);
            workers[i].start();
        }
        for (int i = 0; i < workers.length; i++) {
            workers[i].join();
        }
        System.out.println(shared.get());
        Object lock = new Object();
        System.out.println(tryIt(lock, 0) + " " + tryIt(lock, 4) + " " + both(lock, shared));
        try {
            tryIt(lock, 1);
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage() + " " + Thread.holdsLock(lock));
        }
    }
}
