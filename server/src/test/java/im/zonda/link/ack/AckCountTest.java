package im.zonda.link.ack;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

/// XEP-0198, section 4: what the peer's count says of what it was sent.
final class AckCountTest {
  private static final long MODULUS = 1L << 32;

  @ParameterizedTest
  @CsvSource({"2, OLD", "0, OLD", "3, VALID", "4, VALID", "5, VALID", "6, TOO_HIGH"})
  void aCountIsComparedWithWhatWasSentAndAcknowledged(long h, AckCount expected) {
    assertThat(AckCount.of(h, 3, 5)).isEqualTo(expected);
  }

  @Test
  void aValidCountIsTheNumberOfTheLastAcknowledgedStanza() {
    assertThat(AckCount.number(3, 3)).isEqualTo(3);
    assertThat(AckCount.number(5, 3)).isEqualTo(5);
  }

  @ParameterizedTest
  @ValueSource(longs = {MODULUS, 6 * MODULUS})
  void theCountWrapsAtTwoToThePowerOf32(long wrap) {
    long acknowledged = wrap - 3;
    long sent = wrap + 3;
    assertThat(AckCount.of(MODULUS - 4, acknowledged, sent)).isEqualTo(AckCount.OLD);
    assertThat(AckCount.of(MODULUS - 3, acknowledged, sent)).isEqualTo(AckCount.VALID);
    assertThat(AckCount.of(MODULUS - 1, acknowledged, sent)).isEqualTo(AckCount.VALID);
    assertThat(AckCount.of(0, acknowledged, sent)).isEqualTo(AckCount.VALID);
    assertThat(AckCount.of(3, acknowledged, sent)).isEqualTo(AckCount.VALID);
    assertThat(AckCount.of(4, acknowledged, sent)).isEqualTo(AckCount.TOO_HIGH);
    assertThat(AckCount.number(MODULUS - 1, acknowledged)).isEqualTo(wrap - 1);
    assertThat(AckCount.number(3, acknowledged)).isEqualTo(sent);
  }

  /// A count cannot be both: the nearer way around decides.
  @Test
  void aCountFarAheadIsOneFromThePast() {
    assertThat(AckCount.of(MODULUS / 2 - 1, 0, 5)).isEqualTo(AckCount.TOO_HIGH);
    assertThat(AckCount.of(MODULUS / 2, 0, 5)).isEqualTo(AckCount.OLD);
  }

  @Test
  void aCountIsExchangedModuloTwoToThePowerOf32() {
    assertThat(AckCount.onWire(5)).isEqualTo("5");
    assertThat(AckCount.onWire(MODULUS - 1)).isEqualTo("4294967295");
    assertThat(AckCount.onWire(5 * MODULUS + 7)).isEqualTo("7");
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "007, 7", "4294967295, 4294967295"})
  void anUnsignedIntIsRead(String text, long expected) {
    assertThat(AckCount.unsignedInt(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @NullAndEmptySource
  @ValueSource(strings = {"+5", "-0", " 5", "5.0", "٥", "4294967296", "00000000005"})
  void anotherTextIsNoCount(@Nullable String text) {
    assertThat(AckCount.unsignedInt(text)).isEqualTo(AckCount.NONE);
  }
}
