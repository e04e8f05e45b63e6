// A compact constructor is the canonical one with more code (SPEC 2.4, CI).
//- javac 17+ -g
//- rev 1
//- R.java
record R(int x) {}
//- rev 2
//- R.java
record R(int x) { R { if (x < 0) throw new IllegalArgumentException(); } }
//= R: CI <init>(I)V
