package im.zonda.app.scenario;

import im.zonda.testkit.FakeClock;
import im.zonda.testkit.scenario.ScenarioRunner;
import im.zonda.testkit.server.ServerPlan;
import im.zonda.testkit.server.TestServer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Every scenario on WebSockets with TLS: clients do not notice the difference.
class ScenariosOnWebSocketsTest {
  @TestFactory
  Stream<DynamicTest> everyScenario() {
    return play(Scenarios.plan().withWebSockets());
  }

  @TestFactory
  Stream<DynamicTest> everyScenarioThroughAnEdge() {
    return play(Scenarios.plan().withAccess(ServerPlan.Access.EDGE_WEBSOCKET));
  }

  private static Stream<DynamicTest> play(ServerPlan plan) {
    return Scenarios.all().stream()
        .map(file ->
            DynamicTest.dynamicTest(
                Scenarios.name(file),
                () -> {
                  try (TestServer server = plan.withClock(new FakeClock()).startOnSockets()) {
                    ScenarioRunner.play(Scenarios.read(file), server);
                  }
                }));
  }
}
