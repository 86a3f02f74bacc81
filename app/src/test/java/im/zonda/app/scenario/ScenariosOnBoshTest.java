package im.zonda.app.scenario;

import im.zonda.testkit.FakeClock;
import im.zonda.testkit.scenario.ScenarioRunner;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Every scenario by BOSH with TLS, except those in which a connection is cut: a session notices
/// that only by the silence of its client.
class ScenariosOnBoshTest {
  private static final Pattern CUT = Pattern.compile("(?m)^\\w+ drops\\b");

  @TestFactory
  Stream<DynamicTest> everyScenario() {
    return Scenarios.all().stream()
        .filter(file -> !CUT.matcher(text(file)).find())
        .map(file ->
            DynamicTest.dynamicTest(
                Scenarios.name(file),
                () -> {
                  try (TestServer server =
                      Scenarios.plan()
                          .withAccess(ServerPlan.Access.BOSH)
                          .withClock(new FakeClock())
                          .startOnSockets()) {
                    ScenarioRunner.play(Scenarios.read(file), server);
                  }
                }));
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
