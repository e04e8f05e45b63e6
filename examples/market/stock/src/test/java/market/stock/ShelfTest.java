package market.stock;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class ShelfTest {
    private final Shelf shelf = new Shelf();

    @Test
    public void countsByName() {
        shelf.put(new Item("pear", 40));
        shelf.put(new Item("pear", 45));
        shelf.put(new Item("plum", 20));
        assertEquals(2, shelf.count("pear"));
    }

    @Test
    public void isEmptyAtFirst() {
        assertTrue(shelf.isEmpty());
    }
}
