package im.zonda.app.scenario;

import im.zonda.link.ToStream;
import im.zonda.testkit.scenario.ScenarioRunner;
import im.zonda.testkit.server.Crossings;
import im.zonda.testkit.server.TestServer;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Every scenario against a server without sockets, on the test's thread and a fake clock. What is
/// negotiated in all of them has to be negotiated on every transport, too: the last test compares
/// it with the list of [TransportScenarios].
class ScenariosInMemoryTest {
  private final Crossings crossings = new Crossings();

  @TestFactory
  Stream<DynamicTest> everyScenario() {
    Stream<DynamicTest> scenarios =
        Scenarios.all().stream()
            .map(file ->
                DynamicTest.dynamicTest(
                    Scenarios.name(file),
                    () -> {
                      try (TestServer server =
                          Scenarios.plan().withCrossings(crossings).startInMemory()) {
                        ScenarioRunner.play(Scenarios.read(file), server);
                      }
                    }));
    return Scenarios.areAll() ? Stream.concat(scenarios, Stream.of(listed())) : scenarios;
  }

  private DynamicTest listed() {
    return DynamicTest.dynamicTest(
        "all that was seen is listed",
        () ->
            TransportScenarios.assertCrossed(
                crossings, Set.of(), Set.of(Crossings.nameOf(ToStream.State.class))));
  }
}
