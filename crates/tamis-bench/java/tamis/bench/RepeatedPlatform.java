package tamis.bench;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** {@link Repeated} with the JUnit Platform. */
public final class RepeatedPlatform {
    public static void main(String[] arguments) throws Exception {
        Launcher launcher = LauncherFactory.create();
        Repeated.repeat(arguments, classes -> {
            LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                    .selectors(Arrays.stream(classes)
                            .map(DiscoverySelectors::selectClass)
                            .collect(Collectors.toList()))
                    .build();
            launcher.execute(request);
        });
    }
}
