// Walks the stack as only JDK 9 and later can.

import java.util.EnumSet;
import java.util.stream.Collectors;

final class Walks {
    static void walk() {
        StackWalker walker = StackWalker.getInstance(EnumSet.allOf(StackWalker.Option.class).stream()
                .filter(option -> !option.name().equals("DROP_METHOD_INFO"))
                .collect(Collectors.toSet()));
        for (StackWalker.StackFrame frame : walker.walk(f -> f.collect(Collectors.toList()))) {
            System.out.println(Looks.withoutAddresses("  " + frame + " " + frame.getDeclaringClass()));
        }
        System.out.println(walker.getCallerClass());
    }
}
