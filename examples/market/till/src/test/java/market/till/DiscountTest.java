package market.till;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class DiscountTest {
    @Test
    void aFewCostWhatTheyCost() {
        assertEquals(95, Discount.of(95, 9));
    }
}
