// Tamis's probes, inserted with ASM: slow, plain to read, sharing no code with the ones in Rust.
package tamis.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.LocalVariableAnnotationNode;
import org.objectweb.asm.tree.LocalVariableNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/**
 * Common to all: frames and maxima are not computed but kept and corrected by hand; what the debug
 * tables say about the start of a method (lines and variables at its first instruction) stays at
 * the start, in front of the probe, while branches, exception ranges and frames at the first
 * instruction go with it.
 */
final class Probes {
    /**
     * {@code holder.C[first + k] = 1} at the start of the k-th method that has code. The second
     * result lists these methods, one a line: id, flags, name, descriptor, with tabs between.
     */
    static byte[][] entry(byte[] bytes, String holder, int first) {
        ClassNode node = read(bytes);
        String units = addEntryProbes(node, holder, first);
        return new byte[][] {write(node), Server.bytes(units)};
    }

    /**
     * Entry probes, and {@code holder.C[id] = 1} where each basic block but the first begins, ids
     * counting on from those of the entry probes. Only in the methods whose numbers are given,
     * separated by commas. The second result lists the methods that could have such probes, which are
     * those with code but initialisers and those with subroutines: number and count of blocks, with a
     * tab between.
     */
    static byte[][] blocks(byte[] bytes, String holder, int first, String chosen) {
        ClassNode node = read(bytes);
        List<String> numbers = Arrays.asList(chosen.split(","));
        StringBuilder found = new StringBuilder();
        int id = first;
        for (MethodNode method : node.methods) {
            id += method.instructions.size() == 0 ? 0 : 1;
        }
        for (int number = 0; number < node.methods.size(); number++) {
            MethodNode method = node.methods.get(number);
            boolean hasCode = method.instructions.size() > 0;
            if (!hasCode || method.name.startsWith("<") || Blocks.hasSubroutines(method)) {
                continue;
            }
            List<AbstractInsnNode> leaders = Blocks.leaders(method);
            found.append(number).append('\t').append(leaders.size()).append('\n');
            if (numbers.contains(String.valueOf(number))) {
                for (AbstractInsnNode leader : leaders.subList(1, leaders.size())) {
                    Blocks.insert(method, leader, mark(holder, id));
                    id++;
                }
                method.maxStack += 3;
            }
        }
        addEntryProbes(node, holder, first);
        return new byte[][] {write(node), Server.bytes(found.toString())};
    }

    private static String addEntryProbes(ClassNode node, String holder, int first) {
        StringBuilder units = new StringBuilder();
        int id = first;
        for (MethodNode method : node.methods) {
            if (method.instructions.size() == 0) {
                continue;
            }
            prepend(method, mark(holder, id));
            method.maxStack = Math.max(method.maxStack, 3);
            units.append(id).append('\t').append(method.access).append('\t');
            units.append(method.name).append('\t').append(method.desc).append('\n');
            id++;
        }
        return units.toString();
    }

    private static InsnList mark(String holder, int id) {
        if (id > Short.MAX_VALUE) {
            throw new IllegalArgumentException("more units than sipush can number");
        }
        InsnList probe = new InsnList();
        probe.add(new FieldInsnNode(Opcodes.GETSTATIC, holder, "C", "[B"));
        probe.add(new IntInsnNode(Opcodes.SIPUSH, id));
        probe.add(new InsnNode(Opcodes.ICONST_1));
        probe.add(new InsnNode(Opcodes.BASTORE));
        return probe;
    }

    /**
     * {@code owner.begin(id)} at the start of {@code <clinit>} and {@code owner.end(id)} on every
     * way out: in front of each return, and in a handler for everything that covers all but the
     * begin call and stands last in the exception table.
     */
    static byte[][] bracket(byte[] bytes, String owner, int id) {
        ClassNode node = read(bytes);
        MethodNode method = find(node, "<clinit>", "()V");
        for (AbstractInsnNode insn : method.instructions.toArray()) {
            if (insn.getOpcode() == Opcodes.RETURN) {
                method.instructions.insertBefore(insn, call(owner, "end", id));
            }
        }
        LabelNode covered = new LabelNode();
        InsnList begin = call(owner, "begin", id);
        begin.add(covered);
        prepend(method, begin);
        LabelNode handler = new LabelNode();
        method.instructions.add(handler);
        if (hasFrames(node)) {
            Object[] stack = {"java/lang/Throwable"};
            method.instructions.add(new FrameNode(Opcodes.F_NEW, 0, new Object[0], 1, stack));
        }
        method.instructions.add(call(owner, "end", id));
        method.instructions.add(new InsnNode(Opcodes.ATHROW));
        method.tryCatchBlocks.add(new TryCatchBlockNode(covered, handler, handler, null));
        // In front of a return the operand stack need not be empty (JVMS 4.10); the handler has a
        // throwable and the id.
        method.maxStack = Math.max(method.maxStack + 1, 2);
        return new byte[][] {write(node)};
    }

    /**
     * A call of {@code owner.name} with references among the receiver and the parameters, at the
     * start of one method. It either returns nothing, or a boolean that makes the method return
     * early when true.
     *
     * <p>Fields: class, method name, descriptor, owner, name, arguments (numbers by commas: 0 is
     * the receiver, n the n-th parameter).
     */
    static byte[][] prologue(byte[][] fields, boolean returnsEarly) {
        ClassNode node = read(fields[0]);
        MethodNode method = find(node, Server.text(fields[1]), Server.text(fields[2]));
        String arguments = Server.text(fields[5]);
        InsnList probe = new InsnList();
        StringBuilder descriptor = new StringBuilder("(");
        int count = 0;
        for (String argument : arguments.isEmpty() ? new String[0] : arguments.split(",")) {
            probe.add(new VarInsnNode(Opcodes.ALOAD, slot(method, Integer.parseInt(argument))));
            descriptor.append("Ljava/lang/Object;");
            count++;
        }
        descriptor.append(returnsEarly ? ")Z" : ")V");
        String owner = Server.text(fields[3]);
        String name = Server.text(fields[4]);
        String called = descriptor.toString();
        probe.add(new MethodInsnNode(Opcodes.INVOKESTATIC, owner, name, called, false));
        if (returnsEarly) {
            addEarlyReturn(node, method, probe);
            count = Math.max(count, 1);
        }
        prepend(method, probe);
        method.maxStack = Math.max(method.maxStack, count);
        return new byte[][] {write(node)};
    }

    /**
     * Gives a method another name. A source cannot say {@code return} in the middle of a static
     * initialiser; a static method that is then called {@code <clinit>} can. Fields: class, name,
     * descriptor, new name.
     */
    static byte[][] rename(byte[][] fields) {
        ClassNode node = read(fields[0]);
        find(node, Server.text(fields[1]), Server.text(fields[2])).name = Server.text(fields[3]);
        return new byte[][] {write(node)};
    }

    /**
     * Writes a class anew behind constants that nobody names: with more than 255 of them every
     * {@code ldc} becomes an {@code ldc_w}, and the code moves. Fields: class, number of constants.
     */
    static byte[][] fill(byte[][] fields) {
        ClassWriter writer = new ClassWriter(0);
        for (int i = 0; i < Server.number(fields[1]); i++) {
            writer.newConst("filler " + i);
        }
        new ClassReader(fields[0]).accept(writer, 0);
        return new byte[][] {writer.toByteArray()};
    }

    private static void addEarlyReturn(ClassNode node, MethodNode method, InsnList probe) {
        if (!method.desc.endsWith(")V")) {
            throw new IllegalArgumentException("returns a value, so not early: " + method.desc);
        }
        LabelNode goOn = new LabelNode();
        probe.add(new JumpInsnNode(Opcodes.IFEQ, goOn));
        probe.add(new InsnNode(Opcodes.RETURN));
        probe.add(goOn);
        if (hasFrames(node) && !startsWithFrame(method)) {
            Object[] locals = initialLocals(node, method);
            probe.add(new FrameNode(Opcodes.F_NEW, locals.length, locals, 0, new Object[0]));
        }
    }

    private static ClassNode read(byte[] bytes) {
        ClassNode node = new ClassNode(Opcodes.ASM9);
        new ClassReader(bytes).accept(node, ClassReader.EXPAND_FRAMES);
        return node;
    }

    /** Into a constant pool of its own: nothing is copied from the original. */
    private static byte[] write(ClassNode node) {
        ClassWriter writer = new ClassWriter(0);
        node.accept(writer);
        return writer.toByteArray();
    }

    private static MethodNode find(ClassNode node, String name, String descriptor) {
        for (MethodNode method : node.methods) {
            boolean hasCode = method.instructions.size() > 0;
            if (hasCode && method.name.equals(name) && method.desc.equals(descriptor)) {
                return method;
            }
        }
        throw new IllegalArgumentException("no code for " + node.name + "." + name + descriptor);
    }

    /** The low half is the major version; below 50 a method has no frames. */
    private static boolean hasFrames(ClassNode node) {
        return (node.version & 0xFFFF) >= Opcodes.V1_6;
    }

    private static InsnList call(String owner, String name, int id) {
        InsnList insns = new InsnList();
        insns.add(new LdcInsnNode(id));
        insns.add(new MethodInsnNode(Opcodes.INVOKESTATIC, owner, name, "(I)V", false));
        return insns;
    }

    /**
     * Puts the probe in front, and moves what debug tables say about the first instruction in front
     * of the probe.
     */
    private static void prepend(MethodNode method, InsnList probe) {
        LabelNode start = new LabelNode();
        InsnList front = new InsnList();
        front.add(start);
        List<LabelNode> labels = new ArrayList<>();
        for (AbstractInsnNode insn : method.instructions.toArray()) {
            if (insn.getOpcode() >= 0) {
                break;
            }
            if (insn instanceof LabelNode) {
                labels.add((LabelNode) insn);
            } else if (insn instanceof LineNumberNode) {
                method.instructions.remove(insn);
                front.add(new LineNumberNode(((LineNumberNode) insn).line, start));
            }
        }
        front.add(probe);
        method.instructions.insert(front);
        moveVariables(method, labels, start);
    }

    private static void moveVariables(MethodNode method, List<LabelNode> labels, LabelNode start) {
        if (method.localVariables != null) {
            for (LocalVariableNode variable : method.localVariables) {
                if (labels.contains(variable.start)) {
                    variable.start = start;
                }
            }
        }
        moveAnnotations(method.visibleLocalVariableAnnotations, labels, start);
        moveAnnotations(method.invisibleLocalVariableAnnotations, labels, start);
    }

    private static void moveAnnotations(
            List<LocalVariableAnnotationNode> annotations,
            List<LabelNode> labels,
            LabelNode start) {
        if (annotations != null) {
            for (LocalVariableAnnotationNode annotation : annotations) {
                annotation.start.replaceAll(label -> labels.contains(label) ? start : label);
            }
        }
    }

    private static boolean startsWithFrame(MethodNode method) {
        for (AbstractInsnNode insn : method.instructions.toArray()) {
            if (insn.getOpcode() >= 0) {
                return false;
            }
            if (insn instanceof FrameNode) {
                return true;
            }
        }
        return false;
    }

    private static int slot(MethodNode method, int argument) {
        boolean isStatic = (method.access & Opcodes.ACC_STATIC) != 0;
        if (argument == 0) {
            if (isStatic || method.name.equals("<init>")) {
                throw new IllegalArgumentException("no receiver to pass on: " + method.name);
            }
            return 0;
        }
        Type[] types = Type.getArgumentTypes(method.desc);
        if (types[argument - 1].getSort() < Type.ARRAY) {
            throw new IllegalArgumentException(
                    "not a reference: parameter " + argument + " of " + method.desc);
        }
        int slot = isStatic ? 0 : 1;
        for (int i = 0; i < argument - 1; i++) {
            slot += types[i].getSize();
        }
        return slot;
    }

    private static Object[] initialLocals(ClassNode node, MethodNode method) {
        List<Object> locals = new ArrayList<>();
        if ((method.access & Opcodes.ACC_STATIC) == 0) {
            locals.add(method.name.equals("<init>") ? Opcodes.UNINITIALIZED_THIS : node.name);
        }
        for (Type type : Type.getArgumentTypes(method.desc)) {
            locals.add(frameItem(type));
        }
        return locals.toArray();
    }

    private static Object frameItem(Type type) {
        switch (type.getSort()) {
            case Type.FLOAT:
                return Opcodes.FLOAT;
            case Type.LONG:
                return Opcodes.LONG;
            case Type.DOUBLE:
                return Opcodes.DOUBLE;
            case Type.ARRAY:
            case Type.OBJECT:
                return type.getInternalName();
            default:
                return Opcodes.INTEGER;
        }
    }
}
