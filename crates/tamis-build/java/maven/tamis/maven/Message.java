// What the process that started Maven is told, as bytes. The reader is `task_message.rs`.
package tamis.maven;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;

/** Fields one after the other; numbers are little-endian, texts and lists begin with their length. */
final class Message {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /** A goal is about to run. */
    static Message before() {
        return new Message(1);
    }

    /** A goal has ended. */
    static Message after(String module, String execution, boolean isGreen) {
        return new Message(2).text(module).text(execution).flag(isGreen);
    }

    private Message(int kind) {
        bytes.write(kind);
    }

    Message text(String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        number(encoded.length);
        bytes.write(encoded, 0, encoded.length);
        return this;
    }

    Message texts(Collection<String> texts) {
        number(texts.size());
        texts.forEach(this::text);
        return this;
    }

    Message flag(boolean flag) {
        bytes.write(flag ? 1 : 0);
        return this;
    }

    Message checksum(byte[] checksum) {
        bytes.write(checksum, 0, checksum.length);
        return this;
    }

    /** Names with a checksum each. */
    Message checksums(Map<String, byte[]> checksums) {
        number(checksums.size());
        checksums.forEach((name, checksum) -> text(name).checksum(checksum));
        return this;
    }

    byte[] toBytes() {
        return bytes.toByteArray();
    }

    /** The four bytes of a number. */
    static byte[] encoded(int number) {
        return new byte[] {
            (byte) number, (byte) (number >> 8), (byte) (number >> 16), (byte) (number >> 24)
        };
    }

    private void number(int number) {
        bytes.write(encoded(number), 0, 4);
    }
}
