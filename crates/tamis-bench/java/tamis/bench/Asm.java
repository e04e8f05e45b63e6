// ASM going over a corpus of classes, again and again, each time on command.
package tamis.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.ModuleVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.RecordComponentVisitor;
import org.objectweb.asm.TypePath;

/**
 * Input: the number of classes (four bytes, big-endian), each class as its length (four bytes) and
 * its bytes; then one byte for each pass: r to read, c to copy, p to probe. The answer to a pass is
 * the processor time in nanoseconds (eight bytes) and the number of classes refused (four bytes).
 *
 * <p>The processor time is that of the whole process: collecting garbage is part of the work, and
 * whatever is still being compiled after the warm-up counts too.
 */
public final class Asm {
    /** Whatever comes out goes here, so that no compiler finds the work useless. */
    private static volatile int sink;

    public static void main(String[] arguments) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(System.in, 1 << 16));
        DataOutputStream out = new DataOutputStream(System.out);
        byte[][] classes = new byte[in.readInt()][];
        for (int i = 0; i < classes.length; i++) {
            classes[i] = new byte[in.readInt()];
            in.readFully(classes[i]);
        }
        OperatingSystemMXBean system =
                (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        for (int command = in.read(); command >= 0; command = in.read()) {
            long start = system.getProcessCpuTime();
            int refused = pass(classes, command);
            out.writeLong(system.getProcessCpuTime() - start);
            out.writeInt(refused);
            out.flush();
        }
    }

    private static int pass(byte[][] classes, int command) {
        int refused = 0;
        int size = 0;
        for (byte[] bytes : classes) {
            try {
                size += work(bytes, command);
            } catch (RuntimeException e) {
                refused++;
            }
        }
        sink = size;
        return refused;
    }

    private static int work(byte[] bytes, int command) {
        ClassReader reader = new ClassReader(bytes);
        switch (command) {
            case 'r':
                Everything everything = new Everything();
                reader.accept(everything, 0);
                return everything.members;
            case 'c':
                ClassWriter copy = new ClassWriter(0);
                reader.accept(copy, 0);
                return copy.toByteArray().length;
            case 'p':
                ClassWriter writer = new ClassWriter(reader, 0);
                reader.accept(new Probing(writer), 0);
                return writer.toByteArray().length;
            default:
                throw new IllegalStateException("no such command: " + command);
        }
    }

    /** Looks at everything: a visitor that were null would make ASM skip what it stands for. */
    private static final class Everything extends ClassVisitor {
        private static final AnnotationVisitor ANNOTATION = new Values();
        private static final FieldVisitor FIELD = new FieldVisitor(Opcodes.ASM9) {};
        private static final MethodVisitor METHOD = new MethodVisitor(Opcodes.ASM9) {};

        int members;

        Everything() {
            super(Opcodes.ASM9);
        }

        @Override
        public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
            return ANNOTATION;
        }

        @Override
        public FieldVisitor visitField(
                int access, String name, String descriptor, String signature, Object value) {
            members++;
            return FIELD;
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            members++;
            return METHOD;
        }

        @Override
        public ModuleVisitor visitModule(String name, int access, String version) {
            return new ModuleVisitor(Opcodes.ASM9) {};
        }

        @Override
        public RecordComponentVisitor visitRecordComponent(
                String name, String descriptor, String signature) {
            return new RecordComponentVisitor(Opcodes.ASM9) {};
        }

        @Override
        public AnnotationVisitor visitTypeAnnotation(
                int typeRef, TypePath typePath, String descriptor, boolean visible) {
            return ANNOTATION;
        }
    }

    /** All values of an annotation, nested ones too. */
    private static final class Values extends AnnotationVisitor {
        Values() {
            super(Opcodes.ASM9);
        }

        @Override
        public AnnotationVisitor visitAnnotation(String name, String descriptor) {
            return this;
        }

        @Override
        public AnnotationVisitor visitArray(String name) {
            return this;
        }
    }

    /** {@code tamis/H0.C[id] = 1} at the start of every method that has code. */
    private static final class Probing extends ClassVisitor {
        private int id;

        Probing(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor next =
                    super.visitMethod(access, name, descriptor, signature, exceptions);
            boolean hasCode = (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) == 0;
            return hasCode ? new Probe(next, id++) : next;
        }
    }

    private static final class Probe extends MethodVisitor {
        private final int id;

        Probe(MethodVisitor next, int id) {
            super(Opcodes.ASM9, next);
            this.id = id;
        }

        @Override
        public void visitCode() {
            super.visitCode();
            super.visitFieldInsn(Opcodes.GETSTATIC, "tamis/H0", "C", "[B");
            super.visitIntInsn(Opcodes.SIPUSH, id);
            super.visitInsn(Opcodes.ICONST_1);
            super.visitInsn(Opcodes.BASTORE);
        }

        @Override
        public void visitMaxs(int maxStack, int maxLocals) {
            super.visitMaxs(Math.max(maxStack, 3), maxLocals);
        }
    }
}
