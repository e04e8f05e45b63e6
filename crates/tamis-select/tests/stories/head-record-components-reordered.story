// The order of record components counts even when their types are equal (SPEC 2.1).
//- javac 17+ -g
//- rev 1
//- R.java
record R(int x, int y) {}
//- rev 2
//- R.java
record R(int y, int x) {}
//= R: CF
