package im.zonda.auth;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import im.zonda.stream.client.FakeValues;
import org.junit.jupiter.api.Test;

class StoredDisablingTest {
  private static final Jid ROMEO = Jid.of("romeo@example.org");

  private final StoredDisabling disabling = new StoredDisabling(new FakeValues());

  @Test
  void whatBeganBeforeAnAccountWasDisabledIsToldApart() {
    assertThat(disabling.timesDisabled(ROMEO)).isZero();
    disabling.set(ROMEO, true);
    assertThat(disabling.isDisabled(ROMEO)).isTrue();
    disabling.set(ROMEO, false);
    assertThat(disabling.isDisabled(ROMEO)).isFalse();
    assertThat(disabling.timesDisabled(ROMEO)).isEqualTo(1);
    disabling.set(ROMEO, true);
    assertThat(disabling.timesDisabled(ROMEO)).isEqualTo(2);
  }
}
