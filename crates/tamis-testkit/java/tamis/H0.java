// The array that entry probes mark, as the agent defines it in a JVM under test.
package tamis;

public final class H0 {
    public static final byte[] C = new byte[32768];
}
