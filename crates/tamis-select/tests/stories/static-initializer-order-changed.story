// The order in which static fields are initialised counts, and so does their order (SPEC 2.1, CSI).
//- rev 1
//- A.java
class A {
    static Object a = new Object();
    static Object b = new Object();
}
//- rev 2
//- A.java
class A {
    static Object b = new Object();
    static Object a = new Object();
}
//= A: CSI <clinit>()V, CM
