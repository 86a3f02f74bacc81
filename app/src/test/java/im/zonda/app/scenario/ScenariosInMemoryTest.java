package im.zonda.app.scenario;

import im.zonda.testkit.scenario.ScenarioRunner;
import im.zonda.testkit.server.TestServer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Every scenario against a server without sockets, on the test's thread and a fake clock.
class ScenariosInMemoryTest {
  @TestFactory
  Stream<DynamicTest> everyScenario() {
    return Scenarios.all().stream()
        .map(file ->
            DynamicTest.dynamicTest(
                Scenarios.name(file),
                () -> {
                  try (TestServer server = Scenarios.plan().startInMemory()) {
                    ScenarioRunner.play(Scenarios.read(file), server);
                  }
                }));
  }
}
