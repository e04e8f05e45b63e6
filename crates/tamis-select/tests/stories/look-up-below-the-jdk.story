// Which methods the JDK's types have is not seen: one that is added below them may be found in their place (SPEC 2.5).
//- javac 8 -g
//- rev 1
//- T.java
class T extends Thread { }
//- K.java
class K implements java.io.Serializable { }
//- rev 2
//- T.java
class T extends Thread { public void run() { } public static int activeCount() { return 1; } }
//- K.java
class K implements java.io.Serializable { public int hashCode() { return 1; } public int other() { return 2; } }
//= K: AIM hashCode()I, AIM other()I, signatures
//= T: AIM run()V, ASM activeCount()I, signatures
//> AIM K: hashCode()I nothing -> K for K
//> AIM T: run()V nothing -> T for T
//> ASM T: activeCount()I nothing -> T where T is named
