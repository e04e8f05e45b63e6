package shop;

/** What a customer may be granted. */
enum Discount {
    NONE,
    LOYALTY,
    CLEARANCE
}
