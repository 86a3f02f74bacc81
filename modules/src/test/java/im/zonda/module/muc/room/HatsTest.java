package im.zonda.module.muc.room;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import org.junit.jupiter.api.Test;

class HatsTest {
  @Test
  void aUserWhoseAddressWasValidWhenItWasStoredKeepsTheHat() {
    Hats hats = new Hats();
    hats.create(new Hats.Hat("urn:hat", "Host", null));
    Jid user = Jid.stored("a\u0378@example.org");
    hats.assign(user, "urn:hat");
    assertThat(Hats.of(hats.toElement()).assignments())
        .extracting(Hats.Assignment::user)
        .containsExactly(user);
  }
}
