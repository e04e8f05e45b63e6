// The order of permitted subclasses counts: reflection shows it (DESIGN 2, head).
//- javac 17+ -g
//- rev 1
//- S.java
sealed interface S permits X, Y {}
final class X implements S {}
final class Y implements S {}
//- rev 2
//- S.java
sealed interface S permits Y, X {}
final class X implements S {}
final class Y implements S {}
//= S: CH
