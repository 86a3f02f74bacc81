package im.zonda.module.offline;

import static org.assertj.core.api.Assertions.assertThat;

import im.zonda.hook.StorageRule.Decision;
import im.zonda.module.testing.TestContext;
import im.zonda.module.testing.TestXml;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OfflineModuleTest {
  private final TestContext context = new TestContext().install(new OfflineModule());

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<message><body>hi</body></message>",
        "<message type='chat'><body>hi</body></message>",
        "<message type='chat'><composing xmlns='http://jabber.org/protocol/chatstates'/>"
            + "<body>hi</body></message>",
        "<message type='chat'><received xmlns='urn:xmpp:receipts' id='1'/></message>",
        "<message type='chat'><encrypted xmlns='eu.siacs.conversations.axolotl'/></message>",
        "<message type='chat'><displayed xmlns='urn:xmpp:chat-markers:0' id='1'/>"
            + "<active xmlns='http://jabber.org/protocol/chatstates'/></message>",
        "<message type='chat'><retract id='1' xmlns='urn:xmpp:message-retract:1'/></message>",
        "<message type='chat'><reactions id='1' xmlns='urn:xmpp:reactions:0'/></message>",
        "<message type='chat'><replace id='1' xmlns='urn:xmpp:message-correct:0'/></message>",
        "<message type='chat'><encryption xmlns='urn:xmpp:eme:0' namespace='urn:xmpp:omemo:2'/>"
            + "</message>",
        "<message><subject>hi</subject></message>"
      })
  void whatSaysSomethingIsStored(String message) {
    assertThat(context.stores(TestXml.message(message))).isEqualTo(Decision.STORE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<message type='groupchat'><body>hi</body></message>",
        "<message type='headline'><body>hi</body></message>",
        "<message type='error'><body>hi</body></message>",
        "<message type='chat'><composing xmlns='http://jabber.org/protocol/chatstates'/></message>",
        "<message><gone xmlns='http://jabber.org/protocol/chatstates'/></message>",
        "<message type='chat'><thread>t</thread>"
            + "<paused xmlns='http://jabber.org/protocol/chatstates'/>"
            + "<no-copy xmlns='urn:xmpp:hints'/><origin-id xmlns='urn:xmpp:sid:0' id='1'/>"
            + "</message>",
        "<message type='chat'><active xmlns='http://jabber.org/protocol/chatstates'/>"
            + "<request xmlns='urn:xmpp:receipts'/><markable xmlns='urn:xmpp:chat-markers:0'/>"
            + "<private xmlns='urn:xmpp:carbons:2'/></message>",
        "<message from='coven@rooms.example.org'><result xmlns='urn:xmpp:mam:2' id='1'>"
            + "<forwarded xmlns='urn:xmpp:forward:0'/></result></message>",
        "<message type='chat'/>"
      })
  void allElseIsNot(String message) {
    assertThat(context.stores(TestXml.message(message))).isEqualTo(Decision.SKIP);
  }

  @Test
  void offlineStorageIsAdvertised() {
    assertThat(context.host().features()).containsExactly("msgoffline");
  }
}
