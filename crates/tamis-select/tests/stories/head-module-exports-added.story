// What a module declares is its head (DESIGN 2, head).
//- javac 17+ -g
//- rev 1
//- module-info.java
module m {}
//- p/A.java
package p;
public class A {}
//- rev 2
//- module-info.java
module m { exports p; }
//= module-info: CH
