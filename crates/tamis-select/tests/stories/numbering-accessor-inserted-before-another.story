// An accessor inserted before another renumbers it, in every class that calls it: no class alone can decide that it is the same (docs/design).
//- javac 8 -g
//- rev 1
//- A.java
class A {
    private int x = 1;
    private int y = 2;
    class First { int f() { return 0; } }
    class Second { int g() { return x; } }
}
//- rev 2
//- A.java
class A {
    private int x = 1;
    private int y = 2;
    class First { int f() { return y; } }
    class Second { int g() { return x; } }
}
//= A: CSM access$000(LA;)I blocks 0, ASM access$100(LA;)I
//= A$First: CIM f()I blocks 0
//= A$Second: CIM g()I blocks 0
