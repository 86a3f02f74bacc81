package im.zonda.app.scenario;

import im.zonda.testkit.scenario.ScenarioRunner;
import im.zonda.testkit.server.TestServer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Every scenario with a link between streams and sessions that writes every value to bytes and
/// reads it back: nothing else crosses.
class ScenariosOverWritingLinkTest {
  @TestFactory
  Stream<DynamicTest> everyScenario() {
    return Scenarios.all().stream()
        .map(file ->
            DynamicTest.dynamicTest(
                Scenarios.name(file),
                () -> {
                  try (TestServer server = Scenarios.plan().withWritingLink().startInMemory()) {
                    ScenarioRunner.play(Scenarios.read(file), server);
                  }
                }));
  }
}
