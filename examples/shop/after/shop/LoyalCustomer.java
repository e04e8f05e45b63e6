package shop;

/** Somebody who came back. */
class LoyalCustomer extends Customer {
    LoyalCustomer(String name) {
        super(name);
    }

    @Override
    Discount discount() {
        return Discount.LOYALTY;
    }

    /** New: who calls {@code greeting()} on a loyal customer gets another answer from now on. */
    @Override
    String greeting() {
        return "Welcome back, " + name;
    }
}
