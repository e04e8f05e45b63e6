// A JVM that answers requests over stdin and stdout: ASM, javac and the JVM's verifier as oracles.
package tamis.testkit;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A request is a list of fields, the first being the command; a field is a length (four bytes,
 * big-endian) and that many bytes; a list is a count (four bytes) and its fields. The answer is one
 * byte, 0 for done and 1 for failed, and again a list: the result, or one field with a stack trace.
 *
 * <p>Commands with several jobs answer three fields a job: "ok" or "error", the result or the stack
 * trace, and more.
 */
public final class Server {
    public static void main(String[] arguments) throws IOException {
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out, 1 << 16));
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in, 1 << 16));
        // Whatever a tool prints must not get between the answers.
        System.setOut(System.err);
        while (true) {
            List<byte[]> request;
            try {
                request = readList(in);
            } catch (EOFException closed) {
                return;
            }
            List<byte[]> answer;
            int status = 0;
            try {
                answer = answer(request);
            } catch (Throwable failure) {
                status = 1;
                answer = Arrays.asList(bytes(stackTrace(failure)));
            }
            out.writeByte(status);
            writeList(out, answer);
            out.flush();
        }
    }

    /** One piece of a request with several jobs. */
    private interface Job {
        /** The result, and optionally more. */
        byte[][] run(byte[][] fields) throws Exception;
    }

    private static List<byte[]> answer(List<byte[]> request) throws Exception {
        String command = text(request.get(0));
        List<byte[]> fields = request.subList(1, request.size());
        switch (command) {
            case "compile":
                return Compiler.compile(fields);
            case "link":
                return Linker.link(fields);
            case "run":
                return Running.run(fields);
            case "text":
                return each(fields, 1, f -> new byte[][] {bytes(Text.of(f[0]))});
            case "text-without-debug-info":
                return each(fields, 1, f -> new byte[][] {bytes(Text.withoutDebugInfo(f[0]))});
            case "difference":
                return each(fields, 2, f -> new byte[][] {bytes(Text.difference(f[0], f[1]))});
            case "probe-entry":
                return each(fields, 3, f -> Probes.entry(f[0], text(f[1]), number(f[2])));
            case "probe-blocks":
                return each(
                        fields,
                        4,
                        f -> Probes.blocks(f[0], text(f[1]), number(f[2]), text(f[3])));
            case "probe-bracket":
                return each(fields, 3, f -> Probes.bracket(f[0], text(f[1]), number(f[2])));
            case "probe-skip":
                return each(fields, 6, f -> Probes.prologue(f, true));
            case "probe-call":
                return each(fields, 6, f -> Probes.prologue(f, false));
            case "fill":
                return each(fields, 2, f -> Probes.fill(f));
            case "rename-method":
                return each(fields, 4, f -> Probes.rename(f));
            default:
                throw new IllegalArgumentException("no such command: " + command);
        }
    }

    private static List<byte[]> each(List<byte[]> fields, int perJob, Job job) {
        List<byte[]> answer = new ArrayList<>();
        for (int i = 0; i < fields.size(); i += perJob) {
            byte[] more = {};
            byte[] result;
            String status = "ok";
            try {
                byte[][] done = job.run(fields.subList(i, i + perJob).toArray(new byte[0][]));
                result = done[0];
                more = done.length > 1 ? done[1] : more;
            } catch (Throwable failure) {
                status = "error";
                result = bytes(stackTrace(failure));
            }
            answer.add(bytes(status));
            answer.add(result);
            answer.add(more);
        }
        return answer;
    }

    private static List<byte[]> readList(DataInputStream in) throws IOException {
        List<byte[]> fields = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            byte[] field = new byte[in.readInt()];
            in.readFully(field);
            fields.add(field);
        }
        return fields;
    }

    private static void writeList(DataOutputStream out, List<byte[]> fields) throws IOException {
        out.writeInt(fields.size());
        for (byte[] field : fields) {
            out.writeInt(field.length);
            out.write(field);
        }
    }

    static String text(byte[] field) {
        return new String(field, StandardCharsets.UTF_8);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static int number(byte[] field) {
        return Integer.parseInt(text(field));
    }

    private static String stackTrace(Throwable failure) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        failure.printStackTrace(new PrintStream(out, true));
        return new String(out.toByteArray(), StandardCharsets.UTF_8);
    }
}
