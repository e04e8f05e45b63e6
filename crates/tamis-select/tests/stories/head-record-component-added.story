// A record component is part of the head, a field, an accessor and a constructor parameter: a file change (SPEC 2.4).
//- javac 17+ -g
//- rev 1
//- R.java
record R(int x) {}
//- rev 2
//- R.java
record R(int x, int y) {}
//= R: CF
