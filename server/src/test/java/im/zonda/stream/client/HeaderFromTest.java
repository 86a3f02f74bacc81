package im.zonda.stream.client;

import static im.zonda.stream.client.StreamTester.HEADER;
import static im.zonda.stream.client.StreamTester.bind;
import static im.zonda.stream.client.StreamTester.header;
import static im.zonda.stream.client.StreamTester.plain;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The attribute `from` of a client's stream header (RFC 6120, sections 4.7.1 and 4.7.2).
final class HeaderFromTest {
  private static String from(String from) {
    return header("to='example.org' from='" + from + "' version='1.0'");
  }

  /// There are clients that name the machine they run on.
  @ParameterizedTest
  @ValueSource(strings = {"my-laptop", "other.example", "romeo@other.example", "@", "a b", ""})
  void beforeAuthenticationItMayBeAnything(String from) {
    StreamTester tester = StreamTester.secure();

    assertThat(tester.send(from(from))).contains("<mechanisms");
    assertThat(tester.send(plain("", "romeo", "secret"))).contains("<success");
  }

  @ParameterizedTest
  @ValueSource(strings = {"my-laptop", "my_laptop", "example.org", "", "romeo@example.org/home"})
  void afterAuthenticationItMayNameNoAccountOrTheClientsOwn(String from) {
    StreamTester tester = StreamTester.secure().authenticate();

    assertThat(tester.send(from(from) + bind("<resource>r</resource>")))
        .contains("<jid>romeo@example.org/r</jid>");
  }

  @ParameterizedTest
  @CsvSource({
    "juliet@example.org, invalid-from",
    "romeo@other.example, invalid-from",
    "@example.org, improper-addressing"
  })
  void afterAuthenticationItMustNotNameAnotherAccount(String from, String condition) {
    StreamTester tester = StreamTester.secure().authenticate();

    assertThat(tester.send(from(from))).contains("<" + condition + " ");
    assertThat(tester.stream.closed()).isTrue();
  }

  @Test
  void theAnswerIsToTheBareAddress() {
    assertThat(new StreamTester().send(from("romeo@example.org/home")))
        .contains(" to='romeo@example.org'");
    assertThat(new StreamTester().send(HEADER)).doesNotContain(" to='");
  }
}
