// Tells which methods JaCoCo says were covered, and which it knows of at all.
package tamis.suite;

import java.io.File;
import org.jacoco.core.analysis.Analyzer;
import org.jacoco.core.analysis.CoverageBuilder;
import org.jacoco.core.analysis.IClassCoverage;
import org.jacoco.core.analysis.IMethodCoverage;
import org.jacoco.core.tools.ExecFileLoader;

/**
 * Arguments: what JaCoCo's agent wrote, folders with classes. A line for each method: {@code covered} or
 * {@code not}, a space, class and method.
 */
public final class Covered {
    public static void main(String[] arguments) throws Exception {
        ExecFileLoader loader = new ExecFileLoader();
        loader.load(new File(arguments[0]));
        CoverageBuilder coverage = new CoverageBuilder();
        Analyzer analyzer = new Analyzer(loader.getExecutionDataStore(), coverage);
        for (int i = 1; i < arguments.length; i++) {
            analyzer.analyzeAll(new File(arguments[i]));
        }
        if (!coverage.getNoMatchClasses().isEmpty()) {
            throw new IllegalStateException("other classes ran: " + coverage.getNoMatchClasses());
        }
        for (IClassCoverage type : coverage.getClasses()) {
            for (IMethodCoverage method : type.getMethods()) {
                boolean isCovered = method.getInstructionCounter().getCoveredCount() > 0;
                String name = type.getName() + "." + method.getName() + method.getDesc();
                System.out.println((isCovered ? "covered " : "not ") + name);
            }
        }
    }
}
