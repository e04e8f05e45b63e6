// Constructors in another order do not count, like methods (SPEC 2.1).
// HotSpot lists constructors, and overloads of one name, in an order that depends on the file's, so code that takes
// `getDeclaredConstructors()[0]` can tell. Were that order counted, this would be CM, as it is for fields.
//- rev 1
//- A.java
class A {
    A() {}
    A(int x) {}
}
//- rev 2
//- A.java
class A {
    A(int x) {}
    A() {}
}
//= A: plain
