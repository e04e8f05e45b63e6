// A written constructor that does what the default one does changes nothing (SPEC 2.1: the class file decides).
//- rev 1
//- A.java
class A { int x = 1; }
//- rev 2
//- A.java
class A {
    int x = 1;
    A() {}
}
//= A: plain
