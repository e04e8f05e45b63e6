package market.stock;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class LabelsTest {
    @Test
    public void centsHaveTwoDigits() {
        assertEquals("1.05", Labels.price(new Item("melon", 105)));
    }
}
