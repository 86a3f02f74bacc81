package im.zonda.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class CertificateNamesTest {
  @Test
  void domainsAreALabelsAsInDns() {
    assertThat(CertificateNames.toAscii("faß.example")).isEqualTo("xn--fa-hia.example");
    assertThat(CertificateNames.toAscii("*.A.example")).isEqualTo("*.a.example");
    assertThat(CertificateNames.toAscii("[::1]")).isEqualTo("[::1]");
  }

  @Test
  void aWildcardStandsForOneLabel() {
    CertificateNames names = new CertificateNames(List.of("*.xn--fa-hia.example"));
    assertThat(names.cover("rooms.faß.example")).isTrue();
    assertThat(names.cover("a.rooms.faß.example")).isFalse();
    assertThat(names.cover("faß.example")).isFalse();
    assertThat(names.cover("rooms.fass.example")).isFalse();
  }
}
