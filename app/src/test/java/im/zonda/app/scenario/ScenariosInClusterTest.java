package im.zonda.app.scenario;

import im.zonda.testkit.FakeClock;
import im.zonda.testkit.scenario.ScenarioRunner;
import im.zonda.testkit.server.TestCluster;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Every scenario with three nodes: each client is connected to another one, and the homes of all
/// accounts and rooms are spread over them.
class ScenariosInClusterTest {
  private static final int NODES = 3;

  /// Scenarios that count what a component or a client is asked. Each node asks a component for the
  /// features of delegated namespaces, and tells it of the presence that accounts of this node get;
  /// and each asks a client for its capabilities. What an administrator sets for a host, other
  /// nodes learn a moment later. Members of a shared group whose homes are at other nodes answer
  /// that they are unavailable.
  private static final Set<String> OF_ONE_NODE =
      Set.of(
          "delegation/requests.xmpp",
          "privilege/presence.xmpp",
          "admin/lists.xmpp",
          "admin/texts.xmpp",
          "group/view.xmpp");

  private static boolean isOfOneNode(Path file) {
    return OF_ONE_NODE.stream().anyMatch(file::endsWith);
  }

  @TestFactory
  Stream<DynamicTest> everyScenario() {
    return Scenarios.all().stream()
        .filter(file -> !isOfOneNode(file))
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
