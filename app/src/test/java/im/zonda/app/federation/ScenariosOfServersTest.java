package im.zonda.app.federation;

import im.zonda.app.federation.TwoServers.Mode;
import im.zonda.config.S2s;
import im.zonda.config.ServerConfig;
import im.zonda.config.copy.RecordCopy;
import im.zonda.testkit.scenario.Scenario;
import im.zonda.testkit.scenario.ScenarioParser;
import im.zonda.testkit.scenario.ScenarioRunner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The scenarios with several servers, over sockets; with `-Dscenario=word` only those whose path
/// holds the word. What cannot be delivered at the first attempt is returned at once. Messages of
/// strangers from c.example are rejected, those from d.example held.
@Timeout(120)
class ScenariosOfServersTest {
  private static final Path FOLDER = Path.of("src/test/scenarios");

  @TempDir private static Path certificates = Path.of("");

  @BeforeAll
  static void makeCertificates() {
    TwoServers.makeCertificates(certificates);
  }

  @TestFactory
  Stream<DynamicTest> everyScenario() throws IOException {
    String word = System.getProperty("scenario", "");
    List<Path> files;
    try (Stream<Path> all = Files.walk(FOLDER)) {
      files =
          all.filter(file -> file.toString().endsWith(".xmpp"))
              .filter(file -> file.toString().contains(word))
              .sorted()
              .toList();
    }
    return files.stream().map(file -> DynamicTest.dynamicTest(file.toString(), () -> play(file)));
  }

  private static void play(Path file) {
    try {
      Scenario scenario = ScenarioParser.read(file);
      try (ServersOnStage stage =
          ServersOnStage.start(
              scenario.servers(), Mode.STARTTLS, certificates, ScenariosOfServersTest::settings)) {
        ScenarioRunner.play(scenario, stage);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ServerConfig settings(ServerConfig config) {
    S2s.Domain rejected = new S2s.Domain(null, null, null, null, S2s.Strangers.REJECT);
    S2s.Domain held = new S2s.Domain(null, null, null, null, S2s.Strangers.HOLD);
    return RecordCopy.with(
        RecordCopy.with(config, "s2s.giveUp", Duration.ZERO),
        "s2s.domain",
        Map.of("c.example", rejected, "d.example", held));
  }
}
