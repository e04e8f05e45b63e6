//! What tests leave in objects that others get by other static fields, or by none that they name.

use crate::plain_program::assert_calc_concerns;

#[test]
fn an_initialiser_gives_an_object_two_names() {
    assert_calc_concerns(
        &[
            ("Node", "public class Node { public int n; }"),
            (
                "Names",
                "import java.util.*; public class Names {
                    public static final Node HEAD = new Node(), OTHER = new Node();
                    public static final Node TAIL = HEAD;
                    public static final List<Node> ALL = Collections.singletonList(HEAD);
                    public static final Map<String, Node> BY_NAME = new HashMap<>();
                    static { Node node = HEAD; BY_NAME.put(\"head\", node); } }",
            ),
            (
                "Elsewhere",
                "public class Elsewhere { public static final Node NODE = Names.HEAD; }",
            ),
            (
                "AFillsTest",
                "public class AFillsTest { @Test void fills() { Names.HEAD.n = Calc.one(); } }",
            ),
            (
                "BReadsTest",
                "public class BReadsTest { @Test void reads() { if (Names.TAIL.n != 1) throw new Error(); } }",
            ),
            (
                "CReadsTest",
                "public class CReadsTest { @Test void reads() { if (Names.ALL.get(0).n != 1) throw new Error(); } }",
            ),
            (
                "DReadsTest",
                "public class DReadsTest { @Test void reads() { if (Names.BY_NAME.get(\"head\").n != 1) throw new Error(); } }",
            ),
            (
                "EReadsTest",
                "public class EReadsTest { @Test void reads() { if (Elsewhere.NODE.n != 1) throw new Error(); } }",
            ),
            (
                "FCalmTest",
                "public class FCalmTest { @Test void reads() { if (Names.OTHER.n != 0) throw new Error(); } }",
            ),
            (
                "GCalmTest",
                "public class GCalmTest { @Test void reads() { if (new Node().n != 0) throw new Error(); } }",
            ),
        ],
        |_| {},
        &[
            ("AFillsTest", "passed"),
            ("BReadsTest", "failed"),
            ("CReadsTest", "failed"),
            ("DReadsTest", "failed"),
            ("EReadsTest", "failed"),
        ],
    );
}

#[test]
fn a_singleton_holds_another_one() {
    assert_calc_concerns(
        &[
            (
                "Registry",
                "public class Registry { private static Registry made;
                    private final java.util.Map<String, Integer> known = new java.util.HashMap<>();
                    public static Registry get() { if (made == null) made = new Registry(); return made; }
                    public void put(int value) { known.put(\"a\", value); }
                    public int value() { return known.get(\"a\"); } }",
            ),
            (
                "Service",
                "public class Service { private static Service made; public final Registry registry;
                    private Service(Registry registry) { this.registry = registry; }
                    public static Service get() { if (made == null) made = new Service(Registry.get()); return made; } }",
            ),
            ("Held", "public class Held { public static Held held; public int n; }"),
            (
                "App",
                "public class App { private static App made; public final Held held = new Held();
                    public static App get() { if (made == null) { made = new App(); Held.held = made.held; } return made; } }",
            ),
            ("AMakesTest", "public class AMakesTest { @Test void makes() { if (Service.get() == null) throw new Error(); } }"),
            ("BFillsTest", "public class BFillsTest { @Test void fills() { Registry.get().put(Calc.one()); } }"),
            ("CReadsTest", "public class CReadsTest { @Test void reads() { if (Service.get().registry.value() != 1) throw new Error(); } }"),
            ("DMakesTest", "public class DMakesTest { @Test void makes() { if (App.get() == null) throw new Error(); } }"),
            ("EFillsTest", "public class EFillsTest { @Test void fills() { App.get().held.n = Calc.one(); } }"),
            ("FReadsTest", "public class FReadsTest { @Test void reads() { if (Held.held.n != 1) throw new Error(); } }"),
            ("GCalmTest", "public class GCalmTest { @Test void reads() { if (new Held().n != 0) throw new Error(); } }"),
        ],
        |_| {},
        &[
            ("BFillsTest", "passed"),
            ("CReadsTest", "failed"),
            ("EFillsTest", "passed"),
            ("FReadsTest", "failed"),
        ],
    );
}

#[test]
fn an_object_registers_itself() {
    assert_calc_concerns(
        &[
            (
                "Bus",
                "import java.util.*; public class Bus { static final List<Last> KNOWN = new ArrayList<>();
                    public static void fire(int n) { for (Last last : KNOWN) last.on(n); } }",
            ),
            (
                "Last",
                "public class Last { private static final Last LAST = new Last(); private int n;
                    static { Bus.KNOWN.add(LAST); } static void touch() { } void on(int n) { this.n = n; }
                    public static int n() { return LAST.n; } }",
            ),
            ("AReadsTest", "public class AReadsTest { @Test void reads() { if (Last.n() != 0) throw new Error(); } }"),
            ("BFiresTest", "public class BFiresTest { @Test void fires() { Last.touch(); Bus.fire(Calc.one()); } }"),
            ("CReadsTest", "public class CReadsTest { @Test void reads() { if (Last.n() > 1) throw new Error(); } }"),
        ],
        |_| {},
        &[("BFiresTest", "passed"), ("CReadsTest", "failed")],
    );
}

#[test]
fn a_constant_of_an_enum_has_ways_to_it_that_name_no_field() {
    assert_calc_concerns(
        &[
            ("Color", "public enum Color { RED, BLUE { int twice() { return 2 * v; } }; public int v; int twice() { return v + v; } }"),
            ("Mode", "public enum Mode { ON; public int own() { return 7; } }"),
            ("AFillsTest", "public class AFillsTest { @Test void fills() { Color.RED.v = Calc.one(); Color.BLUE.v = Calc.one(); } }"),
            ("BReadsTest", "public class BReadsTest { @Test void reads() { if (Color.valueOf(\"RED\").v != 1) throw new Error(); } }"),
            ("CReadsTest", "public class CReadsTest { @Test void reads() { for (Color color : Color.values()) if (color.v != 1) throw new Error(); } }"),
            ("DReadsTest", "public class DReadsTest { @Test void reads() {
                for (Color color : java.util.EnumSet.allOf(Color.class)) if (color.twice() != 2) throw new Error(); } }"),
            ("EReadsTest", "public class EReadsTest { @Test void reads() { if (Enum.valueOf(Color.class, \"BLUE\").twice() != 2) throw new Error(); } }"),
            ("FCalmTest", "public class FCalmTest { @Test void reads() { if (Mode.valueOf(\"ON\").own() != 7) throw new Error(); } }"),
        ],
        |_| {},
        &[
            ("AFillsTest", "passed"),
            ("BReadsTest", "failed"),
            ("CReadsTest", "failed"),
            ("DReadsTest", "failed"),
            ("EReadsTest", "failed"),
        ],
    );
}

/// A parameter of a test is what the extension gives first.
#[test]
fn a_framework_finds_an_extension_of_several_classes() {
    assert_calc_concerns(
        &[
            (
                "Lazy",
                "import org.junit.jupiter.api.extension.*; public class Lazy implements ParameterResolver { private Integer value;
                    public boolean supportsParameter(ParameterContext p, ExtensionContext c) { return true; }
                    public Object resolveParameter(ParameterContext p, ExtensionContext c) {
                        if (value == null) value = Calc.one(); return value; } }",
            ),
            (
                "WithLazy",
                "public abstract class WithLazy {
                    @org.junit.jupiter.api.extension.RegisterExtension static final Lazy LAZY = new Lazy(); }",
            ),
            ("ALazyTest", "public class ALazyTest extends WithLazy { @Test void reads(Integer one) { if (one != 1) throw new Error(); } }"),
            ("BLazyTest", "public class BLazyTest extends WithLazy { @Test void reads(Integer one) { if (one != 1) throw new Error(); } }"),
            ("CCalmTest", "public class CCalmTest { @Test void runs() { } }"),
        ],
        |_| {},
        &[("ALazyTest", "failed"), ("BLazyTest", "failed")],
    );
}

#[test]
fn reflection_looks_at_static_fields_and_sets_them() {
    let handle = "private static final java.lang.invoke.MethodHandle HANDLE;
        static { try { HANDLE = java.lang.invoke.MethodHandles.lookup().findStaticGetter(Box.class, \"handled\", int.class); }
            catch (ReflectiveOperationException e) { throw new Error(e); } }";
    let handles = format!(
        "public class Handles {{ {handle} static int get() {{ try {{ return (int) HANDLE.invokeExact(); }}
            catch (Throwable e) {{ throw new Error(e); }} }} }}"
    );
    assert_calc_concerns(
        &[
            ("Box", "public class Box { static int set, read, handled; }"),
            ("Other", "public class Other { static int n; static int n() { return n; } }"),
            ("Handles", &handles),
            ("ASetsTest", "public class ASetsTest { @Test void sets() throws Exception { Box.class.getDeclaredField(\"set\").setInt(null, Calc.one()); } }"),
            ("BReadsTest", "public class BReadsTest { @Test void reads() { if (Box.set != 1) throw new Error(); } }"),
            ("CSetsTest", "public class CSetsTest { @Test void sets() { Box.read = Calc.one(); Box.handled = Calc.one(); } }"),
            ("DReadsTest", "public class DReadsTest { @Test void reads() throws Exception {
                if (!Box.class.getDeclaredField(\"read\").get(null).equals(1)) throw new Error(); } }"),
            ("EReadsTest", "public class EReadsTest { @Test void reads() { if (Handles.get() != 1) throw new Error(); } }"),
            ("FCalmTest", "public class FCalmTest { @Test void reads() { if (Other.n() != 0) throw new Error(); } }"),
        ],
        |_| {},
        &[
            ("ASetsTest", "passed"),
            ("BReadsTest", "failed"),
            ("CSetsTest", "passed"),
            ("DReadsTest", "failed"),
            ("EReadsTest", "failed"),
        ],
    );
}
