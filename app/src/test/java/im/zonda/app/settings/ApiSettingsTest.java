package im.zonda.app.settings;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.config.Api;
import im.zonda.config.ServerConfig;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The section `[api]`: where programs connect that administer the server.
class ApiSettingsTest {
  @TempDir private Path folder;

  private Api read(String text) throws Exception {
    return new WrittenFile(folder).read(text).config().api();
  }

  private List<String> problems(String text) {
    return new WrittenFile(folder).problems(text);
  }

  @Test
  void itIsOffByDefault() throws Exception {
    assertThat(read("")).isEqualTo(Api.OFF);
    assertThat(Api.OFF.isOn()).isFalse();
    assertThat(new WrittenFile(folder).read("").config().audit())
        .isEqualTo(ServerConfig.Audit.DEFAULTS);
  }

  @Test
  void plainHttpIsForThisMachineOnly() throws Exception {
    assertThat(
            read("api.listen = [\"127.0.0.1:1\", \"[::1]:2\", \"localhost:3\", \"127.9.9.9:4\"]")
                .isOn())
        .isTrue();
    for (String address : List.of("0.0.0.0:1", "[::]:1", "192.0.2.1:1", "api.example:1")) {
      assertThat(problems("api.listen = [\"" + address + "\"]"))
          .as(address)
          .singleElement()
          .asString()
          .contains(address + " can be reached from other machines", "api.listen-tls");
    }
    assertThat(read("api.listen-tls = [\"0.0.0.0:1\"]").isOn()).isTrue();
  }

  @Test
  void networksAreChecked() throws Exception {
    assertThat(read("api.allow-from = [\"192.0.2.0/24\", \"::1\"]").allowFrom()).hasSize(2);
    assertThat(problems("api.allow-from = [\"example.org\"]"))
        .singleElement()
        .asString()
        .contains("api.allow-from: \"example.org\" is no address or network");
  }
}
