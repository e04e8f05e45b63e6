// A class as text in a normal form, made by ASM, so that class files can be compared by content.
package tamis.testkit;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.objectweb.asm.Attribute;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.RecordComponentNode;
import org.objectweb.asm.util.Textifier;
import org.objectweb.asm.util.TraceClassVisitor;

/**
 * The normal form is ASM's Textifier text of the class, read with expanded frames, and a list of
 * the attributes that ASM does not know.
 *
 * <p>It does not show: the order and the unused entries of the constant pool, the order of
 * attributes and of bootstrap methods, how frames are compressed, which of several encodings an
 * instruction has ({@code iload_1} or {@code wide iload 1}, {@code ldc} or {@code ldc_w}, {@code
 * goto} or {@code goto_w}), code offsets (labels are numbered by appearance, and those that nothing
 * refers to are left out), how line numbers are spread over tables, a {@code
 * LocalVariableTypeTable} entry without its {@code LocalVariableTable} entry, and, in a class
 * before version 49, whether synthetic is said by a flag or an attribute.
 *
 * <p>It shows everything else, in the file's order: flags, members, instructions with resolved
 * constants, exception tables, frames, maxima, annotations, debug tables, {@code InnerClasses} and
 * the other tables of the class. An unknown attribute is shown by name and bytes: whoever renumbers
 * the constant pool under one is found out.
 */
final class Text {
    static String of(byte[] bytes) {
        return of(bytes, 0);
    }

    /** The text as if lines, variables, parameter names and the source file were not there. */
    static String withoutDebugInfo(byte[] bytes) {
        return of(bytes, ClassReader.SKIP_DEBUG);
    }

    private static String of(byte[] bytes, int options) {
        ClassNode node = new ClassNode(Opcodes.ASM9);
        new ClassReader(bytes).accept(node, options | ClassReader.EXPAND_FRAMES);
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        List<String> unknown = takeUnknownAttributes(node);
        node.methods.forEach(UnusedLabels::removeFrom);
        node.accept(new TraceClassVisitor(null, new Textifier(), out));
        unknown.forEach(out::println);
        out.flush();
        return text.toString();
    }

    /**
     * Empty when the texts are equal, otherwise the first lines that differ with some that precede
     * them.
     */
    static String difference(byte[] leftClass, byte[] rightClass) {
        String left = of(leftClass);
        String right = of(rightClass);
        if (left.equals(right)) {
            return "";
        }
        String[] a = left.split("\n", -1);
        String[] b = right.split("\n", -1);
        int i = 0;
        while (i < a.length && i < b.length && a[i].equals(b[i])) {
            i++;
        }
        StringBuilder text = new StringBuilder();
        append(text, "  ", a, Math.max(0, i - 12), i);
        append(text, "- ", a, i, Math.min(a.length, i + 6));
        append(text, "+ ", b, i, Math.min(b.length, i + 6));
        return text.toString();
    }

    private static void append(StringBuilder text, String mark, String[] lines, int from, int to) {
        for (int i = from; i < to; i++) {
            text.append(mark).append(lines[i]).append('\n');
        }
    }

    /** Textifier has no more than "unknown" to say about them, and says it in the file's order. */
    private static List<String> takeUnknownAttributes(ClassNode node) {
        List<String> lines = new ArrayList<>();
        describe(lines, "class", node.attrs);
        node.attrs = null;
        if (node.recordComponents != null) {
            for (RecordComponentNode component : node.recordComponents) {
                describe(lines, "component " + component.name, component.attrs);
                component.attrs = null;
            }
        }
        for (FieldNode field : node.fields) {
            describe(lines, "field " + field.name + " " + field.desc, field.attrs);
            field.attrs = null;
        }
        for (MethodNode method : node.methods) {
            describe(lines, "method " + method.name + method.desc, method.attrs);
            method.attrs = null;
        }
        Collections.sort(lines);
        return lines;
    }

    private static void describe(List<String> lines, String owner, List<Attribute> attributes) {
        if (attributes == null) {
            return;
        }
        for (Attribute attribute : attributes) {
            StringBuilder line = new StringBuilder("unknown attribute of ");
            line.append(owner).append(": ").append(attribute.type).append(' ');
            for (byte b : Attribute.write(attribute, new ClassWriter(0), null, -1, -1, -1)) {
                line.append(String.format("%02x", b));
            }
            lines.add(line.toString());
        }
    }
}
