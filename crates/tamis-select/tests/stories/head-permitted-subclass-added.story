// The permitted subclasses of a sealed class belong to its head (DESIGN 2, head).
//- javac 17+ -g
//- rev 1
//- S.java
sealed interface S permits X {}
//- X.java
final class X implements S {}
//- rev 2
//- S.java
sealed interface S permits X, Y {}
//- Y.java
final class Y implements S {}
//= S: CH
//= Y: AF
