// A constant with a body is a class of its own, and the enum may no longer be final (SPEC 2.4).
//- rev 1
//- E.java
enum E { X; int f() { return 1; } }
//- rev 2
//- E.java
enum E { X { int f() { return 2; } }; int f() { return 1; } }
//= E: CF
//= E$1: AF
