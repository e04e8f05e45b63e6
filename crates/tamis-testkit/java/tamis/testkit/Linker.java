// Links classes without initialising them, and tells how each ended: the verifier as an oracle.
package tamis.testkit;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/**
 * A loader that prefers its own classes: those given as bytes first, then those of its jars and
 * folders, then its parent's. Of a multi-release jar it sees the base classes; signatures are not
 * checked, since probed classes could not keep them.
 */
final class Linker extends ClassLoader implements Closeable {
    static {
        registerAsParallelCapable();
    }

    private final Map<String, byte[]> given = new HashMap<>();
    private final List<JarFile> jars = new ArrayList<>();
    private final List<File> folders = new ArrayList<>();

    private Linker(ClassLoader parent) {
        super(parent);
    }

    /** The class path, one a line; {@code classes} has name and bytes by turns. */
    static Linker open(ClassLoader parent, byte[] path, List<byte[]> classes) throws IOException {
        Linker loader = new Linker(parent);
        for (String entry : lines(path)) {
            loader.add(new File(entry));
        }
        for (int i = 0; i < classes.size(); i += 2) {
            loader.given.put(Server.text(classes.get(i)), classes.get(i + 1));
        }
        return loader;
    }

    /**
     * Class path, one a line; names (with slashes), one a line; then name and bytes by turns. The
     * answer has one field a name: {@code ok} or the error in normal form.
     */
    static List<byte[]> link(List<byte[]> fields) throws IOException {
        List<byte[]> answer = new ArrayList<>();
        List<byte[]> classes = fields.subList(2, fields.size());
        try (Linker loader = open(Linker.class.getClassLoader(), fields.get(0), classes)) {
            for (String name : lines(fields.get(1))) {
                answer.add(Server.bytes(link(loader, name)));
            }
        }
        return answer;
    }

    @Override
    public void close() throws IOException {
        for (JarFile jar : jars) {
            jar.close();
        }
    }

    private static String link(Linker loader, String name) {
        try {
            Class<?> loaded = Class.forName(name.replace('/', '.'), false, loader);
            if (loaded.getClassLoader() != loader) {
                return "not loaded from the class path but by " + loaded.getClassLoader();
            }
            // HotSpot links a class before it lists its constructors, and does not initialise it.
            loaded.getDeclaredConstructors();
            return "ok";
        } catch (Throwable error) {
            return normalForm(error);
        }
    }

    /**
     * The first line of the message, without code offsets and object identities: these change when
     * code is inserted. Which of several missing classes is told depends on the order of
     * verification, and HotSpot orders methods by the addresses of their names.
     */
    private static String normalForm(Throwable error) {
        if (error instanceof NoClassDefFoundError) {
            return error.getClass().getName();
        }
        String message = String.valueOf(error.getMessage()).split("\n", 2)[0];
        return error.getClass().getName() + ": " + message.replaceAll("@[0-9a-f]+", "@_");
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            byte[] bytes;
            try {
                bytes = find(name.replace('.', '/'));
            } catch (IOException error) {
                throw new ClassNotFoundException(name, error);
            }
            return bytes == null
                    ? super.loadClass(name, resolve)
                    : defineClass(name, bytes, 0, bytes.length);
        }
    }

    /** Groovy finds its methods through a resource beside its classes. */
    @Override
    protected URL findResource(String name) {
        for (File folder : folders) {
            File path = new File(folder, name);
            if (path.isFile()) {
                return url(path.toURI().toString());
            }
        }
        for (JarFile jar : jars) {
            if (jar.getEntry(name) != null) {
                return url("jar:" + new File(jar.getName()).toURI() + "!/" + name);
            }
        }
        return null;
    }

    @Override
    protected Enumeration<URL> findResources(String name) {
        URL found = findResource(name);
        return found == null
                ? Collections.emptyEnumeration()
                : Collections.enumeration(Collections.singletonList(found));
    }

    private static URL url(String text) {
        try {
            return new URL(text);
        } catch (MalformedURLException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void add(File entry) throws IOException {
        if (entry.isDirectory()) {
            folders.add(entry);
        } else {
            jars.add(new JarFile(entry, false));
        }
    }

    /** The class's own bytes, or null when it is not among the loader's own. */
    byte[] find(String name) throws IOException {
        byte[] bytes = given.get(name);
        if (bytes != null) {
            return bytes;
        }
        String file = name + ".class";
        for (File folder : folders) {
            File path = new File(folder, file);
            if (path.isFile()) {
                return Files.readAllBytes(path.toPath());
            }
        }
        for (JarFile jar : jars) {
            ZipEntry entry = jar.getEntry(file);
            if (entry != null) {
                return readAll(jar.getInputStream(entry));
            }
        }
        return null;
    }

    static byte[] readAll(InputStream in) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        byte[] buffer = new byte[1 << 14];
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            out.write(buffer, 0, n);
        }
        in.close();
        return out.toByteArray();
    }

    private static List<String> lines(byte[] field) {
        List<String> lines = new ArrayList<>();
        for (String line : Server.text(field).split("\n")) {
            if (!line.isEmpty()) {
                lines.add(line);
            }
        }
        return lines;
    }
}
