package market.till;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import market.stock.Item;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReceiptTest {
    @ParameterizedTest
    @CsvSource({"1, 100", "9, 900", "10, 900"})
    void manyCostLess(int nItems, int expected) {
        Receipt receipt = new Receipt();
        for (int item = 0; item < nItems; item++) {
            receipt.add(new Item("egg", 100));
        }
        assertEquals(expected, receipt.total());
    }

    @Test
    void aLineForEachItem() {
        Receipt receipt = new Receipt();
        receipt.add(new Item("bread", 320));
        assertEquals(Arrays.asList("bread 3.20"), receipt.lines());
    }
}
