package im.zonda.config.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.config.ServerConfig;
import im.zonda.config.limits.Limits;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RecordCopyTest {
  private static final ServerConfig CONFIG =
      ServerConfig.defaults(List.of("a.example"), Path.of("/data"));

  @Test
  void changesOneValue() {
    ServerConfig other = RecordCopy.with(CONFIG, "data", Path.of("/other"));
    assertThat(other.data()).isEqualTo(Path.of("/other"));
    assertThat(RecordCopy.with(other, "data", CONFIG.data())).isEqualTo(CONFIG);
  }

  @Test
  void changesAValueFurtherDown() {
    int failures = CONFIG.limits().saslFailures();
    ServerConfig other = RecordCopy.with(CONFIG, "limits.saslFailures", failures + 1);
    assertThat(other.limits().saslFailures()).isEqualTo(failures + 1);
    assertThat(RecordCopy.with(other, "limits.saslFailures", failures)).isEqualTo(CONFIG);
  }

  private record Two(int saslFailures, int homes) {}

  @Test
  void takesAllOfAPart() {
    Limits all = RecordCopy.withAll(CONFIG.limits(), new Two(7, 8_000));
    assertThat(all.saslFailures()).isEqualTo(7);
    assertThat(all.homes()).isEqualTo(8_000);
    assertThat(RecordCopy.with(all, "homes", CONFIG.limits().homes()))
        .isEqualTo(RecordCopy.with(CONFIG.limits(), "saslFailures", 7));
  }

  @Test
  void saysWhatIsWrong() {
    assertThatThrownBy(() -> RecordCopy.with(CONFIG, "date", Path.of("/x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("ServerConfig has no date");
    assertThatThrownBy(() -> RecordCopy.with(CONFIG, "data.root", "/x"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("nothing has root");
    assertThatThrownBy(() -> RecordCopy.with(CONFIG, "data", "/x"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
