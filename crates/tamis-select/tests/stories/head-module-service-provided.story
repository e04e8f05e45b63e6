// Which services a module provides decides what `ServiceLoader` finds: its head (DESIGN 2, head).
//- javac 17+ -g
//- rev 1
//- module-info.java
module m { provides Runnable with p.A; }
//- p/A.java
package p;
public class A implements Runnable { public void run() {} }
//- p/B.java
package p;
public class B implements Runnable { public void run() {} }
//- rev 2
//- module-info.java
module m { provides Runnable with p.B; }
//= module-info: CH
