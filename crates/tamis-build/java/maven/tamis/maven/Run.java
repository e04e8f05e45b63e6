// What the process that started Maven has written down for this run, and what it is told in return.
package tamis.maven;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import org.apache.maven.execution.MavenSession;

/**
 * The settings of the run. They lie in a file beside this class: environment variables and properties
 * of Maven's reach the tests.
 */
final class Run {
    private static final String EXTENSIONS = "maven.ext.class.path";

    /** The script {@code mvn} puts its arguments here, where tests see them. */
    private static final String COMMAND_LINE = "MAVEN_CMD_LINE_ARGS";

    /** What some Surefire takes for something else in {@code argLine}, however it is quoted. */
    private static final Pattern NOT_FOR_ARG_LINE =
            Pattern.compile("[\\p{Cntrl}\\\\']|@\\{|\\$\\{");

    private final Properties settings = new Properties();

    private Host host;

    Run() {
        try (InputStream file = Run.class.getResourceAsStream("run.properties")) {
            settings.load(new InputStreamReader(file, StandardCharsets.UTF_8));
            String port = settings.getProperty("host-port");
            if (port != null) {
                int seconds = Integer.parseInt(settings.getProperty("host-seconds"));
                byte[] countersign = key("host-countersign");
                host = new Host(Integer.parseInt(port), key("host-token"), countersign, seconds);
            }
        } catch (Exception failure) {
            // Without settings no JVM is a proven one, and all is left alone. Nobody can be told.
            settings.clear();
        }
    }

    String agent() {
        return settings.getProperty("agent");
    }

    /** Whether a JVM can be told where the agent is: the file is seen under its name, and no more. */
    boolean canNameAgent() {
        return Paths.get(agent()).toFile().isFile() && !NOT_FOR_ARG_LINE.matcher(agent()).find();
    }

    /** The option that loads the agent, as Surefire's {@code argLine} has it. */
    String agentOption(String label) {
        String options = settings.getProperty("options") + ",label=" + label;
        String option = "-agentpath:" + agent() + "=" + options;
        // Arguments end at spaces, unless these are quoted.
        return "'" + option + "'";
    }

    /** Whether the JDK of this launcher was seen to load the agent; one that does not, does not start. */
    boolean isProven(String java) {
        try {
            Path home = Paths.get(java).toRealPath().getParent().getParent();
            String[] homes = settings.getProperty("homes", "").split("\n");
            return Arrays.asList(homes).contains(home.toString());
        } catch (IOException missing) {
            return false;
        }
    }

    /** Who can be asked about tests; nobody, if the run needs no answers. */
    Host host() {
        return host;
    }

    /** Whether no test is to run, whatever becomes of questions: somebody wants to know what would. */
    boolean onlyAsks() {
        return Boolean.parseBoolean(settings.getProperty("only-asks"));
    }

    /** Takes out of the properties what brought this extension into Maven. */
    @SuppressWarnings("deprecation") // Old plug-ins still read the properties of both kinds in one.
    void hideFrom(MavenSession session) {
        String user = settings.getProperty("user-property");
        String system = settings.getProperty("system-property");
        restore(session.getUserProperties(), EXTENSIONS, user);
        restore(session.getSystemProperties(), EXTENSIONS, system);
        restore(session.getExecutionProperties(), EXTENSIONS, user == null ? system : user);
        restore(System.getProperties(), EXTENSIONS, system);
        String line = commandLine();
        if (line != null) {
            restore(session.getSystemProperties(), "env." + COMMAND_LINE, line);
            restore(session.getExecutionProperties(), "env." + COMMAND_LINE, line);
        }
    }

    /** Gives test JVMs the command line that the user wrote. */
    void restoreEnvironment(TestMojo mojo) throws Exception {
        String line = commandLine();
        Map<String, String> environment = mojo.environment();
        if (line != null && environment != null && !mojo.excludesFromEnvironment(COMMAND_LINE)) {
            environment.putIfAbsent(COMMAND_LINE, line);
        }
    }

    /** Tells the process outside; several threads of Maven may have something to tell. */
    synchronized void note(String kind, String module, String execution, String text) {
        StringBuilder line = new StringBuilder(kind);
        for (String field : new String[] {module, execution, text}) {
            String escaped = field.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n");
            line.append('\t').append(escaped);
        }
        byte[] bytes = line.append('\n').toString().getBytes(StandardCharsets.UTF_8);
        try {
            Path notes = Paths.get(settings.getProperty("notes"));
            Files.write(notes, bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (Exception failure) {
            // The process sees that this extension never told that it was loaded, or is gone itself.
            return;
        }
    }

    private byte[] key(String name) {
        String digits = settings.getProperty(name);
        byte[] key = new byte[digits.length() / 2];
        for (int i = 0; i < key.length; i++) {
            key[i] = (byte) Integer.parseInt(digits.substring(2 * i, 2 * i + 2), 16);
        }
        return key;
    }

    private String commandLine() {
        String line = System.getenv(COMMAND_LINE);
        return line == null ? null : line.replace(settings.getProperty("inserted"), "");
    }

    private static void restore(Properties properties, String name, String value) {
        if (value == null) {
            properties.remove(name);
        } else if (properties.containsKey(name)) {
            properties.setProperty(name, value);
        }
    }
}
