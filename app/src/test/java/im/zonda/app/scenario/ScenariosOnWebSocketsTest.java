package im.zonda.app.scenario;

import im.zonda.testkit.server.ServerPlan;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Scenarios on WebSockets with TLS: clients do not notice the difference.
class ScenariosOnWebSocketsTest {
  @TestFactory
  Stream<DynamicTest> scenarios() {
    return play(ServerPlan.Access.WEBSOCKET, TransportScenarios.NOT_DIRECTLY);
  }

  @TestFactory
  Stream<DynamicTest> scenariosThroughAnEdge() {
    return play(ServerPlan.Access.EDGE_WEBSOCKET, TransportScenarios.NOT_THROUGH_EDGE);
  }

  private static Stream<DynamicTest> play(ServerPlan.Access access, Set<String> never) {
    return TransportScenarios.play(Scenarios.plan().withAccess(access), _ -> true, Set.of(), never);
  }
}
