package im.zonda.app.scenario;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Scenarios over TCP and TLS, with all threads that a real server has.
class ScenariosOnSocketsTest {
  @TestFactory
  Stream<DynamicTest> scenarios() {
    return TransportScenarios.play(
        Scenarios.plan(), _ -> true, TransportScenarios.STARTTLS, TransportScenarios.NOT_DIRECTLY);
  }
}
