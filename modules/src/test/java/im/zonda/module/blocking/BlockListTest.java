package im.zonda.module.blocking;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BlockListTest {
  private static final Jid ACCOUNT = Jid.of("romeo@example.org");

  @Test
  void anAddressThatWasValidWhenItWasBlockedStaysBlocked() {
    Jid old = Jid.stored("a\u0378@example.org");
    Set<Jid> blocked = Set.of(old);
    assertThat(BlockList.of(ACCOUNT, BlockList.stored(blocked)).addresses()).isEqualTo(blocked);
  }

  @Test
  void aDamagedAddressIsSkipped() {
    byte[] stored = "@\nb@example.org".getBytes(StandardCharsets.UTF_8);
    assertThat(BlockList.of(ACCOUNT, stored).addresses()).containsExactly(Jid.of("b@example.org"));
  }
}
