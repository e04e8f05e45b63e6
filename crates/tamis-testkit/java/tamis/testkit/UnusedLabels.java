// Labels that nothing refers to: ASM makes some by guessing, and they must not show in a text.
package tamis.testkit;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.LocalVariableAnnotationNode;
import org.objectweb.asm.tree.LocalVariableNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

/**
 * When ASM reads frames, it first looks for bytes in them that might name a {@code new} instruction
 * by its offset, and puts a label there. These bytes may as well be part of the index of a constant,
 * so that the labels of two equal methods can differ.
 */
final class UnusedLabels {
    static void removeFrom(MethodNode method) {
        Set<Object> used = used(method);
        for (AbstractInsnNode insn : method.instructions.toArray()) {
            if (insn instanceof LabelNode && !used.contains(insn)) {
                method.instructions.remove(insn);
            }
        }
    }

    private static Set<Object> used(MethodNode method) {
        Set<Object> used = new HashSet<>();
        for (AbstractInsnNode insn : method.instructions.toArray()) {
            used.addAll(used(insn));
        }
        for (TryCatchBlockNode block : orNone(method.tryCatchBlocks)) {
            used.add(block.start);
            used.add(block.end);
            used.add(block.handler);
        }
        for (LocalVariableNode variable : orNone(method.localVariables)) {
            used.add(variable.start);
            used.add(variable.end);
        }
        List<LocalVariableAnnotationNode> annotations = new ArrayList<>();
        annotations.addAll(orNone(method.visibleLocalVariableAnnotations));
        annotations.addAll(orNone(method.invisibleLocalVariableAnnotations));
        for (LocalVariableAnnotationNode annotation : annotations) {
            used.addAll(annotation.start);
            used.addAll(annotation.end);
        }
        return used;
    }

    private static Collection<Object> used(AbstractInsnNode insn) {
        List<Object> used = new ArrayList<>();
        if (insn instanceof JumpInsnNode) {
            used.add(((JumpInsnNode) insn).label);
        } else if (insn instanceof TableSwitchInsnNode) {
            used.add(((TableSwitchInsnNode) insn).dflt);
            used.addAll(((TableSwitchInsnNode) insn).labels);
        } else if (insn instanceof LookupSwitchInsnNode) {
            used.add(((LookupSwitchInsnNode) insn).dflt);
            used.addAll(((LookupSwitchInsnNode) insn).labels);
        } else if (insn instanceof LineNumberNode) {
            used.add(((LineNumberNode) insn).start);
        } else if (insn instanceof FrameNode) {
            // Types, of which labels are those of objects without a constructor call yet.
            used.addAll(orNone(((FrameNode) insn).local));
            used.addAll(orNone(((FrameNode) insn).stack));
        }
        return used;
    }

    private static <T> List<T> orNone(List<T> list) {
        return list == null ? new ArrayList<T>() : list;
    }
}
