package im.zonda.jid;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegistrableDomainTest {
  @ParameterizedTest
  @CsvSource({
    "localhost, localhost",
    "example.org, example.org",
    "a.b.example.org, example.org",
    "192.0.2.1, 192.0.2.1",
    "[2001:db8::192.0.2.1], [2001:db8::192.0.2.1]"
  })
  void hasTheLastTwoLabels(String domain, String registrable) {
    assertThat(RegistrableDomain.of(domain)).isEqualTo(registrable);
  }
}
