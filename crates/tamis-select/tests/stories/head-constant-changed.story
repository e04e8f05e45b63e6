// A constant belongs to the head of its class, and is copied into the methods that use it (SPEC 2.4).
//- rev 1
//- Limits.java
class Limits { static final int MAX = 100; }
//- A.java
class A {
    int f() { return Limits.MAX; }
    int g() { return 100; }
}
//- rev 2
//- Limits.java
class Limits { static final int MAX = 101; }
//= A: CIM f()I blocks 0
//= Limits: CH
