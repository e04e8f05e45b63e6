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
                return sum / 20;
            case CLEARANCE:
                return sum / 2;
            default:
                return 0;
        }
    }
}
