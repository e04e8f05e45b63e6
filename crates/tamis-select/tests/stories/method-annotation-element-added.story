// An annotation element is an abstract instance method (SPEC 2.4, AIM).
//- rev 1
//- Tag.java
@interface Tag { int value() default 1; }
//- A.java
@Tag class A {}
//- rev 2
//- Tag.java
@interface Tag { int value() default 1; String name() default ""; }
//= Tag: AIM name()Ljava/lang/String;, signatures
