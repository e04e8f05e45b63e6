// A class that comes between two others, and a superclass that goes (SPEC 2.5).
//- rev 1
//- A.java
class A { int f() { return 1; } static int s() { return 2; } }
//- B.java
class B extends A { }
//- rev 2
//- M.java
class M extends A { int f() { return 3; } static int s() { return 4; } }
//- B.java
class B extends M { }
//= B: CF
//= M: AF
//> AF M: f()I A -> M for B
//> AF M: s()I A -> M where B is named
//- rev 3
//- B.java
class B extends A { }
//= B: CF
//> CH B: f()I M -> A for B
//> CH B: s()I M -> A where B is named
