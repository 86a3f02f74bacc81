package im.zonda.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LadderTest {
  private final Ladder ladder =
      new Ladder(
          "root",
          List.of("jid", "module", "module.*", "module.muc.room", "module.muc", "net.tls", "net"));

  @Test
  void aPackageStandsOnItsOwnRung() {
    assertThat(ladder.rungOf("root.jid")).isEqualTo(0);
    assertThat(ladder.rungOf("root.module")).isEqualTo(1);
    assertThat(ladder.rungOf("root.net")).isEqualTo(6);
  }

  @Test
  void aSubPackageStandsWithItsParentUnlessItIsListed() {
    assertThat(ladder.rungOf("root.jid.inner.most")).isEqualTo(0);
    assertThat(ladder.rungOf("root.net.tls.trust")).isEqualTo(5);
    assertThat(ladder.rungOf("root.net.socket")).isEqualTo(6);
    assertThat(ladder.rungOf("root.module.muc.room.history")).isEqualTo(3);
    assertThat(ladder.rungOf("root.module.muc.command")).isEqualTo(4);
  }

  @Test
  void aStarStandsForOneWord() {
    assertThat(ladder.rungOf("root.module.ping")).isEqualTo(2);
    assertThat(ladder.rungOf("root.module.ping.inner")).isEqualTo(2);
    assertThat(ladder.rungOf("root.module.muc")).isEqualTo(4);
  }

  @Test
  void whatIsNotListedIsOnNoRung() {
    assertThat(ladder.rungOf("root.web")).isEqualTo(-1);
    assertThat(ladder.rungOf("root")).isEqualTo(-1);
    assertThat(ladder.rungOf("root.jidx")).isEqualTo(-1);
    assertThat(ladder.rungOf("other.jid")).isEqualTo(-1);
  }
}
