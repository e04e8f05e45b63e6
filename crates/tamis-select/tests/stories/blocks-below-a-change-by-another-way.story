// What is below a changed block and can be reached past it is compared (SPEC 3.5).
//- rev 1
//- A.java
class A { int f(int x) { if (x > 0) { x += 1; } else { x += 2; } return x * 3; } }
//- rev 2
//- A.java
class A { int f(int x) { if (x > 0) { x += 5; } else { x += 2; } return x * 4; } }
//= A: CIM f(I)I blocks 1 3
