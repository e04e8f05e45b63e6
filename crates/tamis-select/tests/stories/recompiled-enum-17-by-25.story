// javac 21 and later write down parameters that the language mandates; reflection shows that (SPEC 2.3, MethodParameters).
//- rev 1
//- javac 17 -g --release 17
//- E.java
enum E { X, Y }
//- rev 2
//- javac 25 -g --release 17
//= E: CSM valueOf(Ljava/lang/String;)LE; blocks all, CI <init>(Ljava/lang/String;I)V
