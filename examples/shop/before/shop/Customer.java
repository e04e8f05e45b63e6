package shop;

/** Somebody who buys. */
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
