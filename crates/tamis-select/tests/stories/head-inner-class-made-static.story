// An inner class made static changes its flags and its constructor: a file change (SPEC 2.4).
//- rev 1
//- A.java
class A { class B {} }
//- rev 2
//- A.java
class A { static class B {} }
//= A: CM
//= A$B: CF
