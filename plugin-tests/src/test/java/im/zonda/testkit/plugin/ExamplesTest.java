package im.zonda.testkit.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.operation.Caller;
import im.zonda.operation.Outcome;
import im.zonda.testkit.client.ScriptedClient;
import im.zonda.testkit.plugin.example.Dice;
import im.zonda.testkit.xml.XmlElement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The examples of docs/plugins.md compile and work.
class ExamplesTest {
  private static final Pattern CODE = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  /// Where each example stands in code that is compiled.
  private static final List<String> SOURCES =
      List.of("../plugins", "src/test/java", "../app/src/main/resources/im/zonda/app/plugin");

  @Test
  void aPluginWithSettingsFiltersAndAnswers() throws IOException {
    try (PluginServer server = PluginServer.start(Dice.class, Map.of("sides", 2))) {
      ScriptedClient alice = server.connect("alice@example.org/desk");

      alice.send("<iq type='get' id='r1' to='example.org'><roll xmlns='urn:example:dice'/></iq>");
      XmlElement answer = alice.receive();
      assertThat(answer.childText("eyes")).isIn("1", "2");

      alice.send("<presence><show>away</show><status>with Bob</status></presence>");
      XmlElement own = alice.receive();
      assertThat(own.childText("show")).isEqualTo("away");
      assertThat(own.child("status")).isNull();

      Outcome<?> rolled =
          server
              .server()
              .operations()
              .run(
                  Caller.owner("test"), "dice.roll", Map.of("host", PluginServer.HOST, "sides", 1));
      assertThat(rolled).asString().contains("eyes=1");
      assertThat(Objects.requireNonNull(server.status()).last()).isNull();
    }
  }

  @Test
  void examplesOfThePageAreInCodeThatIsCompiled() throws IOException {
    List<String> sources = new ArrayList<>();
    for (String folder : SOURCES) {
      try (Stream<Path> all = Files.walk(Path.of(folder))) {
        for (Path file : all.filter(each -> each.toString().matches(".*\\.(java|txt)")).toList()) {
          sources.add(plain(Files.readString(file)));
        }
      }
    }
    List<String> examples =
        CODE.matcher(Files.readString(Path.of("../docs/plugins.md")))
            .results()
            .map(each -> each.group(1))
            .toList();
    assertThat(examples).hasSizeGreaterThan(5);
    for (String example : examples) {
      assertThat(sources).as(example).anyMatch(source -> source.contains(plain(example)));
    }
  }

  private static String plain(String code) {
    return code.replaceAll("\\s+", "");
  }
}
