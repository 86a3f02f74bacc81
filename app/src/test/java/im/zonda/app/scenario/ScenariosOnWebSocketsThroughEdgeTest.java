package im.zonda.app.scenario;

import im.zonda.testkit.FakeClock;
import im.zonda.testkit.scenario.ScenarioRunner;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Every scenario with clients on WebSockets at an edge.
class ScenariosOnWebSocketsThroughEdgeTest {
  @TestFactory
  Stream<DynamicTest> everyScenario() {
    return Scenarios.all().stream()
        .map(file ->
            DynamicTest.dynamicTest(
                Scenarios.name(file),
                () -> {
                  try (TestServer server =
                      Scenarios.plan()
                          .withAccess(ServerPlan.Access.EDGE_WEBSOCKET)
                          .withClock(new FakeClock())
                          .startOnSockets()) {
                    ScenarioRunner.play(Scenarios.read(file), server);
                  }
                }));
  }
}
