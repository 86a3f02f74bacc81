package im.zonda.plugins.webhooks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.operation.Secret;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SignatureTest {
  /// Computed by `hmac` of Python.
  @Test
  void itIsTheHmacOfSecondsAndBody() {
    assertThat(
            Signature.of(
                new Secret("open-sesame-0123456789"),
                Instant.ofEpochMilli(1_700_000_000_999L),
                "{\"events\":[]}".getBytes(UTF_8)))
        .isEqualTo(
            "t=1700000000,v1="
                + "8f8075b8051d8b5eb092f0ea399cbbedb34aabe6371cf4e89a2401e7345e9df8");
  }
}
