package tamis.bench;

/** Loads and initialises the classes {@code filler.F0} to {@code filler.Fn}. */
public final class Loading {
    public static void main(String[] arguments) throws ReflectiveOperationException {
        load(Integer.parseInt(arguments[0]));
    }

    static void load(int count) throws ReflectiveOperationException {
        for (int i = 0; i < count; i++) {
            Class.forName("filler.F" + i);
        }
    }
}
