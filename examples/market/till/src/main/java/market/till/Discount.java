package market.till;

/** Who buys much pays less. */
final class Discount {
    private static final int MANY = 10;

    private Discount() {}

    static int of(int total, int nItems) {
        return nItems >= MANY ? total - total / 10 : total;
    }
}
