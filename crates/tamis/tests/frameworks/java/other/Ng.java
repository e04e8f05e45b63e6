import org.testng.Assert;
import org.testng.annotations.Test;

/** Tests of TestNG. */
public class Ng {
    @Test public void passes() {}

    @Test public void fails() {
        Assert.fail();
    }
}
