// Basic blocks of a method in ASM's tree: where they begin, and putting code there.
package tamis.testkit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;

/**
 * A block begins at the first instruction, where a jump, a switch or a handler leads to, behind each
 * jump, switch, return and throw, and where exception ranges begin and end.
 */
final class Blocks {
    static boolean hasSubroutines(MethodNode method) {
        for (AbstractInsnNode insn : method.instructions.toArray()) {
            if (insn.getOpcode() == Opcodes.JSR || insn.getOpcode() == Opcodes.RET) {
                return true;
            }
        }
        return false;
    }

    /** The first instructions of all blocks, in the order of the code. */
    static List<AbstractInsnNode> leaders(MethodNode method) {
        Set<AbstractInsnNode> leaders = Collections.newSetFromMap(new IdentityHashMap<>());
        leaders.add(real(method.instructions.getFirst()));
        for (AbstractInsnNode insn : method.instructions.toArray()) {
            int opcode = insn.getOpcode();
            if (insn instanceof JumpInsnNode) {
                leaders.add(real(((JumpInsnNode) insn).label));
                leaders.add(real(insn.getNext()));
            } else if (insn instanceof TableSwitchInsnNode) {
                TableSwitchInsnNode node = (TableSwitchInsnNode) insn;
                addSwitch(leaders, node.dflt, node.labels, insn);
            } else if (insn instanceof LookupSwitchInsnNode) {
                LookupSwitchInsnNode node = (LookupSwitchInsnNode) insn;
                addSwitch(leaders, node.dflt, node.labels, insn);
            } else if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN
                    || opcode == Opcodes.ATHROW) {
                leaders.add(real(insn.getNext()));
            }
        }
        for (TryCatchBlockNode block : method.tryCatchBlocks) {
            leaders.add(real(block.start));
            leaders.add(real(block.end));
            leaders.add(real(block.handler));
        }
        List<AbstractInsnNode> inOrder = new ArrayList<>();
        for (AbstractInsnNode insn : method.instructions.toArray()) {
            if (leaders.contains(insn)) {
                inOrder.add(insn);
            }
        }
        return inOrder;
    }

    private static void addSwitch(
            Set<AbstractInsnNode> leaders,
            LabelNode other,
            List<LabelNode> labels,
            AbstractInsnNode insn) {
        leaders.add(real(other));
        for (LabelNode label : labels) {
            leaders.add(real(label));
        }
        leaders.add(real(insn.getNext()));
    }

    /** The instruction that stands at a place, behind labels, lines and frames; null at the end. */
    private static AbstractInsnNode real(AbstractInsnNode node) {
        AbstractInsnNode insn = node;
        while (insn != null && insn.getOpcode() < 0) {
            insn = insn.getNext();
        }
        return insn;
    }

    /**
     * Puts code in front of an instruction, behind all labels that lead to it. Frames name an object
     * without a constructor call by the label of its {@code new}: that one stays with it.
     */
    static void insert(MethodNode method, AbstractInsnNode leader, InsnList code) {
        Map<LabelNode, LabelNode> moved = new IdentityHashMap<>();
        if (leader.getOpcode() == Opcodes.NEW) {
            LabelNode label = new LabelNode();
            AbstractInsnNode before = leader.getPrevious();
            while (before != null && before.getOpcode() < 0) {
                if (before instanceof LabelNode) {
                    moved.put((LabelNode) before, label);
                }
                before = before.getPrevious();
            }
            code.add(label);
        }
        method.instructions.insertBefore(leader, code);
        if (moved.isEmpty()) {
            return;
        }
        for (AbstractInsnNode insn : method.instructions.toArray()) {
            if (insn instanceof FrameNode) {
                FrameNode frame = (FrameNode) insn;
                frame.local = replaced(frame.local, moved);
                frame.stack = replaced(frame.stack, moved);
            }
        }
    }

    private static List<Object> replaced(List<Object> types, Map<LabelNode, LabelNode> moved) {
        List<Object> all = new ArrayList<>();
        for (Object type : types == null ? Collections.emptyList() : types) {
            LabelNode label = type instanceof LabelNode ? moved.get(type) : null;
            all.add(label == null ? type : label);
        }
        return all;
    }
}
