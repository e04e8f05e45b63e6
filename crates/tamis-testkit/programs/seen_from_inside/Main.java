// What a program can see of itself: stack trace lines, its own members, annotations and parameter names.
// compile: javac 8; javac 17; javac 25
// hits: Main: main([Ljava/lang/String;)V <init>(I)V <clinit>()V lines(I)I caller()I deep(I)I
// hits: Main$Broken: <clinit>()V
// not: Main: unused(Ljava/lang/String;J)V
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.TreeSet;

public class Main {
    @Retention(RetentionPolicy.RUNTIME)
    @interface Mark {
        String value() default "none";

        int[] numbers() default {1, 2};
    }

    static final int START = caller();
    @Mark("field") int field;

    @Mark
    Main(@Mark("parameter") int n) {
        field = n;
    }

    static class Broken {
        static int value = 0;

        static {
            value = deep(3);
            value = lines(0);
        }
    }

    static int caller() {
        return new Throwable().getStackTrace()[1].getLineNumber();
    }

    static int deep(int n) {
        return n == 0 ? new Throwable().getStackTrace()[n + 4].getLineNumber() : deep(n - 1);
    }

    static int lines(int n) {
        int line = new Throwable().getStackTrace()[0].getLineNumber();
        int next =
            line
                + caller() / n;
        return next;
    }

    @Mark(numbers = {})
    static void unused(@Deprecated String a, long b) {}

    public static void main(String[] arguments) throws Exception {
        System.out.println(START + " " + new Main(3).field + " " + caller());
        try {
            System.out.println(Broken.value);
        } catch (ExceptionInInitializerError e) {
            for (StackTraceElement frame : e.getCause().getStackTrace()) {
                if (frame.getClassName().startsWith("Main")) {
                    System.out.println(frame.getMethodName() + ":" + frame.getLineNumber());
                }
            }
        }
        TreeSet<String> members = new TreeSet<>();
        for (Method m : Main.class.getDeclaredMethods()) {
            members.add(m.toString() + m.getAnnotation(Mark.class) + m.getParameterAnnotations().length);
        }
        for (Field f : Main.class.getDeclaredFields()) {
            members.add(f.toString() + f.getAnnotation(Mark.class));
        }
        for (Constructor<?> c : Main.class.getDeclaredConstructors()) {
            members.add(c.toString() + c.getParameterAnnotations()[0].length);
        }
        for (String member : members) {
            System.out.println(member);
        }
    }
}
