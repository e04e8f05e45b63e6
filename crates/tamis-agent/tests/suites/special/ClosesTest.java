// A test that closes every descriptor that is not a file of its JVM or of its class path.

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.Test;

public class ClosesTest {
    static class Later {
        static final int VALUE = Integer.parseInt("7");
    }

    @Test
    public void closes() throws Exception {
        Field number = FileDescriptor.class.getDeclaredField("fd");
        number.setAccessible(true);
        for (int i = 3; i < 64; i++) {
            Path link = new File("/proc/self/fd/" + i).toPath();
            if (!Files.isSymbolicLink(link)) {
                continue;
            }
            String target = Files.readSymbolicLink(link).toString();
            if (target.endsWith(".jar") || target.endsWith("/modules") || target.endsWith(".jsa")) {
                continue;
            }
            FileDescriptor descriptor = new FileDescriptor();
            number.setInt(descriptor, i);
            new FileOutputStream(descriptor).close();
        }
        // These get the numbers that were just given back.
        File file = File.createTempFile("closes", null);
        FileOutputStream[] streams = new FileOutputStream[16];
        for (int i = 0; i < streams.length; i++) {
            streams[i] = new FileOutputStream(file, true);
        }
        System.out.println(Later.VALUE);
        for (FileOutputStream stream : streams) {
            stream.write('x');
            stream.close();
        }
        System.out.println(file.length());
        file.delete();
    }
}
