package im.zonda.app.scenario;

import im.zonda.testkit.FakeClock;
import im.zonda.testkit.scenario.ScenarioRunner;
import im.zonda.testkit.server.TestCluster;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Every scenario with three nodes: each client is connected to another one, and the homes of all
/// accounts and rooms are spread over them.
class ScenariosInClusterTest {
  private static final int NODES = 3;

  /// A component is known only to the node that it is connected to.
  private static final Set<String> ON_ONE_NODE =
      Set.of("im/zonda/module/privilege/presence.xmpp", "im/zonda/module/privilege/rosters.xmpp");

  @TestFactory
  Stream<DynamicTest> everyScenario() {
    return Scenarios.all().stream()
        .filter(file -> !ON_ONE_NODE.contains(Scenarios.name(file)))
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
