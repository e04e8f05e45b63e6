// Newer javacs fill `$VALUES` in a method of its own: other code, though the source and the target stay (SPEC 2.1: the class file decides).
//- rev 1
//- javac 8 -g
//- E.java
enum E { X, Y }
//- rev 2
//- javac 17 -g --release 8
//= E: CSI <clinit>()V, ASM $values()[LE;
