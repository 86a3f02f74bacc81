package im.zonda.app.scenario;

import im.zonda.testkit.FakeClock;
import im.zonda.testkit.scenario.ScenarioRunner;
import im.zonda.testkit.server.TestServer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Every scenario over TCP and TLS, with all threads that a real server has.
class ScenariosOnSocketsTest {
  @TestFactory
  Stream<DynamicTest> everyScenario() {
    return Scenarios.all().stream()
        .map(file ->
            DynamicTest.dynamicTest(
                Scenarios.name(file),
                () -> {
                  try (TestServer server =
                      Scenarios.plan().withClock(new FakeClock()).startOnSockets()) {
                    ScenarioRunner.play(Scenarios.read(file), server);
                  }
                }));
  }
}
