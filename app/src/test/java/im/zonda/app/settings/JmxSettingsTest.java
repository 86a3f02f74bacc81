package im.zonda.app.settings;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.monitoring.Jmx;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The section `[jmx]`: where tools connect that speak JMX.
class JmxSettingsTest {
  @TempDir private Path folder;

  private Jmx read(String text) throws Exception {
    return new WrittenFile(folder).read(text).config().jmx();
  }

  private List<String> problems(String text) {
    return new WrittenFile(folder).problems(text);
  }

  @Test
  void itIsOffByDefaultAndEncryptedOtherwise() throws Exception {
    assertThat(read("")).isEqualTo(Jmx.OFF);
    assertThat(Jmx.OFF.listen()).isNull();
    assertThat(read("jmx.listen = \"0.0.0.0:1\"").tls()).isTrue();
  }

  @Test
  void onlyThisMachineConnectsWithoutTls() throws Exception {
    assertThat(read("jmx.listen = \"127.0.0.1:1\"\njmx.tls = false").tls()).isFalse();
    for (String address : List.of("0.0.0.0:1", "[::]:1", "192.0.2.1:1", "jmx.example:1")) {
      assertThat(problems("jmx.listen = \"" + address + "\"\njmx.tls = false"))
          .as(address)
          .singleElement()
          .asString()
          .contains("jmx.tls: " + address + " can be reached from other machines");
    }
  }

  @Test
  void networksAreChecked() {
    assertThat(problems("jmx.allow-from = [\"example.org\"]"))
        .singleElement()
        .asString()
        .contains("jmx.allow-from: \"example.org\" is no address or network");
  }
}
