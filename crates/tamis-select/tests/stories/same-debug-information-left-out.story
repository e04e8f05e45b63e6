// With `-g` or with `-g:none`, the code is the same (SPEC 2.1).
//- rev 1
//- javac 8+ -g
//- A.java
import java.util.*;
class A {
    int total;
    int f(List<String> names) {
        int n = 0;
        for (String name : names) {
            try {
                n += Integer.parseInt(name);
            } catch (NumberFormatException e) {
                n--;
            }
        }
        Runnable add = () -> total++;
        add.run();
        return n;
    }
}
//- rev 2
//- javac 8+ -g:none
//= A: plain
