package market.till;

import java.util.ArrayList;
import java.util.List;
import market.stock.Item;
import market.stock.Labels;

/** What a customer takes home, and what it costs. */
public final class Receipt {
    private final List<Item> items = new ArrayList<>();

    public void add(Item item) {
        items.add(item);
    }

    public int total() {
        int total = 0;
        for (Item item : items) {
            total += item.price();
        }
        return Discount.of(total, items.size());
    }

    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (Item item : items) {
            lines.add(item.name() + " " + Labels.price(item));
        }
        return lines;
    }
}
