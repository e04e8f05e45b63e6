// A default method of a nearer interface is found before that of a farther one; of two beside each other none is (SPEC 2.5).
//- javac 8 -g
//- rev 1
//- I.java
interface I { default int f() { return 1; } }
//- J.java
interface J extends I { default int g() { return 2; } }
//- K.java
interface K { default int h() { return 3; } }
//- A.java
class A implements J { }
//- B.java
class B implements I, K { }
//- rev 2
//- J.java
interface J extends I { default int g() { return 2; } default int f() { return 4; } }
//= J: AIM f()I, signatures
//> AIM J: f()I I -> J for A
//> AIM J: f()I I -> J for J
//- rev 3
//- K.java
interface K { default int h() { return 3; } default int f() { return 5; } }
//- B.java
abstract class B implements I, K { public int f() { return 6; } }
//= B: CF
//= K: AIM f()I, signatures
//> AIM B: f()I I -> B for B
