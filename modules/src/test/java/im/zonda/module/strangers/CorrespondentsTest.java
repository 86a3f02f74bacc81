package im.zonda.module.strangers;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CorrespondentsTest {
  private static final Jid ACCOUNT = Jid.of("romeo@example.org");

  @Test
  void anAddressThatWasValidWhenItWasStoredIsStillKnown() {
    byte[] stored = "a\u0378@example.net\n@".getBytes(StandardCharsets.UTF_8);
    Correspondents read = Correspondents.of(ACCOUNT, stored);
    assertThat(read.contains(Jid.stored("a\u0378@example.net"))).isTrue();
    assertThat(new String(read.takeForStore(), StandardCharsets.UTF_8))
        .isEqualTo("a\u0378@example.net");
  }
}
