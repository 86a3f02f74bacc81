package im.zonda.account;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class GuestAddressTest {
  private static final Jid HOST = Jid.of("example.org");

  @Test
  void aGuestHasAUuidThatIsMadeOfTheBits() {
    Jid guest = GuestAddress.of(HOST, 0x0123_4567_89ab_cdefL, -1);
    assertThat(guest).hasToString("01234567-89ab-8def-bfff-ffffffffffff@example.org");
    UUID uuid = UUID.fromString(guest.local());
    assertThat(uuid.version()).isEqualTo(8);
    assertThat(uuid.variant()).isEqualTo(2);
    assertThat(GuestAddress.isGuest(guest)).isTrue();
    assertThat(GuestAddress.isGuest(guest.withResource("r"))).isTrue();
    assertThat(GuestAddress.of(HOST, 0, 0))
        .hasToString("00000000-0000-8000-8000-000000000000@example.org");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "example.org",
        "romeo@example.org",
        // a UUID of random bits, as someone may have chosen for an account
        "01234567-89ab-4def-bfff-ffffffffffff@example.org",
        "01234567-89ab-8def-cfff-ffffffffffff@example.org",
        "01234567-89ab-8def-bfff-fffffffffff@example.org",
        "x01234567-89ab-8def-bfff-ffffffffffff@example.org"
      })
  void othersAreNoGuests(String address) {
    assertThat(GuestAddress.isGuest(Jid.of(address))).isFalse();
  }

  /// Addresses are prepared before they are compared: no other spelling passes for another name.
  @Test
  void row141_capitalLettersMakeNoOtherName() {
    assertThat(GuestAddress.isGuest(Jid.of("01234567-89AB-8DEF-BFFF-FFFFFFFFFFFF@example.org")))
        .isTrue();
  }
}
