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
}
