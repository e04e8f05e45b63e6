package market.stock;

/** Prices as customers read them. */
public final class Labels {
    private Labels() {}

    public static String price(Item item) {
        return item.price() / 100 + "." + item.price() % 100 / 10 + item.price() % 10;
    }
}
