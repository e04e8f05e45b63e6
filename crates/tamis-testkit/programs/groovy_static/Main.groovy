// Groovy compiled statically: closures become classes, calls are direct, a trait brings code with it.
// compile: groovy
// hits: Main: main([Ljava/lang/String;)V sum(Ljava/util/List;)I each(ILgroovy/lang/Closure;)V
// hits: Main: risky(I)Ljava/lang/String;
// not: Main: unused(J)J
import groovy.transform.CompileStatic

@CompileStatic
trait Named {
    String label = 'none'

    String shown() { "<$label>" }
}

@CompileStatic
class Thing implements Named {}

@CompileStatic
class Main {
    static int sum(List<Integer> numbers) {
        int total = 0
        for (int n in numbers) {
            total += n
        }
        total
    }

    static void each(int n, Closure<?> block) {
        for (int i = 0; i < n; i++) {
            block.call(i)
        }
    }

    static String risky(int n) {
        try {
            if (n > 1) {
                throw new IllegalStateException('too much')
            }
            return 'fine'
        } catch (IllegalStateException e) {
            return e.message
        } finally {
            n++
        }
    }

    static long unused(long n) { n }

    static void main(String[] arguments) {
        println sum([1, 2, 3])
        long collected = 0L
        each(4) { int i -> collected += i * 10L }
        println collected
        println risky(1) + ' ' + risky(2)
        Thing thing = new Thing(label: 'thing')
        println thing.shown()
        println(['x', 'yy'].collect { String s -> s.length() })
    }
}
