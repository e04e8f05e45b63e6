// An annotation that is not kept at run time does not count, wherever it stands (SPEC 2.1).
//- rev 1
//- Tag.java
@interface Tag { int value(); }
//- A.java
class A {
    int x;
    int f(int y) { return y; }
}
//- rev 2
//- A.java
@Tag(1) class A {
    @Tag(2) int x;
    @Tag(3) int f(@Tag(4) int y) { return y; }
}
//= A: plain
