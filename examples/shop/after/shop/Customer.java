package shop;

/**
 * Somebody who buys.
 *
 * <p>Only this comment is new, and with it every line number: nothing that a test could notice.
 */
class Customer {
    final String name;

    Customer(String name) {
        this.name = name;
    }

    Discount discount() {
        return Discount.NONE;
    }

    String greeting() {
        return "Hello " + name;
    }
}
