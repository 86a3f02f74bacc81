package im.zonda.app.load.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.app.load.options.LoadOptions;
import im.zonda.testkit.client.Login;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StampScannerTest {
  @Test
  void findsStampsHoweverTheBytesAreCut() {
    String text = "<m>~0000000000000000042xx</m>~12~0000000000000000007</m>~00000";
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    for (int size = 1; size < bytes.length; size++) {
      List<Long> found = new ArrayList<>();
      StampScanner scanner = new StampScanner(found::add);
      for (int at = 0; at < bytes.length; at += size) {
        int length = Math.min(size, bytes.length - at);
        byte[] part = new byte[length];
        System.arraycopy(bytes, at, part, 0, length);
        scanner.take(part, length);
      }
      assertThat(found).containsExactly(42L, 7L);
    }
  }

  @Test
  void readsOptions() {
    LoadOptions options =
        LoadOptions.parse(new String[] {"--pairs", "3", "--security", "starttls", "--rate", "9"});

    assertThat(options.pairs()).isEqualTo(3);
    assertThat(options.rate()).isEqualTo(9);
    assertThat(options.security()).isEqualTo(Login.Security.STARTTLS);
    assertThatThrownBy(() -> LoadOptions.parse(new String[] {"--speed", "9"}))
        .hasMessageContaining("--speed is unknown");
    assertThatThrownBy(() -> LoadOptions.parse(new String[] {"--rate", "fast"}))
        .hasMessageContaining("--rate is not a number");
  }
}
