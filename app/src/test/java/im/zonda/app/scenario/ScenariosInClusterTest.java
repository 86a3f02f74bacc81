package im.zonda.app.scenario;

import im.zonda.testkit.FakeClock;
import im.zonda.testkit.scenario.ScenarioRunner;
import im.zonda.testkit.server.TestCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Every scenario with three nodes: each client is connected to another one, and the homes of all
/// accounts and rooms are spread over them.
class ScenariosInClusterTest {
  private static final int NODES = 3;

  /// A component is known only to the node that it is connected to.
  private static boolean hasComponents(Path file) {
    try {
      return Files.readString(file).contains("\ncomponent ");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @TestFactory
  Stream<DynamicTest> everyScenario() {
    return Scenarios.all().stream()
        .filter(file -> !hasComponents(file))
        .map(file ->
            DynamicTest.dynamicTest(
                Scenarios.name(file),
                () -> {
                  try (TestCluster cluster =
                      TestCluster.start(Scenarios.plan().withClock(new FakeClock()), NODES)) {
                    ScenarioRunner.play(Scenarios.read(file), cluster);
                  }
                }));
  }
}
