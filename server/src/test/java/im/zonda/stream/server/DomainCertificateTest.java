package im.zonda.stream.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Row 86: certificate tricks.
final class DomainCertificateTest {
  private static @Nullable String problem(String certificate, String domain) {
    return DomainCertificate.findProblem(
        TestCertificates.presented(certificate, null), domain, TestCertificates.VALID);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.example", "x.b.example", "srv.example", "addr.example"})
  void namesOfEachKindAreGood(String domain) {
    assertThat(problem(TestCertificates.NAMES, domain)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "b.example",
        "y.x.b.example",
        "web.d.example",
        "client.example",
        "mail.example",
        "cn.example",
        "127.0.0.1",
        "xa.example"
      })
  void otherNamesAreNot(String domain) {
    assertThat(problem(TestCertificates.NAMES, domain))
        .startsWith("its certificate is not for " + domain + ", but for a.example");
  }

  @Test
  void theCommonNameCountsForNothing() {
    assertThat(problem(TestCertificates.COMMON_NAME, "cn.example"))
        .isEqualTo("its certificate is not for cn.example, but for no DNS name");
  }

  @Test
  void aNulHidesNothing() {
    assertThat(problem(TestCertificates.NUL, "good.example")).isNotNull();
    assertThat(problem(TestCertificates.NUL, "evil.example")).isNotNull();
  }

  @Test
  void whatIsWrongIsSaidInWords() {
    assertThat(DomainCertificate.findProblem(null, "a.example", TestCertificates.VALID))
        .isEqualTo("the other server has presented no certificate");
    assertThat(
            DomainCertificate.findProblem(
                TestCertificates.presented(TestCertificates.NAMES, "unable to find path"),
                "a.example",
                TestCertificates.VALID))
        .isEqualTo("its certificate is self-signed");
    assertThat(
            DomainCertificate.findProblem(
                TestCertificates.presented(TestCertificates.NAMES, null),
                "a.example",
                Instant.parse("2300-01-01T00:00:00Z")))
        .startsWith("its certificate has expired on 2126-");
    assertThat(
            DomainCertificate.findProblem(
                TestCertificates.presented(TestCertificates.NAMES, null),
                "a.example",
                Instant.parse("2020-01-01T00:00:00Z")))
        .startsWith("its certificate is not valid before 2026-11-22");
  }
}
