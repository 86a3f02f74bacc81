package im.zonda.app.scenario;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Scenarios with an edge between the clients and the server, over TCP and TLS.
class ScenariosThroughEdgeTest {
  @TestFactory
  Stream<DynamicTest> scenarios() {
    return TransportScenarios.play(
        Scenarios.plan().withEdge(),
        _ -> true,
        TransportScenarios.STARTTLS,
        TransportScenarios.NOT_THROUGH_EDGE);
  }
}
