package im.zonda.app.settings;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.monitoring.Traces;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The section `[traces.otlp]`: where traces are sent.
class OtlpSettingsTest {
  @TempDir private Path folder;

  private Traces.Otlp read(String text) throws Exception {
    return new WrittenFile(folder).read(text).config().traces().otlp();
  }

  private List<String> problems(String text) {
    return new WrittenFile(folder).problems(text);
  }

  @Test
  void itIsOffByDefault() throws Exception {
    assertThat(read("")).isEqualTo(Traces.DEFAULTS.otlp());
    assertThat(read("").url()).isNull();
  }

  @Test
  void plainHttpIsForThisMachineOnly() throws Exception {
    for (String url :
        List.of(
            "http://127.0.0.1:4318/v1/traces",
            "http://[::1]:4318/v1/traces",
            "http://localhost/x",
            "https://collector.example.org/v1/traces")) {
      assertThat(read("traces.otlp.url = \"" + url + "\"").url()).isEqualTo(url);
    }
    assertThat(problems("traces.otlp.url = \"http://collector.example.org:4318/v1/traces\""))
        .singleElement()
        .asString()
        .contains("collector.example.org is not this machine", "use https");
    for (String url : List.of("ftp://127.0.0.1/x", "http:/x", "https://u:p@example.org/x")) {
      assertThat(problems("traces.otlp.url = \"" + url + "\"")).as(url).hasSize(1);
    }
  }

  @Test
  void aHeaderIsASecret() throws Exception {
    Files.writeString(folder.resolve("token"), "Bearer hush\n");
    String text = "[traces.otlp.headers]\nAuthorization = \"${file:token}\"\nx_key = \"hush\"\n";
    assertThat(read(text).headers())
        .isEqualTo(Map.of("authorization", "Bearer hush", "x_key", "hush"));
    assertThat(SettingsText.show(new WrittenFile(folder).read(text)))
        .contains("[traces.otlp.headers]")
        .doesNotContain("hush");
    assertThat(problems("[traces.otlp.headers]\n\"a b\" = \"x\"\nhost = \"x\"\nok = \"\\n\"\n"))
        .satisfiesExactlyInAnyOrder(
            each -> assertThat(each).contains("a b is no name of a header"),
            each -> assertThat(each).contains("the server sets this header itself"),
            each -> assertThat(each).contains("must be visible characters"));
  }
}
