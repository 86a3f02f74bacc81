package im.zonda.app.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.config.ServerConfig;
import im.zonda.config.ServerConfig.DatabaseTls;
import im.zonda.config.Storage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TargetDatabaseTest {
  private static final String URL = "postgresql://db.example.org/zonda";

  @TempDir Path folder;

  /// A server reads the printed lines as the settings that the copy has used.
  @Test
  void theLinesOfTheConfigurationMeanTheSame() throws Exception {
    Path password = Files.writeString(folder.resolve("a \"password\""), "se\\cret \n");
    Path authorities = Files.writeString(folder.resolve("ca.pem"), "");
    Storage base = ServerConfig.defaults(List.of("h"), folder).storage();
    TargetDatabase target =
        new TargetDatabase(URL, "zo'n\"da", password, null, DatabaseTls.REQUIRE, authorities);
    Path file = Files.writeString(folder.resolve("zonda.toml"), target.toToml());
    Storage read =
        new SettingsReader(Map.of(), Set.of()).read(file, null, folder).config().storage();
    assertThat(read.password()).isEqualTo("se\\cret");
    Storage used = target.in(base);
    assertThat(used.url()).isEqualTo(read.url());
    assertThat(used.user()).isEqualTo(read.user());
    assertThat(used.password()).isEqualTo(read.password());
    assertThat(used.tls()).isEqualTo(read.tls());
    assertThat(used.tlsCa()).isEqualTo(read.tlsCa());
  }

  @Test
  void aPasswordIsNotPrinted() {
    TargetDatabase target = new TargetDatabase(URL, "zonda", null, "secret", null, null);
    assertThat(target.toToml()).contains("password = \"${file:").doesNotContain("secret");
    assertThat(target.toString()).doesNotContain("secret");
  }

  @Test
  void optionsThatDoNotFitAreReported() {
    assertThatThrownBy(() -> new TargetDatabase("oracle:x", null, null, null, null, null))
        .hasMessageContaining("--to must be");
    assertThatThrownBy(() -> new TargetDatabase(URL, null, null, null, null, null))
        .hasMessageContaining("--to-user must be given");
    assertThatThrownBy(
            () -> new TargetDatabase("sqlite:a.db", null, null, null, DatabaseTls.OFF, null))
        .hasMessageContaining("for database servers");
    assertThatThrownBy(
            () -> new TargetDatabase(URL, "zonda", null, null, null, folder.resolve("none.pem")))
        .hasMessageContaining("none.pem cannot be read");
    TargetDatabase missing =
        new TargetDatabase(URL, "zonda", folder.resolve("none"), null, null, null);
    assertThatThrownBy(() -> missing.in(ServerConfig.defaults(List.of("h"), folder).storage()))
        .hasMessageContaining("none cannot be read");
  }
}
