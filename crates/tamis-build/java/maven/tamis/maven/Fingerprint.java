// A checksum over settings, whose values are nobody else's business.
package tamis.maven;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.codehaus.plexus.util.xml.Xpp3Dom;

/**
 * SHA-256 over values in a canonical form: each begins with its kind and its length, maps are sorted by
 * key. Of a file its path and its content count.
 */
final class Fingerprint {
    private static final int LENGTH = 16;

    private final MessageDigest digest;

    Fingerprint() throws NoSuchAlgorithmException {
        digest = MessageDigest.getInstance("SHA-256");
    }

    Fingerprint add(String name, Object value) throws IOException {
        bytes('k', name.getBytes(StandardCharsets.UTF_8));
        value(value);
        return this;
    }

    byte[] toChecksum() {
        return Arrays.copyOf(digest.digest(), LENGTH);
    }

    private void value(Object value) throws IOException {
        if (value == null) {
            count('n', 0);
        } else if (value instanceof Map) {
            map((Map<?, ?>) value);
        } else if (value instanceof Collection) {
            list(((Collection<?>) value).toArray());
        } else if (value instanceof Object[]) {
            list((Object[]) value);
        } else if (value instanceof File) {
            file((File) value);
        } else if (value instanceof Xpp3Dom) {
            element((Xpp3Dom) value);
        } else {
            bytes('t', textOf(value).getBytes(StandardCharsets.UTF_8));
        }
    }

    /** What tells nothing of itself is known by its class; others would show where they lie in memory. */
    private static String textOf(Object value) {
        boolean isPlain =
                value instanceof CharSequence || value instanceof Number || value instanceof Boolean;
        return isPlain ? value.toString() : value.getClass().getName();
    }

    private void map(Map<?, ?> map) throws IOException {
        Map<String, Object> sorted = new TreeMap<>();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            sorted.put(String.valueOf(entry.getKey()), entry.getValue());
        }
        count('m', sorted.size());
        for (Map.Entry<String, Object> entry : sorted.entrySet()) {
            add(entry.getKey(), entry.getValue());
        }
    }

    private void list(Object[] values) throws IOException {
        count('l', values.length);
        for (Object value : values) {
            value(value);
        }
    }

    private void file(File file) throws IOException {
        bytes('f', file.getAbsolutePath().getBytes(StandardCharsets.UTF_8));
        if (file.isFile()) {
            bytes('c', Files.readAllBytes(file.toPath()));
        } else {
            count('n', 0);
        }
    }

    private void element(Xpp3Dom element) throws IOException {
        bytes('e', element.getName().getBytes(StandardCharsets.UTF_8));
        value(element.getValue());
        String[] names = element.getAttributeNames();
        Arrays.sort(names);
        count('a', names.length);
        for (String name : names) {
            add(name, element.getAttribute(name));
        }
        list(element.getChildren());
    }

    private void bytes(char kind, byte[] bytes) {
        count(kind, bytes.length);
        digest.update(bytes);
    }

    private void count(char kind, int count) {
        digest.update((byte) kind);
        digest.update(Message.encoded(count));
    }
}
