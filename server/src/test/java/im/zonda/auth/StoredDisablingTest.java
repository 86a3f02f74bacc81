package im.zonda.auth;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.account.DisabledAccounts.Disabling;
import im.zonda.jid.Jid;
import im.zonda.stream.client.FakeValues;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class StoredDisablingTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org");
  private static final Disabling FOR_EVER = new Disabling(null, null, null);

  private final FakeValues values = new FakeValues();
  private Instant now = Instant.parse("2026-11-28T12:00:00Z");
  private final StoredDisabling disabling = new StoredDisabling(values, () -> now);

  @Test
  void whatBeganBeforeAnAccountWasDisabledIsToldApart() {
    assertThat(disabling.timesDisabled(ROMEO)).isZero();
    disabling.disable(ROMEO, FOR_EVER);
    assertThat(disabling.isDisabled(ROMEO)).isTrue();
    disabling.enable(ROMEO);
    assertThat(disabling.isDisabled(ROMEO)).isFalse();
    assertThat(disabling.timesDisabled(ROMEO)).isEqualTo(1);
    disabling.disable(ROMEO, FOR_EVER);
    assertThat(disabling.timesDisabled(ROMEO)).isEqualTo(2);
  }

  @Test
  void anAccountIsEnabledAgainByItself() {
    Disabling hour = new Disabling(now, now.plus(Duration.ofHours(1)), "Spam.\nTwice.");
    disabling.disable(ROMEO, hour);
    assertThat(disabling.find(ROMEO)).isEqualTo(hour);
    now = now.plus(Duration.ofHours(1)).minusMillis(1);
    assertThat(disabling.isDisabled(ROMEO)).isTrue();
    now = now.plusMillis(1);
    assertThat(disabling.isDisabled(ROMEO)).isFalse();
  }

  @Test
  void whatFormerVersionsHaveStoredIsDisabledForEver() {
    values.put(ROMEO, "disabled", new byte[] {1});
    assertThat(disabling.find(ROMEO)).isEqualTo(FOR_EVER);
  }
}
