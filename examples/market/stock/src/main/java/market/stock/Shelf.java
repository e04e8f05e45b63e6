package market.stock;

import java.util.ArrayList;
import java.util.List;

/** What is there to be sold. */
public final class Shelf {
    private final List<Item> items = new ArrayList<>();

    public void put(Item item) {
        items.add(item);
    }

    public int count(String name) {
        int count = 0;
        for (Item item : items) {
            if (item.name().equals(name)) {
                count++;
            }
        }
        return count;
    }

    public boolean isEmpty() {
        return items.isEmpty();
    }
}
