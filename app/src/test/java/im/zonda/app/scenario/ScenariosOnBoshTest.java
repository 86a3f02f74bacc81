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

/// Every scenario by BOSH with TLS, except those in which a connection is cut or time passes: a
/// session ends by the silence of its client, and nothing else tells it of a cut.
class ScenariosOnBoshTest {
  private static final Pattern SILENCE =
      Pattern.compile("(?m)^(?:\\w+ drops|the clock advances)\\b");

  @TestFactory
  Stream<DynamicTest> everyScenario() {
    return play(ServerPlan.Access.BOSH);
  }

  @TestFactory
  Stream<DynamicTest> everyScenarioThroughAnEdge() {
    return play(ServerPlan.Access.EDGE_BOSH);
  }

  private static Stream<DynamicTest> play(ServerPlan.Access access) {
    return Scenarios.all().stream()
        .filter(file -> !SILENCE.matcher(text(file)).find())
        .map(file ->
            DynamicTest.dynamicTest(
                Scenarios.name(file),
                () -> {
                  try (TestServer server =
                      Scenarios.plan()
                          .withAccess(access)
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
