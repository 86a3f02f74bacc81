package im.zonda.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ListenerTest {
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:5222", "0.0.0.0:0"})
  void addressesAreReadAndWritten(String text) {
    assertThat(Listener.parse(Listener.Kind.STARTTLS, text)).hasToString(text);
  }

  @Test
  void version6() {
    Listener listener = Listener.parse(Listener.Kind.DIRECT_TLS, "[::1]:5223");

    assertThat(listener.address().getPort()).isEqualTo(5_223);
    assertThat(listener.address().getAddress().isLoopbackAddress()).isTrue();
    assertThat(listener.toString()).startsWith("[").endsWith("]:5223");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "5222",
        ":5222",
        "127.0.0.1:",
        "127.0.0.1:x",
        "::1:5222",
        "127.0.0.1:70000",
        "[::1]"
      })
  void whatIsNoAddress(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Listener.parse(Listener.Kind.STARTTLS, text));
  }
}
