// Initialiser blocks run in their order: one moved before a field's initial value changes the constructor (SPEC 2.4, CI).
//- rev 1
//- A.java
class A { int x = 1; { x = 2; } }
//- rev 2
//- A.java
class A { { x = 2; } int x = 1; }
//= A: CI <init>()V
