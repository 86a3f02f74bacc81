package im.zonda.app.transfer.mongooseim;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.jid.Jid;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MinifiedJidTest {
  @ParameterizedTest
  @CsvSource({
    "'', alice@host",
    "/r1, alice@host/r1",
    "/r1/a:b@c, alice@host/r1/a:b@c",
    "bob, bob@host",
    "bob/r1, bob@host/r1",
    "bob/r1@x:y, bob@host/r1@x:y",
    ":, host",
    ":/r1, host/r1",
    "other:bob, bob@other",
    "other:, other",
    "other@bob/r1, bob@other/r1",
    "other@/r1, other/r1",
    "other@bob, bob@other"
  })
  void addressesAreExpanded(String minified, String address) {
    assertThat(MinifiedJid.expand(Jid.of("alice@host"), minified)).isEqualTo(address);
  }
}
