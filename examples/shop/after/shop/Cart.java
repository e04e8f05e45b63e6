package shop;

import java.util.ArrayList;
import java.util.List;

/** What a customer is about to pay for; prices are in cents. */
class Cart {
    private final Customer customer;
    private final List<Integer> prices = new ArrayList<>();

    Cart(Customer customer) {
        this.customer = customer;
    }

    void add(int price) {
        prices.add(price);
    }

    /** New: its lambda comes before the one in {@code total()}, which the compiler now renames. */
    long countAbove(int limit) {
        return prices.stream().filter(price -> price > limit).count();
    }

    int size() {
        return prices.size();
    }

    int total() {
        int sum = prices.stream().mapToInt(price -> price).sum();
        return sum - rebate(sum);
    }

    private int rebate(int sum) {
        switch (customer.discount()) {
            case LOYALTY:
                return sum / 10; // Changed: one case of the switch.
            case CLEARANCE:
                return sum / 2;
            default:
                return 0;
        }
    }
}
