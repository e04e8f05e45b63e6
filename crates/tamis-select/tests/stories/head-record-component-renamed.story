// A renamed record component changes the head and the members that are named after it (SPEC 2.4).
//- javac 17+ -g
//- rev 1
//- R.java
record R(int x) {}
//- rev 2
//- R.java
record R(int y) {}
//= R: CF
