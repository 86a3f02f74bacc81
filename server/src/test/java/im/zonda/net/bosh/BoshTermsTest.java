package im.zonda.net.bosh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import im.zonda.config.limits.BoshLimits;
import org.junit.jupiter.api.Test;

/// XEP-0124, section 7.
class BoshTermsTest {
  private static BoshTerms of(String attributes) throws BoshException {
    return BoshTerms.of(
        TestBodies.request("rid='1' to='example.org' " + attributes, ""), BoshLimits.DEFAULTS);
  }

  @Test
  void theClientGetsWhatItAsksForAtMost() throws Exception {
    BoshTerms terms = of("ver='1.6' wait='20' hold='1' ack='1'");
    assertThat(terms.version()).isEqualTo("1.6");
    assertThat(terms.waitMillis()).isEqualTo(20_000);
    assertThat(terms.hold()).isEqualTo(1);
    assertThat(terms.requests()).isEqualTo(2);
    assertThat(terms.acks()).isTrue();
    assertThat(terms.polls()).isFalse();
    assertThat(terms.contentType()).isEqualTo("text/xml; charset=utf-8");
  }

  @Test
  void row50_hugeValuesAreCut() throws Exception {
    BoshTerms terms = of("ver='7.0' wait='999999999' hold='999999999'");
    assertThat(terms.version()).isEqualTo("1.11");
    assertThat(terms.waitMillis()).isEqualTo(60_000);
    assertThat(terms.hold()).isEqualTo(1);
    assertThat(terms.requests()).isEqualTo(2);
  }

  /// With two connections and two requests held, a client can send nothing until one is answered.
  @Test
  void aClientWithTwoConnectionsHasOneToSendWith() throws Exception {
    assertThat(of("ver='1.6' wait='60' hold='2'").hold()).isEqualTo(1);
    assertThat(of("ver='1.6' wait='60' hold='2'").requests()).isEqualTo(2);
  }

  /// Section 12: polling sessions have more time.
  @Test
  void aClientThatPollsHasMoreTime() throws Exception {
    assertThat(of("wait='0'").polls()).isTrue();
    assertThat(of("hold='0'").polls()).isTrue();
    assertThat(of("hold='0'").requests()).isEqualTo(1);
    assertThat(of("hold='0'").inactivityMillis()).isGreaterThan(of("hold='1'").inactivityMillis());
  }

  @Test
  void minorVersionsAreNumbers() throws Exception {
    assertThat(of("ver='1.10'").version()).isEqualTo("1.10");
    assertThat(of("ver='1.12'").version()).isEqualTo("1.11");
    assertThat(of("").legacy()).isTrue();
    assertThat(of("ver='1.6'").legacy()).isFalse();
  }

  @Test
  void valuesThatAreNoneAreRejected() {
    for (String wrong :
        new String[] {
          "ver='1'",
          "ver='x'",
          "wait='-1'",
          "hold='x'",
          "wait='1e9'",
          "content='text/html&#xD;&#xA;X: y'",
          "content='text'"
        }) {
      assertThatThrownBy(() -> of(wrong)).as(wrong).isInstanceOf(BoshException.class);
    }
  }
}
