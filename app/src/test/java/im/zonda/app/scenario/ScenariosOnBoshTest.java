package im.zonda.app.scenario;

import im.zonda.testkit.server.ServerPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Scenarios by BOSH with TLS, except those in which a connection is cut or time passes: a session
/// ends by the silence of its client, and nothing else tells it of a cut.
class ScenariosOnBoshTest {
  private static final Pattern SILENCE =
      Pattern.compile("(?m)^(?:\\w+ drops|the clock advances)\\b");

  @TestFactory
  Stream<DynamicTest> scenarios() {
    return play(ServerPlan.Access.BOSH, TransportScenarios.NOT_DIRECTLY);
  }

  @TestFactory
  Stream<DynamicTest> scenariosThroughAnEdge() {
    return play(ServerPlan.Access.EDGE_BOSH, TransportScenarios.NOT_THROUGH_EDGE);
  }

  private static Stream<DynamicTest> play(ServerPlan.Access access, Set<String> never) {
    return TransportScenarios.play(
        Scenarios.plan().withAccess(access), file -> !isSilent(file), Set.of(), never);
  }

  private static boolean isSilent(Path file) {
    try {
      return SILENCE.matcher(Files.readString(file)).find();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
