package tamis.check;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.reflect.Field;
import java.util.Set;
import java.util.TreeSet;

/**
 * Stands in for the Maven plug-in of HyRTS, which was never published: asks its core which test classes may be left out,
 * and writes them as patterns that Surefire excludes. Arguments: the variant, the module's directory, the file for the
 * patterns. The core is reached by reflection, so that this compiles without it.
 */
public final class HyrtsStandIn {
    private static final String PROPERTIES = "set.hyrts.utils.Properties";

    private HyrtsStandIn() {}

    public static void main(String[] arguments) throws Exception {
        String variant = arguments[0];
        String module = arguments[1];
        configure(variant, module);
        Set<String> excluded = new TreeSet<>();
        Object found = Class.forName("set.hyrts.rts.HybridRTS").getMethod("main").invoke(null);
        if (found != null) {
            for (Object name : (Set<?>) found) {
                excluded.add((String) name);
            }
        }
        Object forJUnit3 = Class.forName("set.hyrts.coverage.agent.JUnitAgent")
                .getMethod("getJUnit3ExcludePath").invoke(null);
        write((String) forJUnit3, excluded, false);
        write(arguments[2], excluded, true);
    }

    /** What the plug-in sets before it asks. */
    private static void configure(String variant, String module) throws Exception {
        set(PROPERTIES, "OLD_DIR", module);
        set(PROPERTIES, "NEW_DIR", module);
        set(PROPERTIES, "NEW_CLASSPATH", module + "/target");
        set(PROPERTIES, "TRACER_COV_TYPE", variant + "-meth-cov");
        set(PROPERTIES, "FILE_CHECKSUM", variant + "-checksum");
        Class<?> variants = Class.forName(PROPERTIES + "$RTSVariant");
        set(PROPERTIES, "RTS", variants.getMethod("valueOf", String.class).invoke(null, variant));
        if (variant.equals("HyRTSf")) {
            // Added and deleted instance methods count as changes of the class.
            set("set.hyrts.diff.VersionDiff", "transDIM", true);
            set("set.hyrts.diff.VersionDiff", "transAIM", true);
        }
    }

    private static void set(String owner, String name, Object value) throws Exception {
        Field field = Class.forName(owner).getField(name);
        field.set(null, value);
    }

    /** One class a line; to Surefire as the path of its class file. */
    private static void write(String file, Set<String> names, boolean asPatterns) throws IOException {
        try (PrintWriter writer = new PrintWriter(file, "UTF-8")) {
            for (String name : names) {
                writer.println(asPatterns ? name.replace('.', '/') + ".*" : name);
            }
        }
    }
}
